import type { ShownContract } from '../../src/domain/model';
import type { Problem } from '../../src/domain/problems';
import type {
  EarlierRun,
  ExperimentSize,
  PanelState,
  RunView,
  ShownNextStep,
  WorkInProgress,
} from '../../src/protocol/run';
import type { PageState } from '../shared/page';
import type { ExperimentViews } from './experiment';
import type { Replacement } from './replacing';

export type ResultTab = 'preview' | 'json' | 'raw' | 'request' | 'headers';

export interface RunState extends PageState {
  panel?: Omit<PanelState, 'contract' | 'work' | 'files' | 'run'>;
  contract?: ShownContract;
  contractProblem?: { message: string; nextStep?: ShownNextStep };
  work?: WorkInProgress;
  replaced?: Replacement;
  run: RunView;
  /** `performance.now()` when the run began. */
  runBegan: number;
  /** From the click on Run until the host reports the run's state. */
  starting: boolean;
  resultTab: ResultTab;
  /** Runs of this model in the history. */
  earlier: readonly EarlierRun[];
  problems: readonly Problem[];
  /** The rules of the model's schemas that only the service checks. */
  notes: readonly string[];
  /** Every problem shows: Run was pressed while there were problems. */
  showAll: boolean;
  dragging: boolean;
  /** How an experiment is set up: loaded when one is. */
  experimentViews?: ExperimentViews;
  /** The part for experiments is shown before the first varied field. */
  experimentShown?: boolean;
  /** The number of runs, and their possible cost. */
  experimentSize?: ExperimentSize;
}

export function initialState(): RunState {
  return {
    run: { state: 'idle' },
    runBegan: 0,
    starting: false,
    resultTab: 'preview',
    earlier: [],
    problems: [],
    notes: [],
    showAll: false,
    dragging: false,
  };
}
