import type { Dataset } from '../domain/dataset';
import { placedId } from '../intake/imageIds';
import { sha256Of } from '../runs/uploads/sha256Of';
import { Turns } from '../service/turns';
import type { Datasets } from '../store/datasets';
import type { KnownFile } from '../store/itemPages';
import { type FilePlaces, foldedPlace } from './filePlaces';
import type { IndexFile, PlannedFile } from './indexFile';
import { KnownFiles } from './knownFiles';
import { MovedFiles } from './movedFiles';

/** A file under the id that it has, or gets. */
export interface Identified {
  readonly file: PlannedFile;
  /** The record under this ID. */
  readonly before?: KnownFile;
  /** The id is that of another file, which has the same content and still exists. */
  readonly isShared?: boolean;
}

/** A file with the ID of another one as its path. */
export interface IdOwner {
  readonly uri: string;
  readonly imageId: string;
  /** URI of the file that has the path as its id. */
  readonly owner: string;
}

interface Parts {
  readonly datasets: Datasets;
  readonly places: FilePlaces;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The ID of each file. A file in the dataset keeps its ID, even when it is opened from another folder: it is found by
 * its URI, by another spelling of that, or, where its old place is gone, by its content and name. Another file gets
 * its path as ID, where no other file has that; else an ID of its own (`separate`), so that no image replaces another
 * one. `replacing` are those for a file that no longer exists, `unreadable` those that could not be compared.
 */
export async function identify(dataset: Dataset, files: readonly IndexFile[], parts: Parts) {
  const turns = new Turns(parts.signal);
  const known = new KnownFiles(parts.datasets, dataset, turns);
  const open = new OpenFiles(dataset, parts);
  const identities: (Identified | undefined)[] = [];
  for (const [at, before] of (await known.byUri(files)).entries()) {
    identities.push(before && underId(files[at] as IndexFile, before));
    if (turns.isOver) await turns.next();
  }
  // Their positions: the order of the files stays.
  const rest = await withoutSpellings(files, identities, parts, turns);
  if (rest.length > 0)
    await open.prepareFor(
      rest.map((at) => files[at] as IndexFile),
      identities,
      known,
    );
  for (const at of rest) {
    identities[at] = await open.identified(files[at] as IndexFile);
    if (turns.isOver) await turns.next();
  }
  const { separate, replacing, unreadable } = open;
  return { files: identities.filter((one) => one !== undefined), separate, replacing, unreadable };
}

/** A file that is known under its URI. Each URI is there once. */
function underId(file: IndexFile, before: KnownFile): Identified {
  const { imageId } = before;
  return { file: imageId === file.imageId ? file : { ...file, imageId }, before };
}

/** The places of the files that are not found yet, without those that are spellings of another file in the list. */
async function withoutSpellings(
  files: readonly IndexFile[],
  identities: readonly (Identified | undefined)[],
  { places }: Parts,
  turns: Turns,
): Promise<readonly number[]> {
  const rest: number[] = [];
  for (const [at, one] of identities.entries()) if (!one) rest.push(at);
  if (rest.length === 0) return rest;
  const seen = new Map<string, string>();
  for (const one of identities) {
    if (one) seen.set(foldedPlace(one.file.uri), one.file.uri);
    if (turns.isOver) await turns.next();
  }
  const once: number[] = [];
  for (const at of rest) {
    const { uri } = files[at] as IndexFile;
    const place = foldedPlace(uri);
    const other = seen.get(place);
    if (turns.isOver) await turns.next();
    if (other !== undefined && (await places.isSame(other, uri))) continue;
    seen.set(place, uri);
    once.push(at);
  }
  return once;
}

/** Files of a plan, while ids are given to them. */
class OpenFiles {
  readonly separate: IdOwner[] = [];
  readonly replacing: IdOwner[] = [];
  readonly unreadable: { readonly file: IndexFile; readonly error: unknown }[] = [];
  /** Ids that are given, with the URI of their file. */
  readonly #given = new Map<string, string>();
  #byId: ReadonlyMap<string, KnownFile> = new Map();
  #moved: MovedFiles | undefined;

