import type { RunRecord } from '../../domain/runRecord';
import type { EarlierAct, EarlierRun } from '../../protocol/run';
import type { History } from '../../runs/history/history';
import { executeCommand } from '../../vscode/commands';
import { inputText } from '../../wording/inputText';

/** Rows of one panel; the history view has them all. */
const MOST_SHOWN = 50;
/** Of an input: enough to tell one run from another. */
const INPUT_LENGTH = 120;

/** The history's runs of a model, newest first. A run that is under way belongs to its own panel. */
export function earlierRuns(history: History, model: string): EarlierRun[] {
  return history.runs
    .ofModel(model, MOST_SHOWN)
    .filter(({ state }) => state !== 'running')
    .map(rowOf);
}

function rowOf(run: RunRecord): EarlierRun {
  const { id, state, environment, startedAt, cost, draft } = run;
  return {
    id,
    state,
    environment,
    startedAt,
    cost,
    input: inputText([draft.input, draft.params], INPUT_LENGTH),
  };
}

/** @param shown the run that the panel shows, which others are compared with */
export async function actOnEarlier(id: string, act: EarlierAct, shown: string | undefined): Promise<void> {
  if (act === 'compareRuns' && shown !== undefined && shown !== id)
    await executeCommand('modelBench.compareRuns', { id }, [{ id }, { id: shown }]);
  else await executeCommand(`modelBench.${act}`, { id });
}
