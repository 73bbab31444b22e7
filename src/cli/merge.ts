import { createHash } from 'node:crypto';
import { basename, extname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { bodyPath, readBody, writeBody } from '../experiments/files/bodies';
import { isThere, replaceFile } from '../experiments/files/door';
import type { ResultEntry } from '../experiments/resultLine';
import { countingEntry, withEntry } from '../experiments/resultOrder';
import { mergedText, ResultEntries } from '../experiments/results';
import { placesOf, readResultsText } from '../experiments/resultsFile';
import { UsageError } from './arguments';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/** A larger result is no file of a result. */
const MOST_BODY_BYTES = 512 * 2 ** 20;

/**
 * Joins results files into one, with the files of large results. What the target has stays.
 * @returns the exit code
 */
export async function merge(out: string, names: readonly string[], terminal: Terminal): Promise<number> {
  const target = resolve(out);
  const sources = [target, ...names.map((name) => resolve(name))];
  const merged = new ResultEntries();
  /** Where a text was first: the target before the others, in their order. */
  const sourceOf = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    if (index > 0 && !(await isThere(source)))
      throw new UsageError(l10n.t('There is no file “{0}”.', names[index - 1]!));
    const own = new ResultEntries();
    own.add(await readResultsText(source));
    for (const entries of own.runs.values())
      for (const { text } of entries) if (!sourceOf.has(text)) sourceOf.set(text, source);
    merged.addAll(own);
  }
  const bodies = new Bodies(target, terminal);
  const sourceIn = ({ text }: ResultEntry) => sourceOf.get(text) ?? target;
  for (const entries of merged.runs.values())
    for (const entry of entries) if (counts(entry, entries) && sourceIn(entry) === target) bodies.keep(entry);
  for (const [id, entries] of merged.runs) {
    let moved: readonly ResultEntry[] = [];
    for (const entry of entries)
      moved = withEntry(moved, counts(entry, entries) ? await bodies.take(entry, sourceIn(entry)) : entry);
    merged.runs.set(id, moved);
  }
  // Whole or not at all: the target may be one of the files that were read.
  await replaceFile(target, mergedText(merged));
  const results = [...merged.runs.values()].filter(countingEntry).length;
  terminal.print(l10n.t('{0} results in {1}.', results, out));
  if (merged.unreadable.length > 0)
    terminal.warn(
      l10n.t('{0} lines cannot be read; they stay at the end of the file.', merged.unreadable.length),
    );
  return exitCodes.passed;
}

/** Other lines of a run stay for what they have cost: their files are not its result. */
function counts({ text }: ResultEntry, entries: readonly ResultEntry[]): boolean {
  return countingEntry(entries)?.text === text;
}

/** The files of the lines that count: a line and its file travel together, and none takes the place of another's. */
class Bodies {
  /** Names of files in the target's folder that lines refer to. */
  readonly #taken = new Set<string>();

  constructor(
    private readonly target: string,
    private readonly terminal: Terminal,
  ) {}

  /** A line of the target: its file stays. */
  keep({ line }: ResultEntry): void {
    const path = line.result_file && bodyPath(this.target, line.result_file);
    if (path) this.#taken.add(basename(path));
  }

  /** The line with its file in the target's folder. @param source absolute path of the results file that it is of */
  async take(entry: ResultEntry, source: string): Promise<ResultEntry> {
    const name = entry.line.result_file;
    if (name === undefined || source === this.target) return entry;
    const bytes = await readBody(source, name, MOST_BODY_BYTES);
    const path = bodyPath(source, name);
    if (bytes === undefined || path === undefined) {
      this.terminal.warn(l10n.t('The result file “{0}” could not be copied.', name));
      return entry;
    }
    const own = await this.#nameFor(basename(path), bytes);
    this.#taken.add(basename(own));
    await writeBody(this.target, own, bytes);
    if (own === name) return entry;
    const line = { ...entry.line, result_file: own };
    const text = JSON.stringify({ ...(JSON.parse(entry.text) as object), result_file: own });
    return { ...entry, line, text };
  }

  /** The file's own name, unless the file of another line has it. */
  async #nameFor(file: string, bytes: Uint8Array): Promise<string> {
    const { folder } = placesOf(this.target);
    const own = `${folder}/${file}`;
    const there = this.#taken.has(file) ? await readBody(this.target, own, MOST_BODY_BYTES) : undefined;
    if (!there || Buffer.compare(there, bytes) === 0) return own;
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return `${folder}/${file.slice(0, file.length - extname(file).length)}-${hash}${extname(file)}`;
  }
}
