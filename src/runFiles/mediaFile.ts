import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../domain/assertNever';
import { isInside } from './paths';

/** Asked for thousands of files at a stretch, where those of node:fs/promises take twice the time. */
const realpath = promisify(fs.realpath.native);
const stat = promisify(fs.stat);

/** Why a path of a run file leads to no file that may be read. */
export type MediaFileFault = 'missing' | 'outside' | 'notAFile' | 'notOnDisk';

/** The file that a path of a run file leads to, all symbolic links resolved. */
export interface MediaFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Resolves a media path of a run file. The file must be a regular file inside one of the workspace's folders once all
 * symbolic links are resolved, those of the folders too; nothing of it is read here.
 *
 * @param runFile absolute path of the run file
 * @param roots absolute paths of the workspace's folders
 */
export async function resolveMedia(
  path: string,
  runFile: string,
  roots: readonly string[],
): Promise<MediaFile | MediaFileFault> {
  const wanted = resolve(dirname(runFile), path);
  // Checked before the disk is asked, so that not even the presence of a file outside shows.
  if (!roots.some((root) => isInside(wanted, root))) return 'outside';
  return fileInside(wanted, roots);
}

/** A regular file of the workspace, its symbolic links resolved. */
export async function fileInside(
  path: string,
  roots: readonly string[],
): Promise<MediaFile | MediaFileFault> {
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
): Promise<MediaFile | MediaFileFault> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return 'missing';
  if (!realRoots.some((root) => isInside(real, root))) return 'outside';
  const facts = await stat(real).catch(() => undefined);
  if (!facts) return 'missing';
  return facts.isFile() ? { path: real, sizeBytes: facts.size } : 'notAFile';
}

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
    default:
      return assertNever(fault);
  }
}