  constructor(
    private readonly dataset: Dataset,
    private readonly parts: Parts,
  ) {}

  /** Reads the possible earlier records of these files. */
  async prepareFor(
    files: readonly IndexFile[],
    others: readonly (Identified | undefined)[],
    known: KnownFiles,
  ): Promise<void> {
    for (const other of others) if (other) this.#given.set(other.file.imageId, other.file.uri);
    if (known.isEmpty) return;
    this.#byId = await known.byId(files);
    this.#moved = await MovedFiles.of(this.parts.datasets, this.dataset, files);
  }

  /** Undefined: it cannot be read. */
  async identified(file: IndexFile): Promise<Identified | undefined> {
    const hashed = { ...file, sha256: undefined as string | undefined };
    try {
      const identity = (await this.#underItsPath(hashed)) ?? (await this.#elsewhere(hashed));
      return identity ?? this.#withNewId(withoutEmpty(hashed));
    } catch (error) {
      this.parts.signal?.throwIfAborted();
      this.unreadable.push({ file, error });
      return undefined;
    }
  }

  /** Its path is an id of the dataset: of this file, of one with its content, or of one that is gone. */
  async #underItsPath(file: Hashed): Promise<Identified | undefined> {
    const { imageId, uri } = file;
    const before = this.#byId.get(imageId);
    if (!before || this.#given.has(imageId)) return undefined;
    const { places } = this.parts;
    // A plan may have two files of one path, of which the first has the id.
    this.#given.set(imageId, uri);
    const isThere = await places.isThere(before.file);
    if (isThere && (await places.isSame(before.file, uri))) return replaced(file, before);
    if (await this.#hasContentOf(before, file)) return { ...replaced(file, before), isShared: isThere };
    if (!isThere) {
      this.replacing.push({ uri, imageId, owner: before.file });
      return replaced(file, before);
    }
    this.#given.set(imageId, before.file);
    return undefined;
  }

  /** It is an item of another id: reached by another spelling, or moved with its folder. */
  async #elsewhere(file: Hashed): Promise<Identified | undefined> {
    const { places } = this.parts;
    for (const before of this.#moved?.candidates(file) ?? []) {
      if (this.#given.has(before.imageId)) continue;
      const isIt = (await places.isThere(before.file))
        ? await places.isSame(before.file, file.uri)
        : await this.#hasContentOf(before, file);
      if (!isIt) continue;
      this.#given.set(before.imageId, file.uri);
      return replaced(file, before);
    }
    return undefined;
  }

  #withNewId(file: PlannedFile): Identified {
    const { imageId: path, uri } = file;
    const owner = this.#given.get(path) ?? this.#byId.get(path)?.file;
    const imageId = owner === undefined ? path : placedId(path, uri);
    this.#given.set(imageId, uri);
    if (owner !== undefined) this.separate.push({ uri, imageId, owner });
    return { file: { ...file, imageId } };
  }

  /** Reads the file only where the sizes are equal, and once. */
  async #hasContentOf(before: KnownFile, file: Hashed): Promise<boolean> {
    if (before.sizeBytes !== file.sizeBytes) return false;
    const item = this.parts.datasets.find(this.dataset, before.imageId);
    if (!item || item.sha256 === '') return false;
    file.sha256 ??= await sha256Of(file.open(), this.parts.signal);
    return item.sha256 === file.sha256;
  }
}

interface Hashed extends IndexFile {
  sha256: string | undefined;
}

function replaced(file: Hashed, before: KnownFile): Identified {
  return { file: { ...withoutEmpty(file), imageId: before.imageId, replaces: before.file }, before };
}

function withoutEmpty({ sha256, ...file }: Hashed): PlannedFile {
  return { ...file, ...(sha256 !== undefined && { sha256 }) };
}
