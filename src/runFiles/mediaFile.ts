import * as fs from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { contentTypeOf } from '../intake/contentType';
import { checkedType, type FileFault, fileFaultText, headAt } from '../intake/fileCheck';
import { findPath } from '../intake/findPath';
import { isInside } from './paths';

/** Asked for thousands of files at a stretch, where those of node:fs/promises take twice the time. */
const realpath = promisify(fs.realpath.native);
const stat = promisify(fs.stat);

/** Why the file at a path of a run file cannot be used. */
export type MediaFileFault = 'missing' | 'outside' | 'notAFile' | 'notOnDisk' | 'unreadable' | ContentFault;
/** The actual kind of its bytes, see `FileFault`. */
type ContentFault = 'emptyFile' | 'lfsPointer' | 'annexPointer' | 'webPage' | 'text';

/** A regular file, all symbolic links resolved. */
export interface WorkspaceFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** A file to upload. */
export interface MediaFile extends WorkspaceFile {
  /** By its first bytes, else by its name. */
  readonly contentType: string;
}

/**
 * Resolves a media path of a run file, however its accents are composed. The file must be a regular file inside one of
 * the workspace's folders once all symbolic links are resolved, those of the folders too; its first bytes are checked.
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
  const root = roots.find((root) => isInside(wanted, root));
  if (root === undefined) return 'outside';
  const spelled = await findPath(root, relative(root, wanted).split(sep).join('/'));
  const file = spelled === undefined ? 'missing' : await fileInside(spelled, roots);
  return typeof file === 'string' ? file : checked(file, basename(wanted));
}

async function checked(file: WorkspaceFile, filename: string): Promise<MediaFile | MediaFileFault> {
  const { path, sizeBytes } = file;
  try {
    const type = checkedType({ filename, sizeBytes, head: await headAt(path) });
    return 'fault' in type ? contentFault(type) : { ...file, ...type };
  } catch {
    return 'unreadable';
  }
}

function contentFault(fault: FileFault): ContentFault {
  if (fault.fault === 'pointer') return fault.tool === 'lfs' ? 'lfsPointer' : 'annexPointer';
  if (fault.fault === 'emptyFile') return 'emptyFile';
  return fault.fault === 'textInside' && fault.is === 'text/html' ? 'webPage' : 'text';
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
    case 'emptyFile':
      return fileFaultText({ fault: 'emptyFile' }, path);
    case 'lfsPointer':
      return fileFaultText({ fault: 'pointer', tool: 'lfs' }, path);
    case 'annexPointer':
      return fileFaultText({ fault: 'pointer', tool: 'annex' }, path);
    case 'webPage':
      return fileFaultText({ fault: 'textInside', is: 'text/html', named: contentTypeOf(path) }, path);
    case 'text':
      return fileFaultText({ fault: 'textInside', is: 'text/plain', named: contentTypeOf(path) }, path);
  }
}
