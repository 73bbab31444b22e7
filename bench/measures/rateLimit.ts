import path from 'node:path';
import { jobFor } from '../../test/support/indexingJobs';
import { makePictures } from '../../test/support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../test/support/sandbox';
import type { Measure } from '../measure';
import { runExperiment } from '../support/experiment';
import { openWindow } from '../support/indexing';

const IMAGES = 150;
/** Of the experiment, each a request; an image takes three and its share of a run. */
const RUNS = 400;
const BURST = 100;
const PER_SECOND = 20;

/** A job, and an experiment, under a rate limit: their share of the allowed rate, and their rejected requests. */
export const rateLimit: Measure = {
  name: 'rate-limit',
  what: `requests of a job of ${IMAGES} images, and of an experiment of ${RUNS} runs / what a limit of ${BURST} at once and ${PER_SECOND} a second lets through in that time`,
  goals: [
    { figure: 'achieved', label: 'achieved / limit', unit: '', atLeast: 0.95 },
    { figure: 'refused', label: 'share of 429s', unit: '%', atMost: 2 },
    { figure: 'experiment', label: 'an experiment’s achieved / limit', unit: '', atLeast: 0.95 },
    { figure: 'refusedRuns', label: 'an experiment’s share of 429s', unit: '%', atMost: 2 },
  ],
  pairs: 5,
  whyFewer: 'All of 15 pairs were within 0.5% of each other, and each takes half a minute.',
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--wallet', '1000000'] });
    const pictures = path.join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    return {
      async pair() {
        await sandbox.change({ rateLimit: null });
        const window = await openWindow(sandbox, path.join(folder, 'storage'), {
          concurrency: 8,
          batchSize: 16,
        });
        const job = await jobFor(window, pictures);
        const ofJob = await underLimit(sandbox, async () => {
          job.start();
          await job.done;
        });
        await window.close();
        const { done, total } = job.progress;
        if (done !== total) throw new Error(`${done} of ${total} images were indexed.`);
        const ofRuns = await underLimit(sandbox, () => runExperiment(sandbox, folder, RUNS));
        return {
          ...ofJob,
          ...{ experiment: ofRuns.achieved, refusedRuns: ofRuns.refused },
        };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** The used part of a new limit, and the per cent of requests beyond it. */
async function underLimit(sandbox: ChildSandbox, send: () => Promise<unknown>) {
  const before = (await sandbox.ledger()).timeline.length;
  // A new limit begins with all of its tokens.
  await sandbox.change({ rateLimit: { limit: BURST, windowSeconds: BURST / PER_SECOND } });
  await send();
  const seen = (await sandbox.ledger()).timeline
    .slice(before)
    // Bytes go to another port, which has no limit; and a look at the ledger is not ours.
    .filter(({ route }) => route !== 'upload-bytes' && !route.startsWith('inspect'));
  const refused = seen.filter(({ status }) => status === 429).length;
  const seconds = (seen.at(-1)!.at - seen[0]!.at) / 1_000;
  return {
    achieved: (seen.length - refused) / (BURST + PER_SECOND * seconds),
    refused: (100 * refused) / seen.length,
  };
}
