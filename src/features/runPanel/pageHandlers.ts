import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { openFile } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { copyText } from '../../platform/longTexts';
import { openText } from '../../platform/textEditor';
import type { Handlers } from '../../protocol/channel';
import type { RunHostMethods } from '../../protocol/run';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import type { Attachments } from './attachments';
import type { PanelRun } from './panelRun';
import { useAsInput } from './useAsInput';

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

/** The page's requests about the response it shows. */
export function responseHandlers(
  run: PanelRun,
  services: Services,
  folder: vscode.Uri,
  environment: () => Environment,
): Some<'readBody' | 'openResponse' | 'saveResponse' | 'copyResponse' | 'useAsInput' | 'openText'> {
  return {
    readBody: ({ from, to }) => ({ text: run.runResult.body.slice(from, to) }),
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
