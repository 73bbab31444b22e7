import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../domain/json';
import { pathMatcher, TooManySteps, withoutBraces } from '../domain/pathPattern';
import { LARGEST_TABLE, readTable, type TableFault } from '../intake/table';
import { isInside } from '../runFiles/paths';
import { Turns } from '../service/turns';
import type { Expected, Over } from './format';

/** A local file of an item. */
export interface ItemFile {
  readonly path: string;
  /** As it stands in a request before its upload. */
  readonly uri: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A row of the experiment's table: what differs from other rows in the request. */
export interface ExperimentItem {
  /** Shown and recorded: a path relative to the experiment with "/" between its parts, or "row 3". */
  readonly name: string;
  /** Place in the request → value. Text of CSV is still text. */
  readonly values: Readonly<Record<string, Json>>;
  readonly files: readonly ItemFile[];
  readonly expected?: Json;
}

export type ItemFault =
  | TableFault
  | { readonly fault: 'missing' | 'outside' | 'notAFile'; readonly path: string }
  | { readonly fault: 'noColumn'; readonly column: string; readonly columns: readonly string[] }
  | { readonly fault: 'noFiles'; readonly glob: string }
  | { readonly fault: 'tooManyFiles'; readonly most: number }
  | { readonly fault: 'noExpected'; readonly path: string };

export interface Items {
  readonly items: readonly ExperimentItem[];
  readonly faults: readonly ItemFault[];
  /** The mapped values are text of a table, to be read as the model's fields want them. */
  readonly isText: boolean;
}

/** More files are no experiment any more, and listing them would fill the memory. */
const MOST_FILES = 100_000;
const LONGEST_GLOB = 1_000;
/** Of comparisons of characters: 100,000 files take some millions, and so many take half a second. */
const MOST_STEPS = 50_000_000;
/** A larger text is no input of a field. */
const LARGEST_TEXT = 1_000_000;

/**
 * The items of an experiment. Without `over` there is one, which changes nothing. Files stay in the folder of the
 * experiment, symbolic links resolved: a repository cannot make anybody upload what lies elsewhere.
 * @param folder absolute path of the experiment's folder
 */
export async function itemsOf(
  over: Over | undefined,
  expected: Expected | undefined,
  folder: string,
): Promise<Items> {
  if (!over) return { items: [{ name: '', values: {}, files: [] }], faults: [], isText: false };
  return 'rows' in over ? rowItems(over, expected, folder) : fileItems(over, expected, folder);
}

type Rows = Extract<Over, { rows: string }>;
type Files = Extract<Over, { files: unknown }>;

async function rowItems({ rows, map }: Rows, expected: Expected | undefined, folder: string): Promise<Items> {
  const path = await ownFile(resolve(folder, rows), folder);
  if (typeof path !== 'string') return { items: [], faults: [path], isText: true };
  const size = (await lstat(path)).size;
  if (size > LARGEST_TABLE) {
    const fault = { fault: 'tooLarge', bytes: size, most: LARGEST_TABLE } as const;
    return { items: [], faults: [fault], isText: true };
  }
  const table = await readTable(await readFile(path), extname(path).toLowerCase(), new Turns());
  const column = expected && 'column' in expected ? expected.column : undefined;
  const wanted = [...Object.values(map), ...(column === undefined ? [] : [column])];
  const missing = [...new Set(wanted)].filter((name) => !table.columns.includes(name));
  const { columns, faults } = table;
  if (missing.length > 0 && columns.length > 0) {
    const none = missing.map((name) => ({ fault: 'noColumn', column: name, columns }) as const);
    return { items: [], faults: [...faults, ...none], isText: true };
  }
  const items = table.rows.map(({ line, values }): ExperimentItem => {
    const own = Object.entries(map).flatMap(([pointer, name]) =>
      Object.hasOwn(values, name) ? [[pointer, values[name]!] as const] : [],
    );
    return {
      name: `row ${line}`,
      values: Object.fromEntries(own),
      files: [],
      ...(column !== undefined && Object.hasOwn(values, column) && { expected: values[column]! }),
    };
  });
  return { items, faults, isText: !/\.(?:jsonl|ndjson)$/i.test(path) };
}

async function fileItems(
  { files, map }: Files,
  expected: Expected | undefined,
  folder: string,
): Promise<Items> {
  const globs = Array.isArray(files) ? files : [files];
  const found = await filesBelow(folder, globs);
  const faults: ItemFault[] = [];
  if (found.length > MOST_FILES) faults.push({ fault: 'tooManyFiles', most: MOST_FILES });
  if (found.length === 0) faults.push({ fault: 'noFiles', glob: globs.join(', ') });
  const items: ExperimentItem[] = [];
  for (const path of found.slice(0, MOST_FILES)) {
    const item = await fileItem(path, map, expected, folder);
    if ('fault' in item) faults.push(item);
    else items.push(item);
  }
  return { items, faults, isText: false };
}

async function fileItem(
  path: string,
  map: Files['map'],
  expected: Expected | undefined,
  folder: string,
): Promise<ExperimentItem | ItemFault> {
  const name = relative(folder, path).split(sep).join('/');
  const uses = Object.entries(map);
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isFile()) return { fault: 'missing', path: name };
  const uri = pathToFileURL(path).href;
  const filename = basename(path);
  const values: Record<string, Json> = {};
  for (const [pointer, use] of uses) {
    if (use === 'name') values[pointer] = filename;
    else if (use === 'file') values[pointer] = { media_ref: uri, filename };
    else {
      if (facts.size > LARGEST_TEXT) return { fault: 'tooLarge', bytes: facts.size, most: LARGEST_TEXT };
      values[pointer] = await readFile(path, 'utf8');
    }
  }
  const hashed = uses.some(([, use]) => use === 'file');
  const files = hashed ? [{ path, uri, filename, sizeBytes: facts.size, sha256: await hashOf(path) }] : [];
  const wanted = await expectedOf(path, name, expected);
  if (wanted && 'fault' in wanted) return wanted;
  return { name, values, files, ...wanted };
}

