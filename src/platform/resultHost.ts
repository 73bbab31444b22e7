import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLocalRef } from '../domain/media';
import { regionsTurn } from '../intake/orientation';
import type { Handlers } from '../protocol/channel';
import type { ResultHostMethods } from '../protocol/result';
import type { ResultSource } from '../results/resultSource';
import type { Hit, ResultMedia, ResultView, ViewKind } from '../results/resultView';
import { executeBuiltIn, executeCommand } from '../vscode/commands';
import { askSavePlace } from '../vscode/dialogs';
import { isPicture } from './hitFiles';
import { readableText } from './jsonText';
import { copyText } from './longTexts';
import { addressFor } from './openPage';
import { fetchRemoteMedia, type SavedMedia, writeInlineMedia } from './resultMedia';
import { openText } from './textEditor';

/** The host's side of a result on a page: it answers the page's questions, and the page itself has a `ResultView`. */
export interface PageResult {
  /** In the views of its model. */
  source(): ResultSource;
  /** Shows a place of the model's results in another view, from now on. */
  chooseView(pointer: string, kind: ViewKind): Promise<void>;
  /** Where the response came from. */
  readonly baseUrl: string;
  /** MIME type of the whole response. */
  readonly contentType: string;
  /** URIs of the run's attachments, in order. */
  readonly attachments: readonly string[];
  /** The user's file of an id that a search hit names. */
  fileOf(id: string): Promise<vscode.Uri | undefined>;
}

export interface ResultHostPorts {
  readonly webview: vscode.Webview;
  /** Where media files are put; the page must be allowed to load from it. */
  readonly folder: vscode.Uri;
  /** The result of that name, if the page may still ask about it. */
  find(result: string): PageResult | undefined;
}

/** The handlers of `protocol/result`, to be spread into a page's own. */
export function resultHandlers({ webview, folder, find }: ResultHostPorts): Handlers<ResultHostMethods> {
  const files = new Map<string, Promise<SavedMedia>>();
  const known = (result: string): PageResult => {
    const shown = find(result);
    if (!shown) throw new Error(l10n.t('This result is no longer open. Open it again from the history.'));
    return shown;
  };
  const mediaFile = (result: string, pointer: string, signal: AbortSignal): Promise<SavedMedia> => {
    const digest = createHash('sha256')
      .update(JSON.stringify([result, pointer]))
      .digest('hex');
    const key = digest.slice(0, 32);
    const file = files.get(key) ?? loadMedia(known(result), pointer, key, folder, signal);
    files.set(key, file);
    file.catch(() => files.delete(key));
    return file;
  };
  return {
    resultView: async ({ result }) => {
      const shown = find(result);
      return shown ? withFiles(shown, webview) : null;
    },
    resultChildren: ({ result, pointer, from, count }) =>
      known(result).source().children(pointer, from, count),
    resultSearch: ({ result, text }) => known(result).source().search(text),
    resultRows: ({ result, pointer, sort, from, count }) =>
      known(result).source().rows(pointer, sort, from, count),
    resultMedia: async ({ result, pointer }, signal) => {
      const { path, contentType } = await mediaFile(result, pointer, signal);
      return { src: webview.asWebviewUri(vscode.Uri.file(path)).toString(), contentType };
    },
    resultSaveMedia: async ({ result, pointer }, signal) =>
      saveCopy(await mediaFile(result, pointer, signal)),
    resultOpenHit: async ({ file }) => {
      // Only files: `vscode.open` also follows `command:` addresses.
      if (isLocalRef(file)) await executeBuiltIn('vscode.open', vscode.Uri.parse(file, true));
    },
    copyText: ({ text }) => copyText(text),
    resultCopyValue: async ({ result, pointer }) =>
      copyText(readableText(known(result).source().valueAt(pointer))),
    resultUseAs: async (target) => void (await executeCommand('modelBench.useValueAs', target)),
    resultChooseView: ({ result, pointer, kind }) => known(result).chooseView(pointer, kind),
    resultOpenValue: async ({ result, pointer }) => {
      const value = known(result).source().valueAt(pointer);
      const language = typeof value === 'string' ? 'plaintext' : 'json';
      const place = { viewColumn: vscode.ViewColumn.Beside, preview: false };
      await openText(readableText(value), language, place);
    },
  };
}

/** Hits lead to the user's own files; boxes and masks are drawn over the picture that went in. */
async function withFiles(shown: PageResult, webview: vscode.Webview): Promise<ResultView> {
  const { view } = shown.source();
  const sections = view.sections.map(async (section) => {
    const { part } = section;
    if (part.kind === 'hits') {
      const hits = await Promise.all(part.hits.map((hit) => withFile(hit, shown, webview)));
      return { ...section, part: { ...part, hits } };
    }
    if ((part.kind === 'boxes' || part.kind === 'masks') && part.over) {
      const uri = shown.attachments[part.over.attachment];
      if (uri === undefined) return section;
      const file = vscode.Uri.parse(uri, true);
      const over = { ...part.over, src: addressFor(webview, file), turn: await turnAt(file) };
      return { ...section, part: { ...part, over } };
    }
    return section;
  });
  return { ...view, sections: await Promise.all(sections) };
}

/** The page loads the whole picture, too. */
async function turnAt(file: vscode.Uri): Promise<number | undefined> {
  const bytes = await vscode.workspace.fs.readFile(file).then(undefined, () => undefined);
  return bytes && regionsTurn(bytes);
}

async function withFile(hit: Hit, shown: PageResult, webview: vscode.Webview): Promise<Hit> {
  const uri = await shown.fileOf(hit.id);
  if (uri === undefined) return hit;
  const file = uri.toString();
  // A tile needs a picture; other files are rows of a list.
  return isPicture(file) ? { ...hit, file, thumbnail: addressFor(webview, uri) } : { ...hit, file };
}

/** Only media that the classifier itself found may be loaded: a page cannot name an address of its own. */
function mediaAt({ source }: PageResult, pointer: string): ResultMedia | undefined {
  for (const { part } of source().view.sections) {
    const all =
      part.kind === 'media' ? part.media : part.kind === 'masks' ? part.masks.map((mask) => mask.media) : [];
    const media = all.find((one) => one.pointer === pointer);
    if (media) return media;
  }
  return undefined;
}

async function loadMedia(
  shown: PageResult,
  pointer: string,
  name: string,
  folder: vscode.Uri,
  signal: AbortSignal,
): Promise<SavedMedia> {
  const media = mediaAt(shown, pointer);
  if (!media || media.from === 'reference') {
    throw new Error(l10n.t('The service provides no way to download this media.'));
  }
  if (media.from === 'remote') {
    return fetchRemoteMedia(media.address ?? '', name, folder.fsPath, shown.baseUrl, signal);
  }
  const type = media.contentType ?? (pointer === '' ? shown.contentType : undefined);
  return writeInlineMedia(shown.source().valueAt(pointer), name, folder.fsPath, type);
}

async function saveCopy({ path }: SavedMedia): Promise<void> {
  const source = vscode.Uri.file(path);
  const name = `result${path.slice(path.lastIndexOf('.'))}`;
  const target = await askSavePlace(name, { saveLabel: l10n.t('Save Media') });
  if (target) await vscode.workspace.fs.copy(source, target, { overwrite: true });
}
