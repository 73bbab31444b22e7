import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { isAccepted } from '../../domain/media';
import type { IndexFile } from '../../indexing/indexFile';
import type { PayloadShape } from '../../indexing/payload';
import { readingProblem, type UnreadableFile } from '../../indexing/plan';
import { isOfOtherKind } from '../../indexing/vectorMode';
import { type FileFacts, fileFacts } from '../../platform/fileFacts';
import { bytesOf, contentTypeOf, filenameOf } from '../../platform/localFile';

export interface FoundFiles {
  readonly files: readonly IndexFile[];
  readonly unreadable: readonly UnreadableFile[];
  /** Files and folders that .gitignore or `files.exclude` exclude. */
  readonly excluded: number;
  /** Chosen files that no longer exist. */
  readonly missing: number;
}

export interface FindOptions {
  /** Skips what `files.exclude` and, depending on the setting, .gitignore exclude from folders. */
  readonly exclude: boolean;
  readonly signal: AbortSignal;
}

/** The id under which a file is indexed: its path in the workspace; outside, its name and a short hash of its place. */
function imageIdOf(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri))
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  const place = createHash('sha256').update(uri.toString()).digest('hex').slice(0, 8);
  return `${filenameOf(uri)}-${place}`;
}

/** The files themselves, and those in the folders among them. A file chosen individually is included even where it is ignored. */
export async function findFiles(
  chosen: readonly vscode.Uri[],
  shape: PayloadShape,
  options: FindOptions,
): Promise<FoundFiles> {
  const { signal } = options;
  const files = new Map<string, IndexFile>();
  const unreadable: UnreadableFile[] = [];
  let excluded = 0;
  let missing = 0;
  for (const uri of chosen) {
    try {
      const facts = await fileFacts(uri);
      signal.throwIfAborted();
      if (!facts) {
        missing++;
        continue;
      }
      if (facts.isFolder) {
        const found = await (uri.scheme === 'file' ? walkDisk : walkProvider)(uri, shape.accept, options);
        for (const file of found.files) files.set(file.imageId, file);
        unreadable.push(...found.unreadable);
        excluded += found.excluded;
        continue;
      }
      const file = indexFileOf(uri, facts);
      const { contentType } = file;
      const reason = vscode.l10n.t('The model does not accept files of this type ({0}).', contentType);
      if (isOfOtherKind(contentType, shape)) unreadable.push({ uri: file.uri, reason });
      else files.set(file.imageId, file);
    } catch (error) {
      signal.throwIfAborted();
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files: [...files.values()], unreadable, excluded, missing };
}

function indexFileOf(uri: vscode.Uri, { sizeBytes, modifiedMs }: Omit<FileFacts, 'isFolder'>): IndexFile {
  const filename = filenameOf(uri);
  return {
    uri: uri.toString(),
    imageId: imageIdOf(uri),
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

async function walkDisk(
  uri: vscode.Uri,
  accept: readonly string[],
  { exclude, signal }: FindOptions,
): Promise<Omit<FoundFiles, 'missing'>> {
  const { walk } = await import('../../indexing/walk');
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? uri.fsPath;
  const { files, problems, leftOut } = await walk(uri.fsPath, {
    root,
    excluded: exclude ? excludedGlobs(uri) : [],
    respectGitignore:
      exclude && vscode.workspace.getConfiguration('modelBench').get('indexing.respectGitignore', true),
    wants: (filename) => isAccepted(contentTypeOf(filename), accept),
    signal,
  });
  return {
    files: files.map(({ path, ...facts }) => indexFileOf(vscode.Uri.file(path), facts)),
    unreadable: problems.map(({ path, error }) => ({
      uri: vscode.Uri.file(path).toString(),
      reason: readingProblem(error),
    })),
    excluded: leftOut,
  };
}

/** Folders that only VS Code can read (a virtual workspace). VS Code hides what `files.exclude` names by itself there. */
async function walkProvider(
  folder: vscode.Uri,
  accept: readonly string[],
  { exclude, signal }: FindOptions,
): Promise<Omit<FoundFiles, 'missing'>> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const files: IndexFile[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const uri of await vscode.workspace.findFiles(pattern, exclude ? undefined : null)) {
    signal.throwIfAborted();
    if (!isAccepted(contentTypeOf(filenameOf(uri)), accept)) continue;
    try {
      const facts = await fileFacts(uri);
      if (facts) files.push(indexFileOf(uri, facts));
    } catch (error) {
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files, unreadable, excluded: 0 };
}
