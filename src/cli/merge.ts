import { createHash } from 'node:crypto';
import { basename, extname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import type { JsonObject } from '../domain/json';
import { bodyPath, readBody, writeBody } from '../experiments/files/bodies';
import { isThere, replaceFile } from '../experiments/files/door';
import { type ResultEntry, readLine, resultFiles } from '../experiments/results/resultLine';
import { countingEntry, withEntries } from '../experiments/results/resultOrder';
import { mergedPieces, ResultLines } from '../experiments/results/results';
import { ResultsFile, resultFilePlaces } from '../experiments/results/resultsFile';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/** A larger result is no file of a result. */
const MOST_BODY_BYTES = 512 * 2 ** 20;

/**
 * Joins results files into one, with the files of large results. Results of the target stay.
 * @returns the exit code
 */
export async function merge(out: string, names: readonly string[], terminal: Terminal): Promise<number> {
  const target = resolve(out);
  const sources = [target, ...names.map((name) => resolve(name))];
  const merged = new ResultLines(true);
  /** Where a line was first: the target before the others, in their order. */
  const sourceOf = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    if (index > 0 && !(await isThere(source)))
      throw new UsageError(l10n.t('There is no file “{0}”.', names[index - 1]!));
    const { lines: own } = await ResultsFile.open(source, true);
    for (const entries of own.runs.values())
      for (const { mark } of entries) if (!sourceOf.has(mark)) sourceOf.set(mark, source);
    merged.addAll(own);
  }
  const bodies = new Bodies(target, terminal);
  const sourceIn = ({ mark }: ResultEntry) => sourceOf.get(mark) ?? target;
  for (const entries of merged.runs.values())
    for (const entry of entries) if (counts(entry, entries) && sourceIn(entry) === target) bodies.keep(entry);
  for (const [id, entries] of merged.runs) {
    let moved: readonly ResultEntry[] = [];
    for (const entry of entries)
      moved = withEntries(moved, [
        counts(entry, entries) ? await bodies.take(entry, sourceIn(entry)) : entry,
      ]);
    merged.runs.set(id, moved);
  }
  // Whole or not at all: the target may be one of the files that were read.
  await replaceFile(target, mergedPieces(merged));
  const results = [...merged.runs.values()].filter(countingEntry).length;
  terminal.print(l10n.t('{0} results in {1}.', results, out));
  if (merged.unreadable.length > 0)
    terminal.warn(
      l10n.t('{0} lines cannot be read; they stay at the end of the file.', merged.unreadable.length),
    );
  return exitCodes.passed;
}

/** Other lines of a run stay for their costs: their files are not its result. */
function counts({ mark }: ResultEntry, entries: readonly ResultEntry[]): boolean {
  return countingEntry(entries)?.mark === mark;
}

/** The files of the lines that count: a line and its file travel together, and none takes the place of another's. */
class Bodies {
  /** Names of files in the target's folder that lines refer to. */
  readonly #taken = new Set<string>();

  constructor(
    private readonly target: string,
    private readonly terminal: Terminal,
  ) {}

  /** A line of the target: its files stay. */
  keep({ line }: ResultEntry): void {
    for (const name of resultFiles(line)) {
      const path = bodyPath(this.target, name);
      if (path) this.#taken.add(basename(path));
    }
  }

  /** The line with its files in the target's folder. @param source absolute path of the results file that it is of */
  async take(entry: ResultEntry, source: string): Promise<ResultEntry> {
    const names = resultFiles(entry.line);
    if (names.length === 0 || source === this.target) return entry;
    const copied: string[] = [];
    for (const name of names) copied.push(await this.#copied(name, source));
    if (copied.every((name, at) => name === names[at])) return entry;
    const [first, ...others] = copied as [string, ...string[]];
    const renamed = { result_file: first, ...(others.length > 0 && { other_files: others }) };
    const value = { ...(JSON.parse(entry.text ?? '{}') as JsonObject), ...renamed };
    return readLine(value, JSON.stringify(value), true) ?? entry;
  }

  /** The name of a file's copy; its own where it could not be copied. */
  async #copied(name: string, source: string): Promise<string> {
    const bytes = await readBody(source, name, MOST_BODY_BYTES);
    const path = bodyPath(source, name);
    if (bytes === undefined || path === undefined) {
      this.terminal.warn(l10n.t('The result file “{0}” could not be copied.', name));
      return name;
    }
    const own = await this.#nameFor(basename(path), bytes);
    this.#taken.add(basename(own));
    await writeBody(this.target, own, bytes);
    return own;
  }

  /** The file's own name, unless the file of another line has it. */
  async #nameFor(file: string, bytes: Uint8Array): Promise<string> {
    const { folder } = resultFilePlaces(this.target);
    const own = `${folder}/${file}`;
    const body = this.#taken.has(file) ? await readBody(this.target, own, MOST_BODY_BYTES) : undefined;
    if (!body || Buffer.compare(body, bytes) === 0) return own;
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return `${folder}/${file.slice(0, file.length - extname(file).length)}-${hash}${extname(file)}`;
  }
}
