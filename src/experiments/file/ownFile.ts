import { realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../../domain/errorCode';
import { findPath } from '../../intake/findPath';
import { isInside } from '../../runFiles/paths';
import { sha256Of } from '../../runs/uploads/sha256Of';
import { fileBytes } from '../../service/fileBytes';
import type { ItemFault, ItemFile } from './items';

/** A path below a folder, with "/" between its parts. */
export function slashed(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

export function unreadableFault(path: string, error: unknown): ItemFault & { readonly path: string } {
  return { fault: 'unreadable', path, detail: errorCode(error) ?? String(error) };
}

/**
 * The path of a regular file inside the folder, or why there is none.
 * @param path relative to the folder, with "/" between its parts, or absolute
 */
export async function ownFile(path: string, folder: string): Promise<string | ItemFault> {
  const whole = resolve(folder, path);
  const name = slashed(folder, whole) || '.';
  if (!isInside(whole, folder)) return { fault: 'outside', path: name };
  const written = await findPath(folder, name);
  if (written === undefined) return { fault: 'missing', path: name };
  try {
    const [real, root] = await Promise.all([realpath(written), realpath(folder)]);
    if (!isInside(real, root)) return { fault: 'outside', path: name };
    return (await stat(real)).isFile() ? written : { fault: 'notAFile', path: name };
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? { fault: 'broken', path: name } : unreadableFault(name, error);
  }
}

/** A file of a request, with the hash of its content. @param path absolute */
export async function itemFile(
  path: string,
  sizeBytes: number,
  filename = basename(path),
): Promise<ItemFile> {
  const sha256 = await sha256Of(fileBytes(path));
  return { path, uri: pathToFileURL(path).href, filename, sizeBytes, sha256 };
}
