import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { ModelContract } from '../../domain/model';
import { acceptProblems } from '../../runFiles/acceptedMedia';
import { type MediaFile, mediaFaultText, resolveMedia } from '../../runFiles/mediaFile';
import { mediaPaths } from '../../runFiles/mediaPaths';
import { draftIn, type ReadRunFile, type RunFileProblem } from '../../runFiles/read';

/** Folders that a run file's media may be in: those of the workspace, or its own where it is in none of them. */
export function mediaRoots(uri: vscode.Uri): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInside ? folders.map((folder) => folder.uri.fsPath) : [dirname(uri.fsPath)];
}

/** A local file that a run file names, and its target. */
export interface NamedMedia {
  /** Of the media object in the run file. */
  readonly pointer: string;
  readonly path: string;
  /** Or the reason why there is none, as a sentence. */
  readonly resolved: MediaFile | string;
}

/** The targets of a run file's media paths. Reads only the facts of files inside the workspace. */
export async function namedMedia(uri: vscode.Uri, file: ReadRunFile): Promise<readonly NamedMedia[]> {
  const named = mediaPaths(draftIn(file)).filter(({ fault }) => fault === undefined);
  const roots = mediaRoots(uri);
  return Promise.all(
    named.map(async ({ pointer, path }) => {
      // Elsewhere (a virtual workspace) symbolic links cannot be resolved.
      const media =
        uri.scheme === 'file'
          ? await resolveMedia(path, uri.fsPath, roots)
          : mediaFaultText('notOnDisk', path);
      return { pointer, path, resolved: media };
    }),
  );
}

/** Problems of local files of a run file, by its model's contract where that is known. */
export async function mediaProblems(
  uri: vscode.Uri,
  file: ReadRunFile,
  contract: ModelContract | undefined,
): Promise<RunFileProblem[]> {
  const media = await namedMedia(uri, file);
  const faults = media.flatMap(({ pointer, resolved }) =>
    typeof resolved === 'string'
      ? [
          {
            source: 'media' as const,
            severity: 'error' as const,
            pointer: `${pointer}/media_ref`,
            message: resolved,
          },
        ]
      : [],
  );
  return [...faults, ...acceptProblems(file, contract, media)];
}
