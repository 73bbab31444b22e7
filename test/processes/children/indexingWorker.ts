// A window of its own for the kill and two-window tests: indexes the folder. Told to resume, it goes on with an
// interrupted job, and waits until a killed window is known to be gone, like the offer to resume. Otherwise it leaves
// a job alone that another window has planned a moment ago and not begun.
import { indexJobs } from '../../../src/indexing/indexJobs';
import { jobFor, resumedJob, setUp } from '../../support/indexingJobs';

const [baseUrl = '', apiKey = '', storage = '', scope = '', folder = '', wish] = process.argv.slice(2);
const setup = await setUp({ baseUrl, apiKey }, storage, scope);
let job = wish === 'resume' ? await resumedJob(setup) : undefined;
while (!job && wish === 'resume' && indexJobs(setup.store).list().length > 0) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  job = await resumedJob(setup);
}
job ??= await jobFor(setup, folder);
job.start();
process.stdout.write('started\n');
await job.done;
process.stdout.write(`${JSON.stringify(job.progress)}\n`);
await setup.close();
