import { isMediaObject } from '../../domain/media';
import { executeCommand } from '../../platform/commands';
import type { EarlierAct, EarlierRun } from '../../protocol/run';
import type { History } from '../../runs/history/history';
import type { RunRecord } from '../../runs/history/record';

/** Rows of one panel; the history view has them all. */
const MOST_SHOWN = 50;
/** Of an input: enough to tell one run from another. */
const WORDS = 120;

/** What the history keeps of a model, newest first. A run that is under way belongs to its own panel. */
export function earlierRuns(history: History, model: string): EarlierRun[] {
  return history.runs
    .filter(({ draft, state }) => draft.model === model && state !== 'running')
    .slice(0, MOST_SHOWN)
    .map(rowOf);
}

function rowOf({ id, state, environment, startedAt, finishedAt, cost, draft }: RunRecord): EarlierRun {
  const words: string[] = [];
  collect({ input: draft.input, params: draft.params }, words);
  const input = words.join(' · ').replaceAll(/\s+/g, ' ');
  return {
    ...{ id, state, environment, startedAt, finishedAt, cost },
    input: input.length > WORDS ? `${input.slice(0, WORDS)}…` : input,
  };
}

/** The values of an input as people know them: a file by its name. */
function collect(value: unknown, words: string[]): void {
  // More is cut off again.
  if (words.length > 20 || value === null) return;
  if (isMediaObject(value)) words.push(value.filename ?? value.media_ref);
  else if (typeof value === 'object') for (const each of Object.values(value)) collect(each, words);
  else words.push(String(value).slice(0, WORDS + 1));
}

/** @param shown the run that the panel shows, which others are compared with */
export async function actOnEarlier(id: string, act: EarlierAct, shown: string | undefined): Promise<void> {
  if (act === 'compareRuns' && shown !== undefined && shown !== id)
    await executeCommand('modelBench.compareRuns', { id }, [{ id }, { id: shown }]);
  else await executeCommand(`modelBench.${act}`, { id });
}
