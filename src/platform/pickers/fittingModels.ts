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
  { title, none, mayFit, fits }: FittingQuestion,
): Promise<ModelSummary | undefined> {
  const models = catalog.models ?? (await catalog.refresh());
  const contracts = await lookingAtContracts(catalog, models.filter(mayFit));
  if (!contracts) return undefined;
  const fitting = models.filter(({ slug }) => {
    const contract = contracts.get(slug);
    return contract !== undefined && fits(contract);
  });
  if (fitting.length === 1) return fitting[0];
  const slugs = new Set(fitting.map(({ slug }) => slug));
  if (fitting.length > 0)
    return chooseModel(catalog, {
      title,
      fits:
        () =>
        ({ slug }) =>
          slugs.has(slug) ? 'yes' : 'no',
    });
  void showInformationMessage(none);
  return undefined;
}

/** The contracts of models by their slugs, from the cache or, of a first part, from the service. Undefined: cancelled. */
export async function lookingAtContracts(
  catalog: EnvironmentCatalog,
  models: readonly ModelSummary[],
): Promise<ReadonlyMap<string, ModelContract> | undefined> {
  return withSlowProgress(l10n.t('Looking for models that accept this input…'), async (signal) => {
    const contracts = new Map<string, ModelContract>();
    let asked = 0;
    const look = async ({ slug }: ModelSummary) => {
      const cached = await catalog.cachedContract(slug);
      if (!cached && asked++ >= MOST_ASKED) return;
      const contract = cached ?? (await catalog.contract(slug, { signal }).catch(() => undefined));
      if (contract) contracts.set(slug, contract);
    };
    await Promise.all(models.map(look));
    return signal.aborted ? undefined : contracts;
  });
}
