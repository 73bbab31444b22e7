import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../domain/json';
import type { ExperimentResults, StoredFile, StoredResult } from '../../store/experimentResults';
import { StoreProblem } from '../../store/storeProblem';
import { hostsOf, remoteMedia, Unreachable } from './remoteMedia';
import { bodyName, extensionOf } from './resultBody';
import { type ResultLine, resultFiles } from './resultLine';
import { contentMark, type ResultMedium, replaced } from './resultMedia';

/** The ways to keep media that results name by address. */
export interface MediaPorts {
  /** Whether it is wanted: asked when a result first names an address. */
  mayKeep(hosts: readonly string[]): Promise<boolean>;
  /** @throws Unreachable, or an Error with the reason why there is no such file */
  fetch(address: string): Promise<ResultMedium>;
  readonly signal?: AbortSignal;
}

/** Addresses that a finished run names, and that were not tried; empty where it already has files beside them. */
export function addressesIn({ state, result, media_problem: problem }: ResultLine): string[] {
  return state === 'finished' && result !== undefined && problem === undefined ? remoteMedia(result) : [];
}

/**
 * Keeps the media that results name by address, which may expire, as files beside those results. No run waits for
 * that: each has its outcome before, and is written once more with its files, or with the reason why it has none.
 */
export class MediaKeeper {
  readonly #seen = new Set<string>();
  #mayKeep: Promise<boolean> | undefined;
  /** Resolves when everything that was added is kept, or is not to be. */
  done: Promise<void> = Promise.resolve();

  /**
   * @param file absolute path of the results file
   * @param folder name of the folder of its files
   * @param changed there are results to be written
   */
  constructor(
    private readonly results: Pick<ExperimentResults, 'recorded' | 'addFiles'>,
    private readonly file: string,
    private readonly folder: string,
    private readonly ports: MediaPorts,
    private readonly changed: () => void,
  ) {}

  /** @param customIds of runs that may have finished */
  add(customIds: Iterable<string>): void {
    const before = this.done;
    this.done = this.#keepAll(customIds, before).catch((error: unknown) => {
      // The window was closed: the next start goes on.
      if (!(error instanceof StoreProblem)) throw error;
    });
    this.done.catch(() => undefined);
  }

  async #keepAll(customIds: Iterable<string>, before: Promise<void>): Promise<void> {
    await before;
    for (const customId of customIds) {
      if (this.ports.signal?.aborted) return;
      const stored = this.results.recorded(this.file, customId);
      if (stored?.state === 'finished') await this.#keep(stored);
      else await setImmediate();
    }
  }

  async #keep(stored: Omit<StoredResult, 'files'>): Promise<void> {
    const line = JSON.parse(stored.line) as ResultLine;
    const addresses = addressesIn(line);
    if (addresses.length === 0 || this.#seen.has(stored.customId)) return;
    this.#mayKeep ??= this.ports.mayKeep(hostsOf(addresses));
    if (!(await this.#mayKeep)) return;
    this.#seen.add(stored.customId);
    const media = new Map<string, ResultMedium>();
    let problem: string | undefined;
    for (const address of addresses) {
      try {
        media.set(address, await this.ports.fetch(address));
      } catch (error) {
        // The next start tries again.
        if (error instanceof Unreachable) continue;
        problem ??= error instanceof Error ? error.message : String(error);
      }
    }
    if (media.size === 0 && problem === undefined) return;
    await this.results.addFiles(this.file, stored, withMedia(line, this.folder, media, problem));
    this.changed();
  }
}

/** A line with the files that its result named by address; in place of each address is the mark of its content. */
function withMedia(
  line: ResultLine,
  folder: string,
  media: ReadonlyMap<string, ResultMedium>,
  problem: string | undefined,
): { readonly line: string; readonly files: readonly StoredFile[] } {
  const known = resultFiles(line);
  const marks = new Map([...media].map(([address, { bytes }]) => [address, contentMark(bytes)]));
  const contents = new Map([...media.values()].map((medium) => [contentMark(medium.bytes), medium]));
  const files = [...contents.values()].map((medium, n) => ({
    name: bodyName(folder, line.item, line.custom_id, extensionOf(medium), known.length + n + 1),
    bytes: medium.bytes,
  }));
  const [first, ...others] = [...known, ...files.map(({ name }) => name)];
  // A long result is in a file with its addresses: the line says the same.
  const isInLine = line.result_sha256 === undefined;
  const next = {
    ...line,
    ...(isInLine && { result: replaced(line.result as Json, (text) => marks.get(text)) }),
    ...(first !== undefined && { result_file: first }),
    ...(others.length > 0 && { other_files: others }),
    ...(problem !== undefined && { media_problem: problem }),
  };
  return { line: JSON.stringify(next), files };
}
