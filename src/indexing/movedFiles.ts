import type { Dataset } from '../domain/dataset';
import type { Datasets } from '../store/datasets';
import type { KnownFile } from '../store/itemPages';
import { foldedPlace } from './filePlaces';
import type { IndexFile } from './indexFile';

/** Files of one name and size that are looked at, of each kind. */
const MOST_CANDIDATES = 8;

/** Items of a dataset that may be these files under other places: in a folder that was moved, or spelled otherwise. */
export class MovedFiles {
  readonly #byPlace = new Map<string, KnownFile[]>();
  readonly #byPath = new Map<string, KnownFile[]>();

  /** Reads the dataset once. */
  static async of(datasets: Datasets, dataset: Dataset, files: readonly IndexFile[]): Promise<MovedFiles> {
    const moved = new MovedFiles();
    const names = new Set(files.map(({ uri }) => lastParts(foldedPlace(uri), 1)));
    for await (const page of datasets.knownFiles(dataset))
      for (const known of page) {
        const place = foldedPlace(known.file);
        if (names.has(lastParts(place, 1))) moved.#add(place, known);
      }
    return moved;
  }

  /** The likeliest first. */
  candidates({ uri, sizeBytes }: IndexFile): readonly KnownFile[] {
    const place = foldedPlace(uri);
    const nearest = [
      ...(this.#byPlace.get(place) ?? []),
      ...[2, 1].flatMap((parts) => this.#byPath.get(pathKey(place, sizeBytes, parts)) ?? []),
    ];
    return [...new Set(nearest)];
  }

  #add(place: string, known: KnownFile): void {
    add(this.#byPlace, place, known);
    for (const parts of [1, 2]) add(this.#byPath, pathKey(place, known.sizeBytes, parts), known);
  }
}

function add(to: Map<string, KnownFile[]>, key: string, known: KnownFile): void {
  const list = to.get(key);
  if (!list) to.set(key, [known]);
  else if (list.length < MOST_CANDIDATES) list.push(known);
}

function pathKey(place: string, sizeBytes: number, parts: number): string {
  return `${parts} ${sizeBytes} ${lastParts(place, parts)}`;
}

/** The last parts of a path. */
function lastParts(place: string, parts: number): string {
  let at = place.length;
  for (let n = 0; n < parts && at > 0; n++) at = place.lastIndexOf('/', at - 1);
  return place.slice(at + 1);
}
