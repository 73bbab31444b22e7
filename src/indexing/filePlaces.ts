import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { percentDecoded } from '../domain/percentDecoded';

/** Facts of a disk about the places that URIs name. */
export interface FilePlaces {
  /** Whether there is such a file; true also where that cannot be found out. */
  isThere(uri: string): Promise<boolean>;
  /** Whether two URIs lead to one file: through a link, or as two spellings of its name. */
  isSame(one: string, other: string): Promise<boolean>;
}

/**
 * Places on this machine's disk.
 * @param elsewhere says whether there is a file that is not on this disk
 */
export function diskPlaces(elsewhere: (uri: string) => Promise<boolean> = async () => true): FilePlaces {
  return {
    async isThere(uri) {
      if (!isOnDisk(uri)) return elsewhere(uri);
      try {
        await fs.stat(fileURLToPath(uri));
        return true;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return code !== 'ENOENT' && code !== 'ENOTDIR';
      }
    },
    async isSame(one, other) {
      if (one === other) return true;
      if (!isOnDisk(one) || !isOnDisk(other)) return false;
      try {
        const paths = [fileURLToPath(one), fileURLToPath(other)] as const;
        const [real, otherReal] = await Promise.all(paths.map((path) => fs.realpath(path)));
        if (real === otherReal) return true;
        // Not every system gives a path as its disk spells it. Links to one content from two names are two files.
        if (foldedPlace(one) !== foldedPlace(other)) return false;
        const [facts, otherFacts] = await Promise.all(paths.map((path) => fs.stat(path, { bigint: true })));
        return facts?.ino === otherFacts?.ino && facts?.dev === otherFacts?.dev;
      } catch {
        return false;
      }
    },
  };
}

/** Equal for URIs that name one file on a disk that distinguishes neither cases nor composed characters. */
export function foldedPlace(uri: string): string {
  // Most are: neither "%" nor anything that has a composed form, and a listing folds every one.
  const isPlain = /^[!-$&-~]*$/.test(uri);
  return (isPlain ? uri : percentDecoded(uri).normalize('NFC')).toLowerCase();
}

function isOnDisk(uri: string): boolean {
  return uri.startsWith('file:///');
}
