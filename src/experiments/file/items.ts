import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { addAll } from '../../domain/many';
import { cannotBeExact } from '../../forms/issueMessage';
import { checkedType, type FileFault, headAt } from '../../intake/fileCheck';
import { PathGlobs } from '../../intake/globs';
import { MOST_FAULTS, MOST_ROWS, type TableFault } from '../../intake/table';
import { decodedText, type TextFault } from '../../intake/text';
import { walk } from '../../intake/walk';
import { isInside } from '../../runFiles/paths';
import { Turns } from '../../service/turns';
import { formatBytes } from '../../wording/bytes';
import { readInput } from '../files/door';
import type { Relevance } from '../metrics/hits';
import { itemFaultText } from './faultText';
import type { Expected, Over } from './format';
import { itemFile, ownFile, slashed, unreadableFault } from './ownFile';
import { RowMedia } from './rowMedia';
import { columnKey } from './rowTemplate';
import { tableAt } from './tableFile';

export interface ItemFile {
  readonly path: string;
  /** Its reference in a request before its upload. */
  readonly uri: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A row of the experiment's table: its values that differ from other rows in the request. */
export interface ExperimentItem {
  /** Shown and recorded: a path relative to the experiment with "/" between its parts, or "row 3". */
  readonly name: string;
  /** Place in the request → value, and `{{column}}` → value for templates. Text of CSV is still text. */
  readonly values: Readonly<Record<string, Json>>;
  readonly files: readonly ItemFile[];
  readonly expected?: Json;
  /** Which hits of a search are right for it; missing where none is known, or hits are not measured. */
  readonly relevance?: Relevance;
}

export type ItemFault =
  | TableFault
  | { readonly fault: 'missing' | 'outside' | 'broken' | 'notAFile' | 'address'; readonly path: string }
  /** `detail`: the code of the system. */
  | { readonly fault: 'unreadable'; readonly path: string; readonly detail: string }
  | (FileFault & { readonly path: string })
  | ((TextFault | Extract<TableFault, { fault: 'tooLarge' }>) & { readonly path: string })
  | {
      readonly fault: 'noColumn';
      readonly column: string;
      readonly columns: readonly string[];
      /** Between its columns, where it is not that of the file's ending. */
      readonly delimiter?: string;
    }
  | { readonly fault: 'unusableGlob'; readonly glob: string }
  | { readonly fault: 'slowGlobs' }
  | { readonly fault: 'noFiles'; readonly glob: string }
  | { readonly fault: 'tooManyFiles'; readonly most: number }
  | { readonly fault: 'noExpected'; readonly path: string };

export interface Items {
  readonly items: readonly ExperimentItem[];
  readonly faults: readonly ItemFault[];
  /** The mapped values are text of a table, to be read as the model's fields want them. */
  readonly isText: boolean;
  /** Between the columns of the table, where it is not that of its ending. */
  readonly delimiter?: string;
  /** Why there are none: together they would fill the memory. */
  readonly tooMany?: string;
}

/** The types of files that the field at a place of the request takes, see `isAccepted`. */
export type AcceptOf = (pointer: string) => readonly string[];

/** More files are no experiment any more, and listing them would fill the memory. */
const MOST_FILES = 100_000;
/** A larger text is no input of a field. */
const LARGEST_TEXT = 1_000_000;

/** Values of all inputs together, a place of each: more would fill the memory. */
const MOST_VALUES = 2_000_000;
/** Characters of all files that are sent as text. */
const MOST_TEXT = 50_000_000;

/** The number of inputs with this many places at which reading ends. */
function mostInputs(places: number): number {
  return Math.floor(MOST_VALUES / Math.max(1, places));
}

function tooManyValues(places: number): string {
  return l10n.t(
    'More than {0} inputs with {1} places each are more values than can be read ({2}). Use fewer inputs, or map fewer places.',
    ...[mostInputs(places), places, MOST_VALUES],
  );
}

/**
 * The items of an experiment. Without `over` there is one, which changes nothing. Files stay in the folder of the
 * experiment, symbolic links resolved: a repository cannot cause an upload of files elsewhere.
 * @param folder absolute path of the experiment's folder
 * @param columns those that templates name
 */
export async function itemsOf(
  over: Over | undefined,
  expected: Expected | undefined,
  folder: string,
  acceptOf: AcceptOf = () => [],
  columns: readonly string[] = [],
): Promise<Items> {
  if (!over) return { items: [{ name: '', values: {}, files: [] }], faults: [], isText: false };
  return 'rows' in over
    ? rowItems(over, expected, folder, acceptOf, columns)
    : fileItems(over, expected, folder, acceptOf);
}

const NO_FILES: readonly ItemFile[] = [];

type Rows = Extract<Over, { rows: string }>;
type Files = Extract<Over, { files: unknown }>;

async function rowItems(
  { rows, map, media = {} }: Rows,
  expected: Expected | undefined,
  folder: string,
  acceptOf: AcceptOf,
  templated: readonly string[],
): Promise<Items> {
  const none = (...faults: ItemFault[]): Items => ({ items: [], faults, isText: true });
  const path = await ownFile(rows, folder);
  if (typeof path !== 'string') return none(path);
  const column = expected && 'column' in expected ? expected.column?.normalize('NFC') : undefined;
  const named = [...Object.values(map), ...Object.values(media), ...templated];
  const wanted = [...named, ...(column === undefined ? [] : [column])].map((name) => name.normalize('NFC'));
  const turns = new Turns();
  const places = named.length;
  const mostRows = mostInputs(places);
  const kept = { columns: new Set(wanted), mostRows: Math.min(mostRows, MOST_ROWS) };
  const table = await tableAt(path, turns, kept).catch((error: unknown) => unreadableFault(rows, error));
  if ('fault' in table) return none(table);
  if (mostRows < MOST_ROWS && table.faults.some(({ fault }) => fault === 'tooManyRows'))
    return { ...none(), tooMany: tooManyValues(places) };
  const missing = [...new Set(wanted)].filter((name) => !table.columns.includes(name));
  const { columns, faults } = table;
  const taken = table.delimiter === undefined ? {} : { delimiter: table.delimiter };
  if (missing.length > 0 && columns.length > 0) {
    const described = { columns, ...taken };
    return none(
      ...faults,
      ...missing.map((column) => ({ fault: 'noColumn', column, ...described }) as const),
    );
  }
  const sent = [
    ...Object.entries(map).map(([pointer, name]) => [pointer, name.normalize('NFC')] as const),
    ...templated.map((name) => [columnKey(name), name] as const),
  ];
  const rowMedia = new RowMedia(folder, Object.entries(media), acceptOf);
  const leftOut: ItemFault[] = [];
  const leaveOut = (line: number, detail: string) => {
    if (leftOut.length < MOST_FAULTS) leftOut.push({ fault: 'line', line, detail });
  };
  const items: ExperimentItem[] = [];
  for (const { line, values, inexact: digits = {} } of table.rows) {
    if (turns.isOver) await turns.next();
    const changed = sent.find(([, name]) => Object.hasOwn(digits, name));
    if (changed !== undefined) {
      leaveOut(line, cannotBeExact(digits[changed[1]]!));
      continue;
    }
    const lacking = templated.find((name) => (values[name] ?? null) === null);
    if (lacking !== undefined) {
      leaveOut(line, l10n.t('it has no “{0}”, which a text of the run names', lacking));
      continue;
    }
    const files = await rowMedia.read(values);
    if ('fault' in files) {
      leaveOut(line, itemFaultText(files));
      continue;
    }
    // Of one shape, as members are added one by one: an object of entries takes five times the memory.
    const own: Record<string, Json> = {};
    for (const [pointer, name] of sent) if (Object.hasOwn(values, name)) own[pointer] = values[name]!;
    for (const { pointer, value } of files) own[pointer] = value;
    items.push({
      name: `row ${line}`,
      values: own,
      files: files.length === 0 ? NO_FILES : files.map(({ file }) => file),
      ...(column !== undefined && Object.hasOwn(values, column) && { expected: values[column]! }),
    });
  }
  const isText = !/\.(?:jsonl|ndjson)$/i.test(path);
  return { items, faults: [...faults, ...leftOut], isText, ...taken };
}

async function fileItems(
  { files, map }: Files,
  expected: Expected | undefined,
  folder: string,
  acceptOf: AcceptOf,
): Promise<Items> {
  const globs = Array.isArray(files) ? files : [files];
  const below = await filesBelow(folder, globs);
  const faults = [...below.faults];
  if (below.paths.length > MOST_FILES) faults.push({ fault: 'tooManyFiles', most: MOST_FILES });
  const outside = globs.find((glob) => !isInside(resolve(folder, glob), folder));
  if (outside !== undefined) faults.push({ fault: 'outside', path: outside });
  if (below.paths.length === 0 && faults.length === 0)
    faults.push({ fault: 'noFiles', glob: globs.join(', ') });
  const none = (tooMany: string): Items => ({ items: [], faults, isText: false, tooMany });
  const places = Object.keys(map).length;
  if (Math.min(below.paths.length, MOST_FILES) > mostInputs(places)) return none(tooManyValues(places));
  const items: ExperimentItem[] = [];
  let characters = 0;
  for (const path of below.paths.slice(0, MOST_FILES)) {
    const name = slashed(folder, path);
    const item = await fileItem(folder, name, map, expected, acceptOf).catch((error: unknown) =>
      unreadableFault(name, error),
    );
    if ('fault' in item) {
      faults.push(item);
      continue;
    }
    items.push(item);
    for (const value of [...Object.values(item.values), item.expected])
      if (typeof value === 'string') characters += value.length;
    if (characters > MOST_TEXT)
      return none(
        l10n.t(
          'The texts of the files have more than {0} together. Use fewer files.',
          formatBytes(MOST_TEXT),
        ),
      );
  }
  return { items, faults, isText: false };
}

async function fileItem(
  folder: string,
  name: string,
  map: Files['map'],
  expected: Expected | undefined,
  acceptOf: AcceptOf,
): Promise<ExperimentItem | ItemFault> {
  const path = join(folder, name);
  const uses = Object.entries(map);
  const { size } = await stat(path);
  const filename = basename(path);
  const values: Record<string, Json> = {};
  const head = await headAt(path);
  for (const [pointer, use] of uses) {
    if (use === 'name') {
      values[pointer] = filename;
      continue;
    }
    const accept = use === 'file' ? acceptOf(pointer) : [];
    const checked = checkedType({ filename, sizeBytes: size, head }, accept);
    if ('fault' in checked) return { ...checked, path: name };
    if (use === 'file') values[pointer] = { media_ref: pathToFileURL(path).href, filename };
    else {
      const text = await textAt(path, name, size);
      if (typeof text !== 'string') return text;
      values[pointer] = text;
    }
  }
  const files = uses.some(([, use]) => use === 'file') ? [await itemFile(path, size)] : [];
  const wanted = await expectedOf(folder, path, name, expected);
  if (wanted && 'fault' in wanted) return wanted;
  return { name, values, files, ...wanted };
}

async function textAt(path: string, name: string, size: number): Promise<string | ItemFault> {
  if (size > LARGEST_TEXT) return { fault: 'tooLarge', bytes: size, most: LARGEST_TEXT, path: name };
  const text = decodedText(await readInput(path, LARGEST_TEXT));
  return typeof text === 'string' ? text : { ...text, path: name };
}

async function expectedOf(
  folder: string,
  path: string,
  name: string,
  expected: Expected | undefined,
): Promise<{ expected: string } | ItemFault | undefined> {
  if (!expected || !('folder' in expected || 'file' in expected)) return undefined;
  if ('folder' in expected) return { expected: basename(dirname(path)).normalize('NFC') };
  const beside = `${name.slice(0, name.length - extname(name).length)}${expected.file}`;
  const own = await ownFile(beside, folder);
  if (typeof own !== 'string') return { fault: 'noExpected', path: name };
  const text = await textAt(own, beside, (await stat(own)).size);
  return typeof text === 'string' ? { expected: text.trim() } : text;
}

/**
 * Regular files below a folder that globs match, but hidden ones and node_modules, and those that paths name; sorted by
 * their names with slashes: the order of an experiment's cells is the same on every system.
 */
async function filesBelow(folder: string, globs: readonly string[]) {
  const wanted = new PathGlobs(globs);
  const faults: ItemFault[] = wanted.unusable.map((glob) => ({ fault: 'unusableGlob', glob }));
  const paths = new Set<string>();
  const turns = new Turns();
  for (const path of wanted.paths) {
    const file = await ownFile(path, folder);
    if (typeof file === 'string') paths.add(slashed(folder, file));
    else faults.push(file);
    if (turns.isOver) await turns.next();
  }
  if (wanted.hasGlobs) addAll(faults, await matchingFiles(folder, wanted, paths));
  if (wanted.isUsedUp) faults.push({ fault: 'slowGlobs' });
  return { paths: [...paths].sort().map((path) => join(folder, path)), faults };
}

async function matchingFiles(folder: string, wanted: PathGlobs, matches: Set<string>): Promise<ItemFault[]> {
  const enough = new AbortController();
  const walked = await walk<undefined>(folder, {
    root: folder,
    excluded: [],
    respectGitignore: false,
    turns: new Turns(enough.signal),
    signal: enough.signal,
    wants: () => true,
    wantsFolder: (path) => wanted.mayMatchBelow(slashed(folder, path)),
    file: (at, name) => {
      const path = slashed(folder, at + name);
      if (wanted.matches(path)) matches.add(path);
      if (matches.size > MOST_FILES) enough.abort();
      return undefined;
    },
  }).catch((error: unknown) => {
    if (enough.signal.aborted) return undefined;
    throw error;
  });
  if (!walked) return [];
  const unreadable = walked.problems.map(({ path, error }) => unreadableFault(slashed(folder, path), error));
  const skipped = walked.skipped
    .map(({ path, why }) => ({ fault: why, path: slashed(folder, path) }))
    .filter(({ path, fault }) => wanted.matches(path) || (fault === 'outside' && wanted.mayMatchBelow(path)));
  return [...unreadable, ...skipped].sort((a, b) => (a.path < b.path ? -1 : 1));
}
