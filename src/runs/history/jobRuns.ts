import * as z from 'zod/mini';
import { Listeners } from '../../domain/listeners';
import { money } from '../../domain/money';
import { openJournal } from '../../journal/openJournal';

/**
 * What is kept of a job's run that got a response: what an estimate and a receipt need, and no more. A job of
 * thousands of runs would flood the history, and its own journal has what each run was for.
 */
const jobRun = z.object({
  id: z.string(),
  baseUrl: z.string(),
  draft: z.object({ model: z.string(), mode: z.string() }),
  /** Media of the run: a larger batch costs more. */
  items: z.number(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  sentAt: z.number(),
  finishedAt: z.number(),
  state: z.enum(['finished', 'accepted', 'failed']),
  runId: z.optional(z.string()),
  cost: z.optional(money),
});
export type JobRun = z.infer<typeof jobRun>;

/** The last runs of jobs, by model. */
export type JobRuns = Awaited<ReturnType<typeof openJobRuns>>;

/** Kept of each model at each service: twice what an estimate looks at, since the newest may not have reported a cost yet. */
const keptOfModel = 40;

/** Opens the store; several windows may have it open. */
export async function openJobRuns(file: string, log: (message: string) => void) {
  const journal = await openJournal(file, (value) => jobRun.safeParse(value).data);
  const changed = new Listeners<readonly JobRun[]>();
  let kept = newest(journal.records);
  const tidy = async () => {
    if (journal.records.length > 4 * kept.length + 400)
      await journal.rewrite((current) => [...newest(current)].reverse());
  };
  await tidy();
  return {
    /** Newest first. */
    get runs() {
      return kept;
    },
    /** Adds, or replaces those of the same ids. Never rejects: a measure that is lost must not lose the run's response. */
    async put(runs: readonly JobRun[]) {
      try {
        await journal.appendAll(runs);
        await tidy();
      } catch (error) {
        log(`What a run cost could not be kept: ${String(error)}`);
      }
      kept = newest([...kept.toReversed(), ...runs]);
      changed.call(runs);
    },
    onDidChange: changed.add,
    close: () => journal.close(),
  };
}

/** The last of each model, newest first; of several lines of one run the last. */
function newest(lines: readonly JobRun[]): readonly JobRun[] {
  const latest = new Map(lines.map((run) => [run.id, run]));
  const counts = new Map<string, number>();
  return [...latest.values()]
    .sort((a, b) => b.startedAt - a.startedAt)
    .filter(({ baseUrl, draft }) => {
      const key = JSON.stringify([baseUrl, draft.model, draft.mode]);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return count < keptOfModel;
    });
}
