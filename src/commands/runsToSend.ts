import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { LoadedExperiment } from '../experiments/load';
import type { PlannedRun } from '../experiments/plan';
import {
  decidedRuns,
  type KnownRunChoices,
  type SortedRuns,
  unreadableText,
} from '../experiments/wantedRuns';
import type { ExperimentCall } from './experiment';
import type { PaidState } from './state';
import type { Terminal } from './terminal';

interface RunsToSend extends Pick<SortedRuns, 'loaded' | 'all' | 'underWay' | 'since' | 'known'> {
  readonly runs: readonly PlannedRun[];
}

/** The runs that a call sends. Undefined: none may be sent, and the reason was printed. */
export async function runsToSend(
  { store }: PaidState,
  loaded: LoadedExperiment,
  results: string,
  runs: readonly PlannedRun[],
  call: ExperimentCall,
  accepted: KnownRunChoices['accepted'],
  terminal: Terminal,
): Promise<RunsToSend | undefined> {
  const decided = await decidedRuns(
    store,
    loaded,
    results,
    { accepted, ...choicesIn(call, results, terminal) },
    runs,
  );
  if (!decided) return undefined;
  const { missing, failed, unconfirmed, ...facts } = decided;
  if (call.retryUnconfirmed && unconfirmed.length > 0)
    terminal.warn(l10n.t('{0} unconfirmed runs are run again. They may be paid twice.', unconfirmed.length));
  const more = [...(call.retryFailed ? failed : []), ...(call.retryUnconfirmed ? unconfirmed : [])];
  return { ...facts, runs: [...missing, ...more] };
}

function choicesIn(
  call: ExperimentCall,
  results: string,
  terminal: Terminal,
): Omit<KnownRunChoices, 'accepted'> {
  return {
    async restore(lost) {
      if (call.runDeleted) return false;
      terminal.print(
        l10n.t(
          '{0} results were restored into {1}. To run them again, delete them and use --run-deleted.',
          ...[lost, results],
        ),
      );
      return true;
    },
    async use({ ids, file }, open) {
      // Runs that are sent again have a result elsewhere, with which they are compared.
      if (call.runDeleted || call.checkDrift !== undefined) return false;
      terminal.print(
        l10n.t(
          '{0} of these {1} runs were paid in {2}: their results are used. To run them again, use --run-deleted.',
          ...[ids.length, open, file],
        ),
      );
      return true;
    },
    async unreadable(lines) {
      if (call.unreadable !== undefined) return call.unreadable;
      terminal.warn(unreadableText(lines, basename(results)));
      terminal.warn(
        l10n.t(
          'Repair the file, or start again with --unreadable=unconfirmed (leave out what such lines may be) or --unreadable=run (run it, which may be paid twice).',
        ),
      );
      return undefined;
    },
  };
}
