import type { ShownContract } from '../../src/domain/model';
import type { Problem } from '../../src/domain/problems';
import { isObject } from '../../src/domain/value';
import type { PanelState, RunStatus, ShownNextStep, WorkInProgress } from '../../src/protocol/run';
import { pageState } from '../shared/host';
import type { PageState } from '../shared/page';
import type { Replacement } from './replacing';

export type ResultTab = 'preview' | 'json' | 'request' | 'headers';

export interface RunPageState extends PageState {
  panel?: Omit<PanelState, 'contract' | 'work' | 'files' | 'run'>;
  contract?: ShownContract;
  contractProblem?: { message: string; nextStep?: ShownNextStep };
  work?: WorkInProgress;
  replaced?: Replacement;
  run: RunStatus;
  /** `performance.now()` when the run began. */
  runBegan: number;
  /** From the click on Run until the host reports the run's state. */
  starting: boolean;
  resultTab: ResultTab;
  /** The JSON tab shows the response as the service sent it. */
  rawJson: boolean;
  /** Width of the form in percent of the page's, where the result is beside it. */
  split: number;
  problems: readonly Problem[];
  /** The rules of the model's schemas that only the service checks. */
  notes: readonly string[];
  /** Every problem shows: Run was pressed while there were problems. */
  showAll: boolean;
  dragging: boolean;
  /** The run whose folded result the user has opened. */
  unfolded?: string;
}

/** The width that was chosen before the page was hidden. */
function splitOf(left: unknown): number {
  const split = isObject(left) ? left.split : undefined;
  return typeof split === 'number' && split >= LEAST_SPLIT && split <= 100 - LEAST_SPLIT ? split : 50;
}

/** Percent of the page that the form and the result keep. */
export const LEAST_SPLIT = 25;

export function initialState(): RunPageState {
  return {
    run: { state: 'idle' },
    runBegan: 0,
    starting: false,
    resultTab: 'preview',
    rawJson: false,
    split: splitOf(pageState.get()),
    problems: [],
    notes: [],
    showAll: false,
    dragging: false,
  };
}
