import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { isInside } from '../runFiles/paths';

/**
 * A path of an agent: inside one of the folders, with all links resolved, those of the folders too. A relative one
 * belongs to the first folder that has it. With the folder that it is in.
 * @param roots absolute paths
 * @throws UsageError with one sentence for all paths outside: it shows not even whether there is such a file
 */
export async function allowedPath(path: string, roots: readonly string[]) {
  const outside = new UsageError(
    l10n.t('“{0}” is outside the folders that agents may use, or it does not exist.', path),
  );
  // Addresses of other machines and devices are not even looked up.
  if (/[\0]/.test(path) || /^(?:\\\\|\/\/|~)/.test(path)) throw outside;
  // A stream of Windows.
  if (process.platform === 'win32' && path.replace(/^[a-z]:/i, '').includes(':')) throw outside;
  const folders = await Promise.all(
    roots.map(async (root) => ({ root, real: await realpath(root).catch(() => undefined) })),
  );
  for (const { root, real } of folders) {
    if (real === undefined) continue;
    const wanted = resolve(root, path);
    if (![root, real].some((folder) => isWithin(wanted, folder))) continue;
    const target = await realpath(wanted).catch(() => undefined);
    const home = target && folders.find((one) => one.real !== undefined && isWithin(target, one.real))?.real;
    if (target !== undefined && home !== undefined) return { path: target, root: home };
    if (isAbsolute(path)) break;
  }
  throw outside;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || isInside(path, folder);
}
