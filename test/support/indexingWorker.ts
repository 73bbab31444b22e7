// A window of its own for the kill and two-window tests: resumes an interrupted job, else indexes the folder.
import { jobFor, resumedJob, setUp } from './indexingJobs';

const [baseUrl = '', apiKey = '', storage = '', scope = '', folder = ''] = process.argv.slice(2);
const setup = await setUp({ baseUrl, apiKey }, storage, scope);
const job = (await resumedJob(setup)) ?? (await jobFor(setup, folder));
job.start();
process.stdout.write('started\n');
await job.done;
process.stdout.write(`${JSON.stringify(job.progress)}\n`);
await setup.close();
