import * as l10n from '@vscode/l10n';
import type { ScopesRow } from '../../contributions';
import type { Dataset } from '../../domain/dataset';
import { chooseIndexedDataset, lastDataset } from '../../platform/pickers/chooseDataset';
import { chooseScope } from '../../platform/pickers/chooseScope';
import { chooseVectorModel } from '../../platform/pickers/chooseVectorModel';
import type { Services } from '../../services';
import { isConfirmed } from '../../vscode/dialogs';

/** A scope that was filled elsewhere becomes searchable here. */
export async function addScope({ catalog, connection, context, store }: Services): Promise<void> {
  const environment = await connection.connected();
  const { baseUrl } = environment;
  const last = lastDataset(context.globalState, baseUrl);
  const model = await chooseVectorModel(catalog.of(environment), 'search', last?.model);
  if (!model) return;
  const scope = await chooseScope({ title: l10n.t('Search in which scope?') });
  if (scope === undefined) return;
  await (await store()).datasets.add({ baseUrl, model: model.contract.slug, scope });
}

/** Removes the local records of a model's data in a scope, or of a whole scope. */
export async function forgetScope(services: Services, row: ScopesRow | undefined): Promise<void> {
  const store = await services.store();
  const forgotten = await datasetsOf(services, row);
  const [first] = forgotten;
  if (!first) return;
  const { models } = services.catalog.of(services.connection.at(first.baseUrl));
  const model = models?.find(({ slug }) => slug === first.model)?.name ?? first.model;
  const question =
    row?.kind === 'scope'
      ? l10n.t('Forget the scope {0} on this computer?', first.scope)
      : l10n.t('Forget the data of {0} in the scope {1} on this computer?', model, first.scope);
  const detail = l10n.t(
    'The service keeps the data and continues to find it. Only the list of what was indexed from this computer is deleted: if you index the files again, all of them are sent and charged again.',
  );
  if (!(await isConfirmed(question, detail, l10n.t('Forget')))) return;
  for (const dataset of forgotten) await store.datasets.forget(dataset);
  await store.datasets.sweep();
}

async function datasetsOf(services: Services, row: ScopesRow | undefined): Promise<readonly Dataset[]> {
  if (row?.kind === 'scope') {
    const baseUrl = services.connection.active?.baseUrl ?? '';
    return (await services.store()).datasets.summaries(baseUrl).filter(({ scope }) => scope === row.scope);
  }
  const dataset = row ? row.dataset : await chooseIndexedDataset(services);
  return dataset ? [dataset] : [];
}
