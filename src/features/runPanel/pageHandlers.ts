import * as vscode from 'vscode';
import type { JsonObject } from '../../domain/json';
import { mediaTypeOf } from '../../domain/media';
import { executeBuiltIn, executeCommand } from '../../platform/commands';
import { askSavePlace } from '../../platform/dialogs';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { openFile } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { filenameOf } from '../../platform/localFile';
import { chooseModel } from '../../platform/pickers/chooseModel';
import { openText } from '../../platform/textEditor';
import type { Handlers } from '../../protocol/channel';
import type { RunHostMethods } from '../../protocol/run';
import type { Services } from '../../services';
import type { Attachments } from './attachments';
import type { HeldResponse } from './heldResponse';
import type { PanelRun } from './panelRun';

type Some<Name extends keyof RunHostMethods> = Pick<Handlers<RunHostMethods>, Name>;

type FileMethods =
  | ('pickFiles' | 'attachUris' | 'attachOpenFile' | 'fileBytes' | 'openFile')
  | ('beginUpload' | 'uploadChunk' | 'endUpload');

/** What the page asks about the files of its panel. */
export function fileHandlers(attachments: Attachments, webview: vscode.Webview): Some<FileMethods> {
  return {
    pickFiles: async ({ accept, many }) =>
      attachments.attach(await pickFiles({ openLabel: vscode.l10n.t('Use'), many, kind: accept }), webview),
    attachUris: async ({ uris }) =>
      attachments.attach(await allowedDrops(uris, (uri) => attachments.isGranted(uri)), webview),
    attachOpenFile: ({ accept }) => attachments.attach([visibleFile(accept)], webview),
    beginUpload: ({ filename, sizeBytes }) => attachments.received.begin(filename, sizeBytes),
    uploadChunk: ({ id, bytes }) => attachments.received.chunk(id, bytes),
    endUpload: async ({ id }) => {
      const [file] = await attachments.attach([await attachments.received.end(id)], webview);
      return file!;
    },
    fileBytes: ({ uri }) => attachments.bytes(uri),
    openFile: async ({ uri }) => {
      if (attachments.isGranted(uri)) await openPath(vscode.Uri.parse(uri));
    },
  };
}

/** What the page asks about the response it shows. */
export function responseHandlers(
  run: PanelRun,
  services: Services,
  folder: vscode.Uri,
): Some<'readBody' | 'openResponse' | 'saveResponse' | 'copyResponse' | 'useAsInput'> {
  return {
    readBody: ({ from, to }) => ({ text: run.heldResponse.body.slice(from, to) }),
    openResponse: async ({ part }) => {
      const held = run.heldResponse;
      if (held.kind === 'binary') await openPath(await held.file(folder));
      else await openBeside(held.readable(part), held.kind === 'json' ? 'json' : 'plaintext');
    },
    saveResponse: () => saveResponse(run.heldResponse),
    copyResponse: ({ part }) => copy(run.heldResponse.readable(part)),
    useAsInput: () => useAsInput(services, run.heldResponse, folder),
  };
}

/** Texts and links of the page: to the clipboard, an editor or the browser. */
export const textHandlers: Some<'copyText' | 'openText' | 'openLink'> = {
  copyText: ({ text }) => copy(text),
  openText: async ({ text, language }) => {
    const known = await vscode.languages.getLanguages();
    await openBeside(text, known.includes(language) ? language : 'plaintext');
  },
  openLink: async ({ url }) => {
    if (/^(https?|mailto):/i.test(url)) await vscode.env.openExternal(vscode.Uri.parse(url, true));
  },
};

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
}

/** An open file of the wanted kind. @throws when there is none */
function visibleFile(accept: string | undefined): vscode.Uri {
  const uri = openFile(accept);
  if (uri) return uri;
  throw new Error(
    accept === 'image'
      ? vscode.l10n.t('No image is open in an editor. Open one first, or choose a file.')
      : vscode.l10n.t('No supported file is open in an editor. Open one first, or choose a file.'),
  );
}

function openBeside(text: string, language: string): Promise<void> {
  return openText(text, language, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

async function openPath(uri: vscode.Uri): Promise<void> {
  await executeBuiltIn('vscode.open', uri, { viewColumn: vscode.ViewColumn.Beside });
}

async function saveResponse(held: HeldResponse): Promise<void> {
  const target = await askSavePlace(held.filename, { saveLabel: vscode.l10n.t('Save Result') });
  if (target) await vscode.workspace.fs.writeFile(target, held.bytes);
}

/** Opens a panel of another model that begins with this response: media as an attached file, the rest as text. */
async function useAsInput(services: Services, held: HeldResponse, folder: vscode.Uri): Promise<void> {
  const chosen = await chooseModel(services.catalog, {
    title: vscode.l10n.t('Which model should use this result as its input?'),
  });
  if (!chosen) return;
  const contract = await services.catalog.contract(chosen.slug);
  const mode = contract.modes[0];
  if (!mode) return;
  const properties = propertyNames(mode.input.schema);
  const args = { model: contract.slug, mode: mode.name };
  if (held.kind !== 'binary') {
    const input = inputFrom(held.output, properties);
    return void (await executeCommand('modelBench.runModel', { ...args, input }));
  }
  const file = await held.file(folder);
  const mediaRef = { media_ref: file.toString(), filename: filenameOf(file) };
  const wanted = mediaTypeOf(held.contentType) ?? 'file';
  const name = properties.find((property) => property === wanted) ?? properties[0] ?? wanted;
  const input: JsonObject = { [name]: name.endsWith('s') ? [mediaRef] : mediaRef };
  await executeCommand('modelBench.runModel', { ...args, input, attachments: [file.toString()] });
}

/** An object whose members the model knows goes in member by member; anything else as the first text. */
function inputFrom(output: unknown, properties: readonly string[]): JsonObject {
  if (typeof output === 'object' && output !== null && !Array.isArray(output)) {
    const shared = Object.entries(output).filter(([key]) => properties.includes(key));
    if (shared.length > 0) return Object.fromEntries(shared) as JsonObject;
  }
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  return { [properties.includes('text') ? 'text' : (properties[0] ?? 'text')]: text };
}

function propertyNames(schema: unknown): string[] {
  const properties =
    typeof schema === 'object' && schema !== null && (schema as { properties?: unknown }).properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
