import { isAccepted } from '../domain/media';
import { contentTypeOf } from '../intake/contentType';
import { type Walked, type WalkOptions, walk } from '../intake/walk';
import { Turns } from '../service/turns';
import type { IndexFile } from './indexFile';

/** The facts that a file's place provides. */
export interface FilePlace {
  readonly uri: string;
  readonly imageId: string;
}

export interface FolderOptions extends Omit<WalkOptions<IndexFile>, 'wants' | 'file' | 'turns'> {
  /** Media types that are wanted, as of an `<input>`; empty: all. */
  readonly accept: readonly string[];
  readonly filePlace: (path: string) => FilePlace;
  readonly open: (path: string) => AsyncIterable<Uint8Array>;
}

/** The files below a folder of this machine's disk that may be indexed. */
export function folderFiles(folder: string, options: FolderOptions): Promise<Walked<IndexFile>> {
  const { accept, open, filePlace, ...rules } = options;
  const typeOf = byEndings(contentTypeOf);
  const wants = byEndings((filename) => isAccepted(typeOf(filename), accept, filename));
  const placed = neighbours(filePlace);
  return walk<IndexFile>(folder, {
    ...rules,
    turns: new Turns(rules.signal),
    wants,
    file: (folder, name, sizeBytes, modifiedMs) => {
      const { uri, imageId } = placed(folder, name);
      const contentType = typeOf(name);
      const path = folder + name;
      return { uri, imageId, filename: name, contentType, sizeBytes, modifiedMs, open: () => open(path) };
    },
  });
}

/** Looked up once for all names with the same endings, since only those count. */
function byEndings<T>(look: (filename: string) => T): (filename: string) => T {
  const known = new Map<string, T>();
  return (filename) => {
    const endings = filename.slice(Math.max(0, filename.indexOf('.')));
    const value = known.get(endings) ?? look(filename);
    known.set(endings, value);
    return value;
  };
}

/**
 * The same places in less time: to work one out takes as long as to find the file. Where nothing in a name is escaped in
 * a URI or has a composed form, its place is that of its neighbour, with its own name at the end.
 */
function neighbours(filePlace: (path: string) => FilePlace) {
  const known = new Map<string, FilePlace>();
  return (folder: string, name: string): FilePlace => {
    if (!/^[\w.-]+$/.test(name)) return filePlace(folder + name);
    const start = known.get(folder);
    if (start) return { uri: start.uri + name, imageId: start.imageId + name };
    const place = filePlace(folder + name);
    const [uri, imageId] = [withoutName(place.uri, name), withoutName(place.imageId, name)];
    if (uri !== undefined && imageId !== undefined) known.set(folder, { uri, imageId });
    return place;
  };
}

/** Up to a path's last part; undefined where that is not this name alone. */
function withoutName(path: string, name: string): string | undefined {
  const start = path.slice(0, path.lastIndexOf('/') + 1);
  return path === start + name ? start : undefined;
}
