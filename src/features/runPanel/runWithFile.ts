import * as l10n from '@vscode/l10n';
import type { ExplorerArgs } from '../../contributions';
import { type InputPart, placeIn } from '../../forms/inputPlaces';
import { contentTypeOf } from '../../intake/contentType';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { activeFile } from '../../platform/fileIntake/openTabs';
import { withGrantedFiles } from '../../platform/grantedFiles';
import { filenameOf, nearestUri } from '../../platform/localFile';
import { chooseFittingModel } from '../../platform/pickers/fittingModels';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';

/** Run This File with Model…: asks for one of the models that take it, and opens a panel with the file in it. */
export async function runWithFile({ connection, catalog }: Services, args: ExplorerArgs): Promise<void> {
  const chosen = chosenUris(args)[0] ?? activeFile();
  if (!chosen) throw new Error(l10n.t('Choose a file in the Explorer first, or open one.'));
  const [allowed] = await allowedDrops([chosen.toString()]);
  if (!allowed) return;
  const environment = await connection.connected();
  const file = await nearestUri(allowed);
  const name = filenameOf(file);
  const part: InputPart = {
    kind: 'file',
    media: { media_ref: file.toString(), filename: name },
    contentType: contentTypeOf(name),
  };
  const models = catalog.of(environment);
  const model = await chooseFittingModel(models, {
    title: l10n.t('Run {0} with which model?', name),
    none: l10n.t('No model in the catalog takes files of this type ({0}).', contentTypeOf(name)),
    mayFit: () => true,
    fits: (contract) => placeIn(contract, [part]) !== undefined,
  });
  const place = model && placeIn(await models.contract(model.slug), [part]);
  if (!place) return;
  const run = { environment: environment.name, model: model.slug, ...place };
  await executeCommand('modelBench.runModel', withGrantedFiles(run, [file.toString()]));
}
