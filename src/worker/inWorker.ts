import { Worker } from 'node:worker_threads';
import { DeadlineThread, type Thread } from '../protocol/deadlineThread';
import type { TaskInput, TaskName, TaskOutput } from './tasks';

/** The bundle of `main.ts`, beside the folder of bundled modules; set by the build. */
declare const WORKER_FILE: string | undefined;

const FILE = typeof WORKER_FILE === 'string' ? WORKER_FILE : './main.ts';
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** The answer of the thread of `main.ts`; without an output for an input that it does not understand. */
export interface TaskAnswer<T extends TaskName> {
  readonly output?: TaskOutput<T>;
}

/**
 * Does work on data of other people in a thread with little memory.
 * @param deadline milliseconds for all inputs together
 * @returns an output for each input; undefined: it failed, or was not done in time or in the thread's memory
 */
export async function inWorker<T extends TaskName>(
  task: T,
  inputs: readonly TaskInput<T>[],
  deadline: number,
): Promise<readonly (TaskOutput<T> | undefined)[]> {
  const thread = new DeadlineThread<TaskInput<T>, TaskAnswer<T>>(() => threadOf(task));
  const outputs: (TaskOutput<T> | undefined)[] = [];
  let left = deadline;
  for (const input of inputs) {
    const begun = performance.now();
    outputs.push(left > 0 ? (await thread.ask(input, left))?.output : undefined);
    left -= performance.now() - begun;
  }
  await thread.end();
  return outputs;
}

function threadOf<T extends TaskName>(task: T): Thread<TaskInput<T>, TaskAnswer<T>> {
  const worker = new Worker(new URL(FILE, import.meta.url), { workerData: task, resourceLimits: LIMITS });
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
