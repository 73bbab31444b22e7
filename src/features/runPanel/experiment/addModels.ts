import * as l10n from '@vscode/l10n';
import { type AddedModel, firstRun } from '../../../domain/experimentSetup';
import { misfitText } from '../../../experiments/setup/misfit';
import { chooseFittingModels } from '../../../platform/pickers/fittingModels';
import type { SetUpRun } from '../../../protocol/run';
import { showWarningMessage } from '../../../vscode/messages/notifications';
import { messageOf } from '../../../wording/errors';
import type { PanelExperiment } from './handlers';

/** Asks for other models that accept the panel's input. Empty: cancelled. */
export async function addModels(
  { services, environment, contract }: PanelExperiment,
  { draft, experiment }: SetUpRun,
): Promise<AddedModel[]> {
  const catalog = services.catalog.of(environment());
  const own = await contract();
  const first = firstRun(draft, experiment);
  const models = new Set([own.slug, draft.model, ...experiment.models.map(({ slug }) => slug)]);
  const chosen = await chooseFittingModels(catalog, {
    title: l10n.t('Add a Model to the Experiment'),
    none: l10n.t('There is no other model in the catalog.'),
    mayFit: ({ slug }) => !models.has(slug),
    fits: (other) => misfitText(other, own, first) ?? true,
  });
  const added: AddedModel[] = [];
  const faults: unknown[] = [];
  for (const { slug } of chosen)
    try {
      // One that was typed, or not looked at.
      const other = await catalog.contract(slug);
      const why = misfitText(other, own, first);
      if (why !== undefined) throw new Error(l10n.t('{0} does not accept this input. {1}', other.name, why));
      added.push({ slug: other.slug, name: other.name });
    } catch (fault) {
      faults.push(fault);
    }
  if (added.length === 0 && faults.length > 0) throw faults[0];
  for (const fault of faults) void showWarningMessage(messageOf(fault));
  return added;
}
