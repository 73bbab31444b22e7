import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { IndexFile } from '../../indexing/indexFile';
import { readingProblem, type UnreadableFile } from '../../indexing/plan';
import { bytesOf, contentTypeOf, filenameOf } from '../../platform/localFile';

export interface FoundFiles {
  readonly files: readonly IndexFile[];
  readonly unreadable: readonly UnreadableFile[];
}

/** The id under which a file is indexed: its path in the workspace; outside, its name and a short hash of its place. */
export function imageIdOf(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri))
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  const place = createHash('sha256').update(uri.toString()).digest('hex').slice(0, 8);
  return `${filenameOf(uri)}-${place}`;
}

/** Whether a MIME type is among those a contract accepts; an empty list accepts everything. */
export function isAccepted(contentType: string, accept: readonly string[]): boolean {
  return (
    accept.length === 0 ||
    accept.some((type) =>
      type.endsWith('/*')
        ? contentType.startsWith(type.slice(0, -1))
        : type === contentType || type === '*/*',
    )
  );
}

/** The files themselves, and those in the folders among them. What was chosen by name is taken even where it is ignored. */
export async function findFiles(
  chosen: readonly vscode.Uri[],
  accept: readonly string[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const files = new Map<string, IndexFile>();
  const unreadable: UnreadableFile[] = [];
  for (const uri of chosen) {
    try {
      const stat = await vscode.workspace.fs.stat(uri);
      if (stat.type & vscode.FileType.Directory) {
        const found = await (uri.scheme === 'file' ? walkDisk : walkProvider)(uri, accept, signal);
        for (const file of found.files) files.set(file.imageId, file);
        unreadable.push(...found.unreadable);
      } else {
        const file = await indexFileOf(uri, stat);
        files.set(file.imageId, file);
      }
    } catch (error) {
      signal.throwIfAborted();
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files: [...files.values()], unreadable };
}

/** One file. Modification times are rounded to milliseconds everywhere, as VS Code's own stat does it. */
export async function indexFileOf(uri: vscode.Uri, stat?: vscode.FileStat): Promise<IndexFile> {
  const { size, mtime } = stat ?? (await vscode.workspace.fs.stat(uri));
  return indexFile(uri, size, mtime);
}

function indexFile(uri: vscode.Uri, sizeBytes: number, modifiedMs: number): IndexFile {
  const filename = filenameOf(uri);
  return {
    uri: uri.toString(),
    imageId: imageIdOf(uri),
    filename,
    contentType: contentTypeOf(filename),
    sizeBytes,
    modifiedMs: Math.round(modifiedMs),
    open: () => bytesOf(uri),
  };
}

function excludedGlobs(uri: vscode.Uri): string[] {
  const excluded = vscode.workspace
    .getConfiguration('files', uri)
    .get<Record<string, unknown>>('exclude', {});
  return Object.entries(excluded)
    .filter(([, on]) => on === true)
    .map(([glob]) => glob);
}

async function walkDisk(
  uri: vscode.Uri,
  accept: readonly string[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const { walk } = await import('../../indexing/walk');
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? uri.fsPath;
  const { files, problems } = await walk(uri.fsPath, {
    root,
    excluded: excludedGlobs(uri),
    respectGitignore: vscode.workspace.getConfiguration('modelBench').get('indexing.respectGitignore', true),
    wants: (filename) => isAccepted(contentTypeOf(filename), accept),
    signal,
  });
  return {
    files: files.map(({ path, sizeBytes, modifiedMs }) =>
      indexFile(vscode.Uri.file(path), sizeBytes, modifiedMs),
    ),
    unreadable: problems.map(({ path, error }) => ({
      uri: vscode.Uri.file(path).toString(),
      reason: readingProblem(error),
    })),
  };
}

/** Folders that only VS Code can read (a virtual workspace). VS Code hides what `files.exclude` names by itself there. */
async function walkProvider(
  folder: vscode.Uri,
  accept: readonly string[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const files: IndexFile[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const uri of await vscode.workspace.findFiles(pattern)) {
    signal.throwIfAborted();
    if (!isAccepted(contentTypeOf(filenameOf(uri)), accept)) continue;
    try {
      files.push(await indexFileOf(uri));
    } catch (error) {
      unreadable.push({ uri: uri.toString(), reason: readingProblem(error) });
    }
  }
  return { files, unreadable };
}
