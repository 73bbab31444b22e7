import * as l10n from '@vscode/l10n';
import { type AddedModel, firstRun } from '../../../domain/experimentSetup';
import { misfitText } from '../../../experiments/setup/misfit';
import { chooseFittingModel } from '../../../platform/pickers/fittingModels';
import type { SetUpRun } from '../../../protocol/run';
import type { PanelExperiment } from './handlers';

/** Asks for another model that accepts the panel's input. Undefined: cancelled. */
export async function addModel(
  { services, environment, contract }: PanelExperiment,
  { draft, experiment }: SetUpRun,
): Promise<AddedModel | undefined> {
  const catalog = services.catalog.of(environment());
  const own = await contract();
  const first = firstRun(draft, experiment);
  const models = new Set([own.slug, draft.model, ...experiment.models.map(({ slug }) => slug)]);
  const chosen = await chooseFittingModel(catalog, {
    title: l10n.t('Add a Model to the Experiment'),
    none: l10n.t('There is no other model in the catalog.'),
    mayFit: ({ slug }) => !models.has(slug),
    fits: (other) => misfitText(other, own, first) ?? true,
  });
  if (!chosen) return undefined;
  // One that was typed, or not looked at.
  const other = await catalog.contract(chosen.slug);
  const why = misfitText(other, own, first);
  if (why !== undefined) throw new Error(l10n.t('{0} does not accept this input. {1}', other.name, why));
  return { slug: other.slug, name: other.name };
}
