import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readBody, shownBodyPath, writeBody } from '../../experiments/files/bodies';
import { resultsInCommit } from '../../experiments/files/earlierResults';
import { ResultsFile, resultPlaces } from '../../experiments/results/resultsFile';
import type { OtherResults } from '../../experiments/table/otherResults';
import { isInside } from '../../runFiles/paths';
import { localeFor } from '../../wording/displayLanguage';
import { messageOf } from '../../wording/errors';
import type { KeptSource } from './keptTables';

/** A larger file of a result is not copied to be shown. */
const MOST_COPIED_BYTES = 64_000_000;

/** "2 Mar 2026, a1b2c3d", or the name of a file. */
export function sourceLabel(source: KeptSource): string {
  if ('file' in source) return basename(source.file);
  const date = new Date(source.date).toLocaleDateString(localeFor(vscode.env.language), {
    dateStyle: 'medium',
  });
  return l10n.t('{0}, {1}', date, source.hash.slice(0, 7));
}

/** The results that a table is compared with; those of a commit are read once. */
export class OtherSources {
  readonly #commits = new Map<string, OtherResults>();
  readonly #files = new Map<string, ResultsFile>();
  readonly #sources = new WeakMap<OtherResults, KeptSource>();

  /**
   * @param file absolute path of the experiment
   * @param cache absolute path of a folder of ours that pages may read
   */
  constructor(
    private readonly file: string,
    private readonly cache: string,
  ) {}

  /** Those that can be read, and why others cannot. */
  async read(
    sources: readonly KeptSource[],
  ): Promise<{ readonly others: readonly OtherResults[]; readonly problems: readonly string[] }> {
    await this.#keepOnly(sources);
    const others: OtherResults[] = [];
    const problems: string[] = [];
    for (const source of sources)
      try {
        const other = await ('file' in source ? this.#inFile(source.file) : this.#inCommit(source));
        if (other.read.results.length === 0)
          problems.push(l10n.t('There are no results in “{0}”.', other.label));
        others.push(other);
        this.#sources.set(other, source);
      } catch (error) {
        problems.push(
          l10n.t('The results of {0} cannot be read: {1}', sourceLabel(source), messageOf(error)),
        );
      }
    return { others, problems };
  }

  async #inCommit(source: Exclude<KeptSource, { file: string }>): Promise<OtherResults> {
    const known = this.#commits.get(source.hash);
    if (known) return known;
    // A repository may name programs that git starts.
    if (!vscode.workspace.isTrusted) throw new Error(l10n.t('Trust the workspace to compare with commits.'));
    const own = resultPlaces(this.file).file;
    const cache = join(this.cache, source.hash);
    const read = await resultsInCommit(own, source, cache).catch(() => {
      throw new Error(l10n.t('git does not have this commit with “{0}”.', source.path));
    });
    const other = { label: sourceLabel(source), ...read };
    this.#commits.set(source.hash, other);
    return other;
  }

  async #inFile(file: string): Promise<OtherResults> {
    const opened = this.#files.get(file) ?? new ResultsFile(file);
    this.#files.set(file, opened);
    const label = basename(file);
    const { mtimeMs, size } = await stat(file);
    const read = await opened.read();
    // Pages read the folder of the experiment only.
    if (isInside(file, dirname(this.file))) return { label, file, read };
    const version = createHash('sha256').update(`${file} ${mtimeMs} ${size}`).digest('hex').slice(0, 40);
    const folder = join(this.cache, version);
    const kept = join(folder, basename(file));
    return {
      label,
      file: kept,
      read,
      bring: async (names) => {
        if (names.length > 0) await mkdir(folder, { recursive: true });
        for (const name of names) {
          if (shownBodyPath(kept, name) !== undefined) continue;
          const bytes = await readBody(file, name, MOST_COPIED_BYTES);
          if (bytes) await writeBody(kept, name, bytes);
        }
      },
    };
  }

  /** Undefined: it was not read here. */
  sourceOf(other: OtherResults): KeptSource | undefined {
    return this.#sources.get(other);
  }

  /** Deletes the copies of results that are no longer compared. */
  async #keepOnly(sources: readonly KeptSource[]): Promise<void> {
    for (const hash of [...this.#commits.keys()]) {
      if (sources.some((source) => 'hash' in source && source.hash === hash)) continue;
      this.#commits.delete(hash);
      await rm(join(this.cache, hash), { recursive: true, force: true });
    }
  }
}
