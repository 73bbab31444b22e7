import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makePictures } from '../../test/support/pictures';
import { sandboxInChild } from '../../test/support/sandbox';
import type { Measure } from '../measure';
import { indexFolder } from '../support/indexing';

const IMAGES = 400;
const IDLE_MS = 5_000;

/**
 * The effect of a job on other extensions: the delay of a timer of 10 ms (Node's own monitor, whose figures include
 * the 10 ms), while indexing and while doing nothing.
 */
export const hostStall: Measure = {
  name: 'host-stall',
  what: `99th percentile of the event loop's delay while ${IMAGES} images are indexed / idle`,
  goals: [
    { figure: 'ratio', label: 'p99 delay', unit: '', atMost: 2 },
    { figure: 'indexing', label: 'p99 delay while indexing', unit: 'ms' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--latency', '20', '--wallet', '1000000'] });
    const pictures = path.join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    const options = { concurrency: 8, batchSize: 16 };
    return {
      async pair() {
        const idle = await delayDuring(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
        const indexing = await delayDuring(() =>
          indexFolder(sandbox, path.join(folder, 'storage'), pictures, options),
        );
        return { ratio: indexing / idle, indexing };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** 99th percentile in milliseconds. */
async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay();
  monitor.enable();
  await work();
  monitor.disable();
  return monitor.percentile(99) / 1e6;
}
