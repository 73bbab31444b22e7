// A window of its own for the kill and two-window tests: resumes an interrupted job, else indexes the folder. Told to
// resume, it waits until a window that was killed is known to be gone, as the offer to resume does.
import { indexJobs } from '../../src/indexing/indexJobs';
import { jobFor, resumedJob, setUp } from './indexingJobs';

const [baseUrl = '', apiKey = '', storage = '', scope = '', folder = '', wish] = process.argv.slice(2);
const setup = await setUp({ baseUrl, apiKey }, storage, scope);
let job = await resumedJob(setup);
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
