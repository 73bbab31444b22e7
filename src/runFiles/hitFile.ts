import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isInside } from './paths';

export interface HitPlaces {
  /** The URI of the file that was indexed under an id, if this machine knows it. */
  known(id: string): string | undefined;
  /** Those that ids may be paths below, by their URIs. */
  readonly folders: readonly { readonly name: string; readonly uri: string }[];
  /** Whether there is a file, no folder, at a URI. */
  isFile(uri: string): Promise<boolean>;
}

/**
 * The URI of the user's own file for a hit: the one that is known, else one of that path in the folders, since a
 * colleague, a terminal or CI may have indexed it.
 */
export async function fileOfHit(id: string, places: HitPlaces): Promise<string | undefined> {
  const known = places.known(id);
  if (known !== undefined && (await places.isFile(known))) return known;
  for (const { name, uri } of places.folders)
    for (const path of pathsBelow(name, id)) {
      const file = `${uri.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`;
      if ((await places.isFile(file)) && (await leadsBelow(uri, file))) return file;
    }
  return undefined;
}

/** Without VS Code: ids of an index are paths in its folder. @param folders absolute paths */
export function hitPlacesIn(folders: readonly string[]): HitPlaces {
  return {
    known: () => undefined,
    folders: folders.map((folder) => ({ name: basename(folder), uri: pathToFileURL(folder).href })),
    isFile: async (uri) => (await stat(fileURLToPath(uri)).catch(() => undefined))?.isFile() === true,
  };
}

/** Whether a file is in a folder also when links are followed: an id of the service may name a link of the repository. */
async function leadsBelow(folder: string, file: string): Promise<boolean> {
  if (!file.startsWith('file:')) return true;
  const [real, root] = await Promise.all([file, folder].map((uri) => realpath(fileURLToPath(uri))));
  return isInside(real!, root!);
}

/**
 * Whether an id of the service can be the path of a file below a folder, on every system alike: relative, in
 * forward slashes, without a way up. A backslash is a separator on Windows, a colon a drive or a stream of a file.
 */
export function isPathBelow(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name of ours has them
  if (id.length > 4096 || /[\\:\u0000-\u001f]/.test(id)) return false;
  return id.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/**
 * The paths below a workspace's folder that an ID may name: the ID itself or, from a window of several folders, its
 * part after the folder's name; each unchanged and decomposed, as some disks write it.
 */
export function pathsBelow(folderName: string, id: string): readonly string[] {
  const named = `${folderName.normalize('NFC')}/`;
  const paths = id.startsWith(named) ? [id, id.slice(named.length)] : [id];
  return [...new Set(paths.flatMap((path) => [path, path.normalize('NFD')]))].filter(isPathBelow);
}
