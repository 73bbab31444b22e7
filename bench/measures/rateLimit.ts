import path from 'node:path';
import { jobFor } from '../../test/support/indexingJobs';
import { makePictures } from '../../test/support/pictures';
import { sandboxInChild } from '../../test/support/sandbox';
import type { Measure } from '../measure';
import { openWindow } from '../support/indexing';

const IMAGES = 150;
const BURST = 100;
const PER_SECOND = 20;

/** A job under a rate limit: how near it comes to what the limit lets through, and how often it is refused. */
export const rateLimit: Measure = {
  name: 'rate-limit',
  what: `requests of a job of ${IMAGES} images / what a limit of ${BURST} at once and ${PER_SECOND} a second lets through in that time`,
  goals: [
    { figure: 'achieved', label: 'achieved / limit', unit: '', atLeast: 0.95 },
    { figure: 'refused', label: 'share of 429s', unit: '%', atMost: 2 },
  ],
  pairs: 15,
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
        const before = (await sandbox.ledger()).timeline.length;
        // A new limit begins with all of its tokens.
        await sandbox.change({ rateLimit: { limit: BURST, windowSeconds: BURST / PER_SECOND } });
        job.start();
        await job.done;
        const seen = (await sandbox.ledger()).timeline
          .slice(before)
          // Bytes go to another port, which has no limit; and a look at the ledger is not the job's.
          .filter(({ route }) => route !== 'upload-bytes' && !route.startsWith('inspect'));
        await window.close();
        const { done, total } = job.progress;
        if (done !== total) throw new Error(`${done} of ${total} images were indexed.`);
        const refused = seen.filter(({ status }) => status === 429).length;
        const served = seen.length - refused;
        const seconds = (seen.at(-1)!.at - seen[0]!.at) / 1_000;
        return {
          achieved: served / (BURST + PER_SECOND * seconds),
          refused: (100 * refused) / seen.length,
        };
      },
      close: () => sandbox.stop(),
    };
  },
};
