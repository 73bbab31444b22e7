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
