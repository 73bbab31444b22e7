import { Worker } from 'node:worker_threads';
import type { TaskInput, TaskName, TaskOutput } from './tasks';

/** The bundle of `main.ts`, beside the folder of bundled modules; set by the build. */
declare const WORKER_FILE: string | undefined;

const FILE = typeof WORKER_FILE === 'string' ? WORKER_FILE : './main.ts';
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Does work on data of other people in a thread of its own, one input after another, until a deadline: how long it
 * takes follows from the data in ways that no limit of size foresees.
 * @param deadline milliseconds for all inputs, from when the thread is ready
 * @returns an output for each input; undefined: it failed, or was not done in time or in the thread's memory
 */
export function inWorker<T extends TaskName>(
  task: T,
  inputs: readonly TaskInput<T>[],
  deadline: number,
): Promise<readonly (TaskOutput<T> | undefined)[]> {
  const outputs: (TaskOutput<T> | undefined)[] = inputs.map(() => undefined);
  if (inputs.length === 0) return Promise.resolve(outputs);
  const worker = new Worker(new URL(FILE, import.meta.url), {
    workerData: { task, inputs },
    resourceLimits: LIMITS,
  });
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(outputs);
    };
    worker.on('message', (message: 'ready' | { readonly at: number; readonly output: TaskOutput<T> }) => {
      if (message === 'ready') timer = setTimeout(end, deadline);
      else outputs[message.at] = message.output;
    });
    // Out of memory, too.
    worker.once('error', end);
    worker.once('exit', end);
  });
}
