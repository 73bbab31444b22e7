import * as l10n from '@vscode/l10n';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { withSlowProgress } from '../../vscode/slowProgress';
import { chooseModel } from './chooseModel';

/** Models are looked at in their cached details; beyond this many the service would be asked too often. */
const MOST_ASKED = 40;

interface FittingQuestion {
  readonly title: string;
  /** Said when there is no model to list. */
  readonly none: string;
  /** By the list alone: others are not looked at. */
  readonly mayFit: (model: ModelSummary) => boolean;
  readonly fits: (contract: ModelContract) => boolean;
}

/** Asks for one of the models with a fitting contract, unless there is only one. Undefined: cancelled, or there is none. */
export async function chooseFittingModel(
  catalog: EnvironmentCatalog,
  question: FittingQuestion,
): Promise<ModelSummary | undefined> {
  const { title, none } = question;
  const fitting = await withSlowProgress(l10n.t('Looking for models that accept this input…'), (signal) =>
    fittingModels(catalog, question, signal),
  );
  if (!fitting) return undefined;
  const fits = (catalog.models ?? []).filter(({ slug }) => fitting.has(slug));
  if (fits.length === 1) return fits[0];
  if (fits.length > 0) {
    return chooseModel(catalog, {
      title,
      fits:
        () =>
        ({ slug }) =>
          fitting.has(slug) ? 'yes' : 'no',
    });
  }
  void showInformationMessage(none);
  return undefined;
}

/** Slugs; undefined when the user cancelled. */
async function fittingModels(
  catalog: EnvironmentCatalog,
  { mayFit, fits }: FittingQuestion,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const models = catalog.models ?? (await catalog.refresh());
  const fitting = new Set<string>();
  let asked = 0;
  for (const model of models) {
    if (signal.aborted) return undefined;
    if (!mayFit(model)) continue;
    const cached = await catalog.cachedContract(model.slug);
    if (!cached && asked++ >= MOST_ASKED) continue;
    const contract = cached ?? (await catalog.contract(model.slug, { signal }).catch(() => undefined));
    if (contract && fits(contract)) fitting.add(model.slug);
  }
  return fitting;
}