async function expectedOf(
  path: string,
  name: string,
  expected: Expected | undefined,
): Promise<{ expected: string } | ItemFault | undefined> {
  if (!expected || 'column' in expected || 'judged' in expected) return undefined;
  if ('folder' in expected) return { expected: basename(dirname(path)) };
  const beside = `${path.slice(0, path.length - extname(path).length)}${expected.file}`;
  const facts = await lstat(beside).catch(() => undefined);
  if (!facts?.isFile() || facts.size > LARGEST_TEXT) return { fault: 'noExpected', path: name };
  return { expected: (await readFile(beside, 'utf8')).trim() };
}

/** Whether a path relative to the experiment's folder, with "/", is one of those that globs name. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs
    .filter((glob) => glob.length <= LONGEST_GLOB)
    .flatMap((glob) => withoutBraces(glob.replace(/^\.\//, '')) ?? [])
    .flatMap((glob) => pathMatcher(glob, true, false) ?? []);
  // For all paths together: the globs of a repository may be made to take long.
  const budget = { steps: MOST_STEPS };
  return (path) => {
    const segments = path.split('/');
    if (segments.some((name) => name.startsWith('.'))) return false;
    try {
      return matchers.some((matches) => matches(segments, budget));
    } catch (error) {
      if (error instanceof TooManySteps) return false;
      throw error;
    }
  };
}

/** Regular files below a folder that match; links are not followed, hidden names and node_modules are left out. */
export async function filesBelow(folder: string, globs: readonly string[]): Promise<string[]> {
  const matches = matcherOf(globs);
  const found: string[] = [];
  const pending = [''];
  const turns = new Turns();
  for (let at = pending.pop(); at !== undefined && found.length <= MOST_FILES; at = pending.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (turns.isOver) await turns.next();
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules';
      if (entry.isDirectory() && !isHidden) pending.push(path);
      else if (entry.isFile() && matches(path)) found.push(path);
    }
  }
  // Sorted by their names with slashes: the order of an experiment's cells is the same on every system.
  return found.sort().map((path) => join(folder, path));
}

/** The real path of a regular file inside the folder, or why there is none. */
export async function ownFile(path: string, folder: string): Promise<string | ItemFault> {
  const name = relative(folder, path).split(sep).join('/') || '.';
  const [real, root] = [await realpath(path).catch(() => undefined), await realpath(folder)];
  if (!isInside(path, folder)) return { fault: 'outside', path: name };
  if (real === undefined) return { fault: 'missing', path: name };
  if (!isInside(real, root)) return { fault: 'outside', path: name };
  return (await lstat(real)).isFile() ? real : { fault: 'notAFile', path: name };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
