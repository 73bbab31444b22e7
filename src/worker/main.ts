import { parentPort, workerData } from 'node:worker_threads';
import { type TaskInput, type TaskName, tasks } from './tasks';

// The thread of `inWorker`.
const { task, inputs } = workerData as {
  readonly task: TaskName;
  readonly inputs: readonly TaskInput<TaskName>[];
};
parentPort!.postMessage('ready');
for (const [at, input] of inputs.entries())
  try {
    parentPort!.postMessage({ at, output: tasks[task](input) });
  } catch {
    // It is not understood: there is no output.
  }
