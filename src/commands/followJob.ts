import type { JobProgress, JobState } from '../jobs/progress';
import type { Show } from './show';

const SHOW_EVERY_MS = 250;
/** How long a stopped job waits for the responses of its requests: `docker stop` kills after ten seconds. */
export const LONGEST_STOP_MS = 6_000;

interface FollowedJob {
  readonly state: JobState;
  readonly progress: JobProgress;
  onDidChange(listener: () => void): unknown;
  cancel(): void;
  stopWaiting(): void;
}

/**
 * Shows a job's progress until the returned function is called. A job that pauses by itself ends here, with its reason,
 * and so does one that the signal stops.
 * @param text of the progress, one line
 */
export function followJob(
  job: FollowedJob,
  text: (progress: JobProgress) => string,
  show: Show,
  signal: AbortSignal,
): () => void {
  const timer = setInterval(() => show.progress(text(job.progress)), SHOW_EVERY_MS);
  job.onDidChange(() => {
    if (job.state !== 'paused') return;
    const { reason } = job.progress;
    if (reason !== undefined) show.warn(reason);
    job.cancel();
  });
  let stopWaiting: NodeJS.Timeout | undefined;
  const stop = () => {
    job.cancel();
    stopWaiting = setTimeout(() => job.stopWaiting(), LONGEST_STOP_MS);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  return () => {
    clearInterval(timer);
    clearTimeout(stopWaiting);
    signal.removeEventListener('abort', stop);
  };
}
