import type * as vscode from 'vscode';
import type { Environment } from '../../../domain/environment';
import type { Json } from '../../../domain/json';
import type { ModelContract } from '../../../domain/model';
import type { Handlers } from '../../../protocol/channel';
import type { RunHostMethods } from '../../../protocol/run';
import type { Services } from '../../../services';

/** The parts of a panel from which its experiment is made. */
export interface PanelExperiment {
  readonly services: Services;
  environment(): Environment;
  contract(): Promise<ModelContract>;
  /** The run file that the panel was opened from. */
  readonly runFile: vscode.Uri | undefined;
  /** The result that the panel shows, if it is JSON. */
  result(): Json | undefined;
  /** URI of the experiment that the panel has written: it is changed, so that only its new runs are paid. */
  written(): string | undefined;
  keepWritten(uri: string): void;
}

type ExperimentMethods = 'addModels' | 'chooseInputs' | 'measureExperiment' | 'runExperiment';

/** The page's requests to its host for setting up an experiment. */
export function experimentHandlers(
  panel: PanelExperiment,
): Pick<Handlers<RunHostMethods>, ExperimentMethods> {
  return {
    addModels: async (run) => (await import('./addModels')).addModels(panel, run),
    chooseInputs: async ({ kind, mode, pointer }) => {
      if (kind === 'rows') return (await import('./chooseRows')).chooseRows(panel, mode);
      return (await import('./chooseFiles')).chooseFiles(panel, mode, pointer);
    },
    measureExperiment: async (run) => (await import('./measure')).measure(panel, run),
    runExperiment: async (run) => (await import('./write')).runExperiment(panel, run),
  };
}
