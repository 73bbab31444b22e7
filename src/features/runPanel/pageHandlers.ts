import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import type { InputPart } from '../../forms/inputPlaces';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { openFile } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { copyText, isLong } from '../../platform/longTexts';
import { fetchRemoteMedia, writeInlineMedia } from '../../platform/resultMedia';
import type { RunResult } from '../../platform/runResult';
import { openText } from '../../platform/textEditor';
import type { Handlers } from '../../protocol/channel';
import type { RunHostMethods } from '../../protocol/run';
import type { ResultMedia } from '../../results/resultView';
import { shortJson } from '../../results/tree';
import { type UsablePart, usableParts } from '../../results/usableParts';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import type { Attachments } from './attachments';
import type { PanelRun } from './panelRun';
import { fileInput, runWith } from './runWithFile';

type Some<Name extends keyof RunHostMethods> = Pick<Handlers<RunHostMethods>, Name>;

type FileMethods =
  | ('pickFiles' | 'attachUris' | 'attachOpenFile' | 'fileBytes' | 'openFile')
  | ('beginUpload' | 'uploadChunk' | 'endUpload');

/** The page's requests about the files of its panel. */
export function fileHandlers(attachments: Attachments, webview: vscode.Webview): Some<FileMethods> {
  return {
    pickFiles: async ({ accept, endings, many }) =>
      attachments.attach(await pickFiles({ openLabel: l10n.t('Use'), many, kind: accept, endings }), webview),
    attachUris: async ({ uris }) =>
      attachments.attach(await allowedDrops(uris, (uri) => attachments.isGranted(uri)), webview),
    attachOpenFile: ({ accept }) => attachments.attach([openFile(accept)], webview),
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

/** Enough to read; more would only make the page slow, and the editor shows the whole. */
const SHOWN_CHARS = 200_000;

/** The page's requests about the response it shows. */
export function responseHandlers(
  run: PanelRun,
  services: Services,
  folder: vscode.Uri,
  environment: () => Environment,
): Some<'readBody' | 'openResponse' | 'saveResponse' | 'copyResponse' | 'useAsInput' | 'openText'> {
  return {
    readBody: () => ({ text: run.runResult.body.slice(0, SHOWN_CHARS) }),
    openText: async ({ text, language }) => {
      const known = await vscode.languages.getLanguages();
      await openBeside(text, known.includes(language) ? language : 'plaintext');
    },
    openResponse: async ({ part }) => {
      const result = run.runResult;
      if (result.kind === 'binary') await openPath(await result.file(folder));
      else await openBeside(result.readable(part), result.kind === 'json' ? 'json' : 'plaintext');
    },
    saveResponse: () => run.runResult.saveCopy(),
    copyResponse: async ({ part }) => copyText(run.runResult.readable(part)),
    useAsInput: () => useAsInput(services, run.runResult, folder, environment()),
  };
}

async function openBeside(text: string, language: string): Promise<void> {
  await openText(text, language, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

async function openPath(uri: vscode.Uri): Promise<void> {
  await executeBuiltIn('vscode.open', uri, { viewColumn: vscode.ViewColumn.Beside });
}

interface PartItem extends vscode.QuickPickItem {
  /** In the order of trying: a list of labels is a text too. */
  readonly inputs: () => Promise<readonly InputPart[]>;
}

/** Opens a panel of another model that begins with this response, or a part of it. */
async function useAsInput(
  services: Services,
  result: RunResult,
  folder: vscode.Uri,
  environment: Environment,
): Promise<void> {
  const chosen = await choosePart(resultParts(result, folder));
  if (!chosen) return;
  await runWith(services, environment, await chosen.inputs(), {
    title: l10n.t('Which model should use this result as its input?'),
    none: l10n.t('No model in the catalog takes this as its input.'),
  });
}

async function choosePart(parts: readonly PartItem[]): Promise<PartItem | undefined> {
  if (parts.length < 2) return parts[0];
  return showQuickPick(parts, { title: l10n.t('Use as Input: Which Part of the Result?') });
}

function resultParts(result: RunResult, folder: vscode.Uri): PartItem[] {
  if (result.kind === 'binary')
    return [{ label: result.filename, inputs: async () => [fileInput(await result.file(folder))] }];
  const parts = usableParts(result.source.view).map((part) => partItem(part, result, folder));
  const { output } = result;
  if (parts.length === 1) return parts;
  const whole: PartItem = {
    label: l10n.t('Full result (JSON)'),
    description: shortJson(output, 80),
    inputs: async () => [{ kind: 'text', text: inputText(result.readable('output')) }],
  };
  return [...parts, whole];
}

function partItem(part: UsablePart, result: RunResult, folder: vscode.Uri): PartItem {
  switch (part.kind) {
    case 'text': {
      const value = result.source.valueAt(part.pointer);
      // The pieces of a text are shown as one.
      const text = Array.isArray(value) ? value.join('') : String(value);
      return {
        label: l10n.t('Text'),
        description: text.slice(0, 80),
        inputs: async () => [{ kind: 'text', text: inputText(text) }],
      };
    }
    case 'labels':
      return {
        label: l10n.t('Labels'),
        description: part.labels.slice(0, 5).join(', '),
        inputs: async () => [
          { kind: 'strings', strings: part.labels },
          { kind: 'text', text: part.labels.join(', ') },
        ],
      };
    case 'media':
      return {
        label: mediaLabel(part.media),
        description: part.media.name ?? part.media.pointer,
        inputs: async () => [await mediaInput(part.media, result, folder)],
      };
  }
}

/** @throws for a text that would hold up the window, as a form's field would */
function inputText(text: string): string {
  if (isLong(text))
    throw new Error(l10n.t('This result is too long for a form. Save it as a file, and use that.'));
  return text;
}

function mediaLabel({ medium }: ResultMedia): string {
  switch (medium) {
    case 'image':
      return l10n.t('Image');
    case 'audio':
      return l10n.t('Audio');
    case 'video':
      return l10n.t('Video');
    case 'file':
      return l10n.t('File');
  }
}

async function mediaInput(media: ResultMedia, result: RunResult, folder: vscode.Uri): Promise<InputPart> {
  const name = `result-${result.record.id.slice(0, 8)}${media.pointer.replaceAll(/[^\w]+/g, '-')}`;
  const { path, contentType } =
    media.from === 'remote'
      ? await fetchRemoteMedia(
          media.address ?? '',
          name,
          folder.fsPath,
          result.record.baseUrl,
          AbortSignal.timeout(60_000),
        )
      : await writeInlineMedia(
          result.source.valueAt(media.pointer),
          name,
          folder.fsPath,
          media.contentType ?? result.contentType,
        );
  return fileInput(vscode.Uri.file(path), contentType);
}
