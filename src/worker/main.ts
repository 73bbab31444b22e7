import { parentPort, workerData } from 'node:worker_threads';
import type { TaskAnswer } from './inWorker';
import { type TaskInput, type TaskName, tasks } from './tasks';

// The thread of `inWorker`.
parentPort!.on('message', (input: TaskInput<TaskName>) => {
  let answer: TaskAnswer<TaskName> = {};
  try {
    const output = tasks[workerData as TaskName](input);
    answer = output === undefined ? {} : { output };
  } catch {
    // It is not understood: there is no output.
  }
  parentPort!.postMessage(answer);
});
parentPort!.postMessage('ready');
