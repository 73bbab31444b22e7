import { posix } from 'node:path';
import { isAccepted } from '../../domain/media';
import { contentTypeOf } from '../../intake/contentType';
import { folderGlob, globOf } from './newExperiment';

/** Files and folders that a user chose, as paths with "/". */
export interface ChosenPaths {
  readonly single: readonly string[];
  readonly folders: readonly string[];
  /** All files, those in folders too. */
  readonly files: readonly string[];
}

/**
 * Globs for the chosen files that a field accepts: of a folder by their endings, so that files that are added later
 * belong to it too.
 * @param accept see `isAccepted`
 * @param root the folder that the globs are relative to, above everything that was chosen
 */
export function inputGlobs(
  { single, folders, files }: ChosenPaths,
  accept: readonly string[],
  root: string,
): string[] {
  const isTaken = (path: string) => isAccepted(contentTypeOf(path), accept, path);
  const endingsIn = (folder: string) => [
    ...new Set(
      files
        .filter((path) => path.startsWith(`${folder}/`) && isTaken(path))
        .map((path) => posix.extname(path).slice(1))
        .filter((ending) => ending !== ''),
    ),
  ];
  return [
    ...folders.flatMap((folder) => {
      const endings = endingsIn(folder).sort();
      return endings.length === 0 ? [] : [folderGlob(posix.relative(root, folder), endings)];
    }),
    ...single.filter(isTaken).map((path) => globOf(posix.relative(root, path))),
  ];
}

/** The deepest folder that holds all of these. @param folders paths with "/"; at least one */
export function commonFolder(folders: readonly string[]): string {
  return folders.reduce((a, b) => {
    let folder = a;
    while (folder !== '/' && b !== folder && !b.startsWith(`${folder}/`)) folder = posix.dirname(folder);
    return folder;
  });
}
