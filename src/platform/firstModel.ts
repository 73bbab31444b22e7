import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../connection/environmentCatalog';
import { loggedError } from '../domain/loggedError';
import { logLine } from '../domain/logLine';
import type { ModelContract, ModelSummary } from '../domain/model';
import { mostInviting } from '../forms/invitingModel';
import { executeCommand } from '../vscode/commands';
import type { Log } from '../vscode/log';
import { makePrivateFolder, writePrivateFile } from '../vscode/privateFiles';
import { readSetting } from '../vscode/settings';
import { withGrantedFiles } from './grantedFiles';

/** Kept on this machine once a model was opened. */
const OPENED = 'modelBench.firstModelOpened';

/** Details that are requested at most. */
const MOST_READ = 8;

interface Ports {
  readonly context: vscode.ExtensionContext;
  readonly catalog: EnvironmentCatalog;
  readonly log: Log;
}

/**
 * After the first connection of a machine: opens the most inviting model, ready to run, with a photograph that comes
 * with the extension where the model takes an image. Sends only requests for details.
 */
export async function openFirstModel({ context, catalog, log }: Ports): Promise<void> {
  if (!readSetting('openModelAfterConnecting') || context.globalState.get(OPENED) === true) return;
  await context.globalState.update(OPENED, true);
  try {
    const photo = await keptPhoto(context);
    const model = mostInviting(await candidates(catalog), {
      media_ref: photo.toString(),
      filename: 'flower.jpg',
    });
    if (!model || catalog.environment === undefined) return;
    const { contract, mode, input, params, hasImage } = model;
    const args = { environment: catalog.environment.name, model: contract.slug, mode, input, params };
    const shown = { ...args, preview: true, preserveFocus: true };
    await executeCommand(
      'modelBench.runModel',
      hasImage ? withGrantedFiles(shown, [photo.toString()]) : shown,
    );
  } catch (error) {
    // Connecting has worked: a model that could not be opened can be chosen in the catalog.
    log.warn(logLine`No model was opened after connecting: ${loggedError(error)}`);
  }
}

/** A copy in the storage, since the extension's own folder goes with its next version. */
async function keptPhoto({ extensionUri, globalStorageUri }: vscode.ExtensionContext): Promise<vscode.Uri> {
  const photo = vscode.Uri.joinPath(extensionUri, 'media', 'samples', 'flower.jpg');
  const copy = vscode.Uri.joinPath(globalStorageUri, 'attachments', 'flower.jpg');
  await makePrivateFolder(dirname(copy.fsPath));
  await writePrivateFile(copy.fsPath, await vscode.workspace.fs.readFile(photo));
  return copy;
}

async function candidates(catalog: EnvironmentCatalog): Promise<ModelContract[]> {
  const models = catalog.models ?? (await catalog.refresh());
  const likely = [...models]
    .filter(isForPeople)
    .sort((a, b) => Number(isOfImages(b)) - Number(isOfImages(a)));
  const read = await Promise.allSettled(likely.slice(0, MOST_READ).map(({ slug }) => catalog.contract(slug)));
  return read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** More than an index: it gives a result that one can look at. */
function isForPeople({ modeNames }: ModelSummary): boolean {
  return modeNames.length === 0 || modeNames.some((name) => name !== 'index' && name !== 'search');
}

function isOfImages({ name, description = '', group = '', tags }: ModelSummary): boolean {
  return /\b(image|photo|picture|vision)/i.test([name, description, group, ...tags].join(' '));
}
