import * as vscode from 'vscode';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import type { Handlers } from '../../protocol/channel';
import type { RunHostMethods } from '../../protocol/run';
import type { Services } from '../../services';
import type { Attachments } from './attachments';
import { openBeside, openPath, saveResponse, useAsInput, visibleFile } from './editorActions';
import type { PanelRun } from './panelRun';

type Some<Name extends keyof RunHostMethods> = Pick<Handlers<RunHostMethods>, Name>;

/** What the page asks about the files of its panel. */
export function fileHandlers(
  attachments: Attachments,
  webview: vscode.Webview,
): Some<
  | 'pickFiles'
  | 'attachUris'
  | 'attachOpenFile'
  | 'beginUpload'
  | 'uploadChunk'
  | 'endUpload'
  | 'fileBytes'
  | 'openFile'
> {
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
