import type { ShownContract } from '../../src/domain/model';
import type { Problem } from '../../src/domain/problems';
import type { EarlierRun, PanelState, RunView, ShownNextStep, WorkInProgress } from '../../src/protocol/run';
import type { PageState } from '../shared/page';

export type ResultTab = 'preview' | 'raw' | 'request';

export interface RunState extends PageState {
  panel?: Omit<PanelState, 'contract' | 'work' | 'files' | 'run'>;
  contract?: ShownContract;
  contractProblem?: { message: string; nextStep?: ShownNextStep };
  work?: WorkInProgress;
  run: RunView;
  /** `performance.now()` when the run began. */
  runBegan: number;
  /** From the click on Run until the host reports the run's state. */
  starting: boolean;
  resultTab: ResultTab;
  /** Runs of this model in the history. */
  earlier: readonly EarlierRun[];
  problems: readonly Problem[];
  /** Every problem shows: Run was pressed while there were problems. */
  showAll: boolean;
  dragging: boolean;
}

export function initialState(): RunState {
  return {
    run: { state: 'idle' },
    runBegan: 0,
    starting: false,
    resultTab: 'preview',
    earlier: [],
    problems: [],
    showAll: false,
    dragging: false,
  };
}
