import * as vscode from 'vscode';
import type { JsonObject } from '../../domain/json';
import { mediaTypeOf } from '../../domain/media';
import { executeBuiltIn, executeCommand } from '../../platform/commands';
import { contentTypeOf, filenameOf } from '../../platform/localFile';
import type { Services } from '../../services';
import type { HeldResponse } from './heldResponse';

/** What a run panel does outside its page: pickers, editors, files. */

export async function pickFiles(accept: string | undefined, many: boolean): Promise<vscode.Uri[]> {
  const filters = filtersFor(accept);
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: many,
    openLabel: vscode.l10n.t('Use'),
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    ...(filters && { filters }),
  });
  return chosen ?? [];
}

function filtersFor(accept: string | undefined): Record<string, string[]> | undefined {
  const all = { [vscode.l10n.t('All Files')]: ['*'] };
  switch (accept) {
    case 'image':
      return {
        [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif', 'svg'],
        ...all,
      };
    case 'audio':
      return { [vscode.l10n.t('Audio')]: ['mp3', 'wav', 'flac', 'ogg', 'oga', 'm4a', 'aac', 'opus'], ...all };
    case 'video':
      return { [vscode.l10n.t('Video')]: ['mp4', 'webm', 'mov', 'mkv', 'avi', 'm4v'], ...all };
    default:
      return undefined;
  }
}

/** The file in an editor that is open beside the panel; an image where one is wanted. */
export function visibleFile(accept: string | undefined): vscode.Uri {
  const fits = (uri: vscode.Uri) =>
    accept === undefined || accept === 'file' || mediaTypeOf(contentTypeOf(filenameOf(uri))) === accept;
  const groups = vscode.window.tabGroups.all;
  const tabs = [
    ...groups.flatMap((group) => (group.activeTab ? [group.activeTab] : [])),
    ...groups.flatMap((group) => group.tabs),
  ];
  for (const { input } of tabs) {
    const uri =
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
    if (uri && fits(uri)) return uri;
  }
  throw new Error(
    accept === 'image'
      ? vscode.l10n.t('No image is open in an editor. Open one first, or choose a file.')
      : vscode.l10n.t('No fitting file is open in an editor. Open one first, or choose a file.'),
  );
}

export async function openText(text: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const document = await vscode.workspace.openTextDocument({
    content: text,
    language: known.includes(language) ? language : 'plaintext',
  });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

export async function openPath(uri: vscode.Uri): Promise<void> {
  await executeBuiltIn('vscode.open', uri, { viewColumn: vscode.ViewColumn.Beside });
}

export async function saveResponse(held: HeldResponse): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder ? vscode.Uri.joinPath(folder, held.filename) : vscode.Uri.file(`/${held.filename}`),
    saveLabel: vscode.l10n.t('Save Result'),
  });
  if (target) await vscode.workspace.fs.writeFile(target, held.bytes);
}

/** Opens a panel of another model that begins with this response: media as an attached file, the rest as text. */
export async function useAsInput(services: Services, held: HeldResponse, folder: vscode.Uri): Promise<void> {
  const models = services.catalog.models ?? (await services.catalog.refresh());
  const chosen = await vscode.window.showQuickPick(
    models.map((model) => ({ label: model.name, description: model.slug, detail: model.description, model })),
    { placeHolder: vscode.l10n.t('Which model should take this result as its input?'), matchOnDetail: true },
  );
  if (!chosen) return;
  const contract = await services.catalog.contract(chosen.model.slug);
  const mode = contract.modes[0];
  if (!mode) return;
  const properties = propertyNames(mode.input.schema);
  if (held.kind === 'binary') {
    const file = await held.file(folder);
    const mediaRef = { media_ref: file.toString(), filename: filenameOf(file) };
    const wanted = mediaTypeOf(held.contentType) ?? 'file';
    const name = properties.find((property) => property === wanted) ?? properties[0] ?? wanted;
    const input: JsonObject = name.endsWith('s') ? { [name]: [mediaRef] } : { [name]: mediaRef };
    await executeCommand('modelBench.runModel', {
      model: contract.slug,
      mode: mode.name,
      input,
      attachments: [file.toString()],
    });
    return;
  }
  const { output } = held;
  await executeCommand('modelBench.runModel', {
    model: contract.slug,
    mode: mode.name,
    input: inputFrom(output, properties),
  });
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
