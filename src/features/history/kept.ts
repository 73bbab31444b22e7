import type { RunTarget } from '../../contributions';
import type { RunRecord } from '../../domain/runRecord';
import type { Services } from '../../services';
import { pickRuns, type RunQuestion } from './pickRuns';

/** A command of one run: a row of the view, or one picked from a list when it is called from the palette. */
export function onRun(
  title: () => string,
  act: (run: RunRecord, services: Services) => unknown,
  which: Pick<RunQuestion, 'fits' | 'offered'> = {},
) {
  return async (services: Services, target: RunTarget | undefined): Promise<void> => {
    const [run] = await targetRuns(services, target && [target], { title: title(), ...which });
    if (run) await act(run, services);
  };
}

/** The runs of a command: those of the rows, or picked from a list where there are no rows. */
export async function targetRuns(
  services: Services,
  rows: readonly RunTarget[] = [],
  question: RunQuestion,
): Promise<readonly RunRecord[]> {
  const history = await services.history();
  if (rows.length === 0) return pickRuns(history, question);
  return rows.flatMap(({ id }) => history.get(id) ?? []).filter(question.fits ?? (() => true));
}

/** The request that was sent, or the draft when none was. */
export function keptRequest(run: RunRecord): unknown {
  return run.request ?? run.draft;
}
