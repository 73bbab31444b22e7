import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExplorerArgs } from '../../contributions';
import type { Environment } from '../../domain/environment';
import { type InputPart, placeIn } from '../../forms/inputPlaces';
import { contentTypeOf } from '../../intake/contentType';
import { decodedText } from '../../intake/text';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { activeFile } from '../../platform/fileIntake/openTabs';
import { withGrantedFiles } from '../../platform/grantedFiles';
import { filenameOf, nearestUri } from '../../platform/localFile';
import { chooseFittingModel } from '../../platform/pickers/fittingModels';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { fileFacts } from '../../vscode/fileFacts';

/** Bytes of a text that a form's field bears. */
const LARGEST_TEXT = 2 ** 20;

/** Run with Model…: asks for one of the models that take it, and opens a panel with the file in it. */
export async function runWithFile(services: Services, args: ExplorerArgs): Promise<void> {
  const chosen = chosenUris(args)[0] ?? activeFile();
  if (!chosen) throw new Error(l10n.t('Choose a file in the Explorer first, or open one.'));
  const [allowed] = await allowedDrops([chosen.toString()]);
  if (!allowed) return;
  const environment = await services.connection.connected();
  const file = await nearestUri(allowed);
  const name = filenameOf(file);
  await runWith(services, environment, [fileInput(file), ...(await textInput(file))], {
    title: l10n.t('Run {0} with which model?', name),
    none: l10n.t('No model in the catalog takes files of this type ({0}).', contentTypeOf(name)),
  });
}

/** The text of a file that is one, for models without a field for files. */
async function textInput(file: vscode.Uri): Promise<readonly InputPart[]> {
  const { isFolder = true, sizeBytes = 0 } = (await fileFacts(file)) ?? {};
  if (isFolder || sizeBytes > LARGEST_TEXT) return [];
  const text = decodedText(await vscode.workspace.fs.readFile(file));
  return typeof text === 'string' ? [{ kind: 'text', text }] : [];
}

/** A file as a part of an input. */
export function fileInput(file: vscode.Uri, contentType = contentTypeOf(filenameOf(file))): InputPart {
  return { kind: 'file', media: { media_ref: file.toString(), filename: filenameOf(file) }, contentType };
}

/** Asks for one of the models that take a part of an input, in the order of trying, and opens a panel with it. */
export async function runWith(
  { catalog }: Services,
  environment: Environment,
  parts: readonly InputPart[],
  question: { readonly title: string; readonly none: string },
): Promise<void> {
  const models = catalog.of(environment);
  const model = await chooseFittingModel(models, {
    ...question,
    mayFit: () => true,
    fits: (contract) => placeIn(contract, parts) !== undefined,
  });
  const place = model && placeIn(await models.contract(model.slug), parts);
  if (!place) return;
  const run = { environment: environment.name, model: model.slug, ...place };
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.media.media_ref] : []));
  await executeCommand('modelBench.runModel', withGrantedFiles(run, files));
}
