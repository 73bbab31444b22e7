import * as l10n from '@vscode/l10n';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { withSlowProgress } from '../../vscode/slowProgress';
import { chooseModels } from './chooseModel';

/** Models are looked at in their cached details; beyond this many the service would be asked too often. */
const MOST_ASKED = 40;

interface FittingQuestion {
  readonly title: string;
  /** Said when there is no model to list. */
  readonly none: string;
  /** By the list alone: others are not looked at. */
  readonly mayFit: (model: ModelSummary) => boolean;
  /** A text says why the model does not fit: it is listed with it, and cannot be chosen. */
  readonly fits: (contract: ModelContract) => boolean | string;
}

/** Asks for one of the models with a fitting contract. Undefined: cancelled, or there is none. */
export async function chooseFittingModel(
  catalog: EnvironmentCatalog,
  question: FittingQuestion,
): Promise<ModelSummary | undefined> {
  return (await chooseFittingModels(catalog, question, false))[0];
}

/** Asks for models with a fitting contract. Empty: cancelled, or there is none. */
export async function chooseFittingModels(
  catalog: EnvironmentCatalog,
  question: FittingQuestion,
  many = true,
): Promise<readonly ModelSummary[]> {
  const { title, none } = question;
  const fitting = await withSlowProgress(l10n.t('Looking for models that accept this input…'), (signal) =>
    fittingModels(catalog, question, signal),
  );
  if (!fitting) return [];
  if (fitting.size === 0) {
    void showInformationMessage(none);
    return [];
  }
  const misfit = (slug: string) => {
    const fit = fitting.get(slug);
    return fit === true ? undefined : fit;
  };
  for (;;) {
    const fits = () => (model: ModelSummary) => (fitting.get(model.slug) === true ? 'yes' : 'no');
    const chosen = await chooseModels(catalog, { title, fits, misfit }, many);
    for (const { slug, name } of chosen) {
      const why = misfit(slug);
      if (why !== undefined) void showWarningMessage(l10n.t('{0} was not chosen. {1}', name, why));
    }
    const accepted = chosen.filter(({ slug }) => misfit(slug) === undefined);
    if (accepted.length > 0 || chosen.length === 0) return accepted;
  }
}

/** By slug; undefined when the user cancelled. */
async function fittingModels(
  catalog: EnvironmentCatalog,
  { mayFit, fits }: FittingQuestion,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, true | string> | undefined> {
  const models = catalog.models ?? (await catalog.refresh());
  const fitting = new Map<string, true | string>();
  let asked = 0;
  for (const model of models) {
    if (signal.aborted) return undefined;
    if (!mayFit(model)) continue;
    const cached = await catalog.cachedContract(model.slug);
    if (!cached && asked++ >= MOST_ASKED) continue;
    const contract = cached ?? (await catalog.contract(model.slug, { signal }).catch(() => undefined));
    const fit = contract !== undefined && fits(contract);
    if (fit !== false) fitting.set(model.slug, fit);
  }
  return fitting;
}
