import { Worker } from 'node:worker_threads';
import { DeadlineThread, type Thread } from '../protocol/deadlineThread';
import type { EncodedImage } from './smallImage';

/** The bundle of `main.ts`, beside the folder of bundled modules; set by the build. */
declare const WORKER_FILE: string | undefined;

const FILE = typeof WORKER_FILE === 'string' ? WORKER_FILE : './main.ts';
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** The answer of the thread of `main.ts`; without an image for one that it does not understand. */
export interface ImageAnswer {
  readonly image?: EncodedImage;
}

/**
 * Makes images small in a thread with little memory: see `smallImage`.
 * @param deadline milliseconds for all of them together
 * @returns undefined for one that failed, or was not done in time or in the thread's memory
 */
export async function smallImagesOf(
  inputs: readonly EncodedImage[],
  deadline: number,
): Promise<readonly (EncodedImage | undefined)[]> {
  const thread = new DeadlineThread<EncodedImage, ImageAnswer>(startThread);
  const images: (EncodedImage | undefined)[] = [];
  let left = deadline;
  for (const input of inputs) {
    const begun = performance.now();
    images.push(left > 0 ? (await thread.ask(input, left))?.image : undefined);
    left -= performance.now() - begun;
  }
  await thread.end();
  return images;
}

function startThread(): Thread<EncodedImage, ImageAnswer> {
  const worker = new Worker(new URL(FILE, import.meta.url), { resourceLimits: LIMITS });
  return {
    post: (input) => worker.postMessage(input),
    listen: (received, failed) => {
      worker.removeAllListeners().on('message', received);
      // Out of memory, too.
      worker.on('error', failed).on('exit', failed);
    },
    end: () => void worker.terminate(),
  };
}
