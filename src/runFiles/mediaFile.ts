import * as fs from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { checkedType, fileFaultText, headAt } from '../intake/fileCheck';
import { findPath } from '../intake/findPath';
import { isInside } from './paths';

/** Asked for thousands of files at a stretch, where those of node:fs/promises take twice the time. */
const realpath = promisify(fs.realpath.native);
const stat = promisify(fs.stat);

/** Why there is no usable file at a path of a run file. */
type MediaFileFault = PlaceFault | 'notOnDisk' | 'unreadable';

/** A regular file, all symbolic links resolved. */
export interface WorkspaceFile {
  readonly path: string;
  readonly sizeBytes: number;
}

export interface MediaFile extends WorkspaceFile {
  /** By its first bytes, else by its name. */
  readonly contentType: string;
}

/**
 * Resolves a media path of a run file, however its accents are composed. The file must be a regular file inside one of
 * the workspace's folders once all symbolic links are resolved, those of the folders too; its first bytes are checked.
 *
 * @returns the file, or why it cannot be used as a sentence
 * @param runFile absolute path of the run file
 * @param roots absolute paths of the workspace's folders
 */
export async function resolveMedia(
  path: string,
  runFile: string,
  roots: readonly string[],
): Promise<MediaFile | string> {
  const wanted = resolve(dirname(runFile), path);
  // Checked before the disk is asked, so that not even the presence of a file outside shows.
  const root = roots.find((root) => isInside(wanted, root));
  if (root === undefined) return mediaFaultText('outside', path);
  const spelled = await findPath(root, relative(root, wanted).split(sep).join('/'));
  const file = spelled === undefined ? 'missing' : await fileInside(spelled, roots);
  if (typeof file === 'string') return mediaFaultText(file, path);
  try {
    const head = await headAt(file.path);
    const type = checkedType({ filename: basename(wanted), sizeBytes: file.sizeBytes, head });
    return 'fault' in type ? fileFaultText(type, path) : { ...file, ...type };
  } catch {
    return mediaFaultText('unreadable', path);
  }
}

/** A regular file of the workspace, its symbolic links resolved. */
export async function fileInside(
  path: string,
  roots: readonly string[],
): Promise<WorkspaceFile | PlaceFault> {
  return fileInsideResolved(path, await resolvedRoots(roots));
}

/** Folders, all symbolic links resolved. */
export function resolvedRoots(roots: readonly string[]): Promise<readonly string[]> {
  return Promise.all(roots.map((root) => realpath(root).catch(() => root)));
}

/** As `fileInside`, for many files in the same folders. */
export async function fileInsideResolved(
  path: string,
  realRoots: readonly string[],
): Promise<WorkspaceFile | PlaceFault> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return 'missing';
  if (!realRoots.some((root) => isInside(real, root))) return 'outside';
  const facts = await stat(real).catch(() => undefined);
  if (!facts) return 'missing';
  return facts.isFile() ? { path: real, sizeBytes: facts.size } : 'notAFile';
}

type PlaceFault = 'missing' | 'outside' | 'notAFile';

/** What to do about a media path, as a sentence. */
export function mediaFaultText(fault: MediaFileFault, path: string): string {
  switch (fault) {
    case 'missing':
      return l10n.t('There is no file “{0}”.', path);
    case 'outside':
      return l10n.t(
        '“{0}” is outside the workspace, so it is not read. Copy the file into the workspace.',
        path,
      );
    case 'notAFile':
      return l10n.t('“{0}” is not a file.', path);
    case 'notOnDisk':
      return l10n.t('Local files can be used only in a workspace on disk.');
    case 'unreadable':
      return l10n.t('“{0}” cannot be read.', path);
  }
}
