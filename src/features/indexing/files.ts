import { realpath } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addAll } from '../../domain/many';
import { isAccepted } from '../../domain/media';
import type { FilePlace } from '../../indexing/folderFiles';
import type { IndexFile } from '../../indexing/indexFile';
import type { PayloadShape } from '../../indexing/payload';
import { readingProblem, type UnreadableFile } from '../../indexing/plan';
import { isOfOtherKind } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { pathId, placedId } from '../../intake/imageIds';
import { isHidden } from '../../intake/inputFiles';
import { skippedText } from '../../intake/walk';
import { bytesOf, filenameOf } from '../../platform/localFile';
import { type FileFacts, fileFacts } from '../../vscode/fileFacts';
import { readSetting } from '../../vscode/settings';

export interface FilesToIndex {
  readonly files: readonly IndexFile[];
  readonly unreadable: readonly UnreadableFile[];
  /** Files and folders that .gitignore or `files.exclude` exclude. */
  readonly excluded: number;
  /** Files in the chosen folders of other types than the model takes. */
  readonly otherType: number;
  /** URIs of chosen files that no longer exist. */
  readonly missing: readonly string[];
  /** Chosen links that lead elsewhere: the indexed content is not at the place of its name. */
  readonly links: readonly ChosenLink[];
}

interface ChosenLink {
  /** The chosen path, and its real target; native paths. */
  readonly path: string;
  readonly real: string;
}

export interface FindOptions {
  /** Skips files that `files.exclude` and, depending on the setting, .gitignore exclude from folders. */
  readonly exclude: boolean;
  readonly signal: AbortSignal;
}

/** The id that a file's place gives: its path in the workspace; outside, its name and a short hash of its place. */
function imageIdOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? pathId(vscode.workspace.asRelativePath(uri))
    : placedId(filenameOf(uri), uri.toString());
}

/** The files themselves, and those in the folders among them. A file chosen individually is included even where it is ignored. */
export async function findFiles(
  chosen: readonly vscode.Uri[],
  shape: PayloadShape,
  options: FindOptions,
): Promise<FilesToIndex> {
  const { signal } = options;
  const files = new Map<string, IndexFile>();
  const unreadable: UnreadableFile[] = [];
  let excluded = 0;
  let otherType = 0;
  const missing: string[] = [];
  const links: ChosenLink[] = [];
  for (const uri of chosen) {
    try {
      const facts = await fileFacts(uri);
      signal.throwIfAborted();
      if (!facts) {
        missing.push(uri.toString());
        continue;
      }
      const real = await realPlaceOf(uri);
      if (real !== undefined) links.push({ path: uri.fsPath, real });
      if (facts.isFolder) {
        const walked = await (uri.scheme === 'file' ? walkDisk : walkProvider)(uri, shape.accept, options);
        for (const file of walked.files) files.set(file.uri, file);
        addAll(unreadable, walked.unreadable);
        excluded += walked.excluded;
        otherType += walked.otherType;
        continue;
      }
      const file = indexFileOf(uri, facts);
      const { contentType, filename } = file;
      const reason = l10n.t('The model does not accept files of this type ({0}).', contentType);
      if (isOfOtherKind({ contentType, filename }, shape)) unreadable.push({ uri: file.uri, reason });
      else files.set(file.uri, file);
    } catch (error) {
      signal.throwIfAborted();
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files: [...files.values()], unreadable, excluded, otherType, missing, links };
}

function filePlace(uri: vscode.Uri): FilePlace {
  return { uri: uri.toString(), imageId: imageIdOf(uri) };
}

function indexFileOf(uri: vscode.Uri, { sizeBytes, modifiedMs }: Omit<FileFacts, 'isFolder'>): IndexFile {
  const filename = filenameOf(uri);
  return {
    ...filePlace(uri),
    filename,
    contentType: contentTypeOf(filename),
    sizeBytes,
    modifiedMs,
    open: () => bytesOf(uri),
  };
}

function excludedGlobs(uri: vscode.Uri): string[] {
  const settings = vscode.workspace.getConfiguration('files', uri);
  const excluded = Object.entries(settings.get<Record<string, unknown>>('exclude', {}));
  return excluded.flatMap(([glob, on]) => (on === true ? [glob] : []));
}

/**
 * Where a chosen file or folder is, if a link leads there: one of it or, in a workspace, of a folder around it. The
 * workspace itself may well be behind a link, which its user knows.
 */
async function realPlaceOf(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const workspace = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const base = workspace ?? dirname(uri.fsPath);
  const [real, realBase] = await Promise.all([realpath(uri.fsPath), realpath(base)]);
  return real === join(realBase, relative(base, uri.fsPath)) ? undefined : real;
}

type WalkedFiles = Omit<FilesToIndex, 'missing' | 'links'>;

async function walkDisk(
  uri: vscode.Uri,
  accept: readonly string[],
  { exclude, signal }: FindOptions,
): Promise<WalkedFiles> {
  const [{ folderFiles }, { fileBytes }] = await Promise.all([
    import('../../indexing/folderFiles'),
    import('../../service/fileBytes'),
  ]);
  const { files, problems, leftOut, unwanted, skipped } = await folderFiles(uri.fsPath, {
    root: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? uri.fsPath,
    excluded: exclude ? excludedGlobs(uri) : [],
    respectGitignore: exclude && readSetting('indexing.respectGitignore'),
    accept,
    filePlace: (path) => filePlace(vscode.Uri.file(path)),
    open: fileBytes,
    signal,
  });
  return {
    files,
    unreadable: [
      ...problems.map(({ path, error }) => ({ path, reason: readingProblem(error) })),
      ...skipped.map((one) => ({ path: one.path, reason: skippedText(one) })),
    ].map(({ path, reason }) => ({ uri: vscode.Uri.file(path).toString(), reason })),
    excluded: leftOut,
    otherType: unwanted,
  };
}

/** Folders that only VS Code can read (a virtual workspace). VS Code applies `files.exclude` by itself there. */
async function walkProvider(
  folder: vscode.Uri,
  accept: readonly string[],
  { exclude, signal }: FindOptions,
): Promise<WalkedFiles> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const files: IndexFile[] = [];
  const unreadable: UnreadableFile[] = [];
  let otherType = 0;
  for (const uri of await vscode.workspace.findFiles(pattern, exclude ? undefined : null)) {
    signal.throwIfAborted();
    const filename = filenameOf(uri);
    if (posix.relative(folder.path, uri.path).split('/').some(isHidden)) continue;
    if (!isAccepted(contentTypeOf(filename), accept, filename)) {
      otherType += 1;
      continue;
    }
    try {
      const facts = await fileFacts(uri);
      if (facts) files.push(indexFileOf(uri, facts));
    } catch (error) {
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files, unreadable, excluded: 0, otherType };
}
