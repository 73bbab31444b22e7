import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { nearestName } from '../../domain/nearestName';
import { segmentsOf } from '../../domain/pointer';
import { getAt, isObject } from '../../domain/value';
import type { CellDetail } from '../../protocol/experiment';
import { classifyResult } from '../../results/classify';
import { visibleText } from '../../wording/plainText';
import { comparesValues } from '../file/askedMetrics';
import type { ExperimentFile } from '../file/format';
import { itemsOf } from '../file/items';
import type { LoadedExperiment } from '../file/load';
import { globOf } from '../file/newExperiment';
import type { ExperimentProblem } from '../file/read';
import { isBlank } from '../metrics/equality';
import { measureItem } from '../metrics/metrics';
import { variationKey, variationsOf } from '../plan/grid';
import { type Comparing, comparingOf, measuredValue, placeIn, UNREADABLE } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { readResultsFile, resultPlaces } from '../results/resultsFile';
import { jsonLine } from '../table/jsonLine';
import { shortened } from '../table/outcome';
import type { ExperimentTable, TablePlan } from '../table/table';
import { comparedPlaces } from './columns';

/** A finished result, and the expected value of its input. */
export interface JudgedResult {
  readonly line: ResultLine;
  readonly expected: Json | undefined;
}

/** A part of results, and how often it equals the expected value. */
interface ResultPart {
  /** JSON pointer; '' is the whole result. */
  readonly at: string;
  /** In the first results; undefined where one lacks it. */
  readonly values: readonly (Json | undefined)[];
  /** Results with a part equal to the expected value, of those with one. */
  readonly equal: number;
  readonly of: number;
  /** Why it never can. */
  readonly fault?: 'object' | 'list' | 'number';
}

/** The comparable parts in the results of a model. */
export interface ComparedParts {
  /** Missing: the experiment has one model. */
  readonly model?: string;
  /** JSON pointer to the part that is compared now. */
  readonly at: string;
  /** The likeliest first, without the whole result. */
  readonly parts: readonly ResultPart[];
  readonly results: number;
  /**
   * The problem with `at`: no result has a value there, or each has an object or a list where a label is expected.
   * `hit`: it is in a hit of a search, and the first may be the query.
   */
  readonly fault?: 'missing' | 'object' | 'list' | 'hit';
}

/** Results of a model that are searched for parts, and compared with their expected values. */
const MOST_SEARCHED = 20;
const MOST_COMPARED = 200;
/** More parts are not useful to choose from. */
const MOST_PARTS = 12;
const MOST_VALUES = 3;
const EXACT = { name: 'exact', tolerance: 0 } as const;

/** Finished results of the grid; empty where no value in them is compared. A long one is in a file, and left out. */
export function judgedResults(
  experiment: Pick<ExperimentFile, 'expected'> | undefined,
  { runs, items }: Pick<TablePlan, 'runs' | 'items'>,
  results: ReadonlyMap<string, ResultLine>,
): JudgedResult[] {
  if (!comparesValues(experiment)) return [];
  return runs.flatMap(({ customId, serves }) => {
    const line = results.get(customId);
    return line && hasResult(line) ? { line, expected: items[serves[0]!.item]!.expected } : [];
  });
}

function hasResult({ state, result }: ResultLine): boolean {
  return state === 'finished' && result !== undefined;
}

function byModel(results: readonly JudgedResult[]): Map<string | undefined, JudgedResult[]> {
  const models = new Map<string | undefined, JudgedResult[]>();
  for (const one of results) {
    const named = one.line.variation['/model'];
    const model = typeof named === 'string' ? named : undefined;
    const known = models.get(model);
    if (known) known.push(one);
    else models.set(model, [one]);
  }
  return models;
}

/** The comparable parts in the results of an experiment, by model. */
export function comparedParts(results: readonly JudgedResult[], comparing: Comparing): ComparedParts[] {
  // Metrics of hits read the list, and labels are those of its files.
  const areLabels = areExpectedLabels(results) && comparing.ofHits !== true;
  return [...byModel(results)].map(([model, own]) => {
    const { line: first } = own[0]!;
    const at = placeIn(comparing.at, first.variation);
    // A value in a file that was not read may exist.
    const values = own.map(({ line }) => measuredValue(line, at)).filter((value) => value !== UNREADABLE);
    const fault =
      values.length === 0
        ? undefined
        : values.every((value) => value === undefined)
          ? 'missing'
          : (kindFault(values, areLabels) ?? (isInHit(first.result, at) ? 'hit' : undefined));
    return {
      ...(model !== undefined && { model }),
      at,
      results: own.length,
      parts: partsOf(own.slice(0, MOST_SEARCHED), comparing.isText),
      ...(fault !== undefined && { fault }),
    };
  });
}

/** A part with its verdict for each model, where there are several. */
export interface PartVerdict extends ResultPart {
  readonly models: readonly (Pick<ResultPart, 'equal' | 'of'> & { readonly model: string })[];
  /** The number of first results of each model that were read; missing: all were read. */
  readonly first?: number;
}

/**
 * Parts of results that may be compared, those that are right most often first; the whole result is the last.
 * @param isText the expected values are text of a table
 */
export function partVerdicts(results: readonly JudgedResult[], isText: boolean): PartVerdict[] {
  const models = [...byModel(results)].map(([model = '', own]) => ({
    model,
    own: own.slice(0, MOST_COMPARED),
  }));
  const looked = models.flatMap(({ own }) => own);
  if (looked.length === 0) return [];
  return [...partsOf(looked, isText), partOf('', looked, isText)].map((part) => ({
    ...part,
    models:
      models.length > 1 ? models.map(({ model, own }) => ({ model, ...partOf(part.at, own, isText) })) : [],
    ...(looked.length < results.length && { first: MOST_COMPARED }),
  }));
}

function partsOf(results: readonly JudgedResult[], isText: boolean): ResultPart[] {
  const places = new Set(results.flatMap(({ line }) => comparedPlaces(line.result)));
  return [...places]
    .map((at) => partOf(at, results, isText))
    .sort((a, b) => b.equal - a.equal)
    .slice(0, MOST_PARTS);
}

function partOf(at: string, results: readonly JudgedResult[], isText: boolean): ResultPart {
  const expecting = results.filter(({ expected }) => !isBlank(expected));
  const got = ({ line }: JudgedResult) => getAt(line.result!, at);
  const isRight = (one: JudgedResult) => measureItem(EXACT, got(one), one.expected, isText) === 1;
  const equal = expecting.filter(isRight).length;
  const values = results.map(got);
  const present = values.filter((value) => value !== undefined && value !== null);
  const areLabels = areExpectedLabels(results);
  const isNumber = ({ expected }: JudgedResult) => !Number.isNaN(Number(expected));
  const areNumbers = present.every((value) => typeof value === 'number');
  const fault =
    kindFault(present, areLabels) ??
    (areLabels && areNumbers && !expecting.some(isNumber) ? 'number' : undefined);
  return {
    at,
    values: values.slice(0, MOST_VALUES),
    equal,
    of: expecting.length,
    ...(equal === 0 && present.length > 0 && fault !== undefined && { fault }),
  };
}

/** Of values that are to equal labels. */
function kindFault(values: readonly (Json | undefined)[], areLabels: boolean): 'object' | 'list' | undefined {
  if (!areLabels) return undefined;
  if (values.every((value) => isObject(value))) return 'object';
  return values.every((value) => Array.isArray(value)) ? 'list' : undefined;
}

/** Text of a table may hold JSON; a list of labels is one of them. */
function areExpectedLabels(results: readonly JudgedResult[]): boolean {
  const values = results.map(({ expected }) => expected).filter((value) => !isBlank(value));
  return (
    values.length > 0 &&
    values.every((value) => (typeof value === 'string' ? !/^\s*[[{]/.test(value) : typeof value !== 'object'))
  );
}

function isInHit(result: Json | undefined, at: string): boolean {
  return (
    at !== '' &&
    classifyResult(result).sections.some(
      ({ part, pointer }) => part.kind === 'hits' && at.startsWith(`${pointer}/`),
    )
  );
}

/** More values of one result are not useful to choose from. */
const MOST_OFFERED = 30;
const LONGEST_VALUE = 60;

/** The values in the result of a cell that can be compared with the expected ones, by a click. */
export function offeredParts(
  { experiment, table }: { readonly experiment?: ExperimentFile; readonly table: ExperimentTable },
  { row, column }: { readonly row: number; readonly column: number },
): CellDetail['compare'] {
  const variation = table.plan.variations[column];
  if (!comparesValues(experiment) || !variation || table.isOther(column)) return undefined;
  const result = table.finished(row, column)[0]?.result;
  const places = comparedPlaces(result).slice(0, MOST_OFFERED);
  if (places.length === 0) return undefined;
  const { '/model': model } = variation;
  return {
    ...(typeof model === 'string' && { model }),
    at: table.placeIn(variation),
    parts: places.map((at) => {
      const value = getAt(result!, at)!;
      const text = typeof value === 'string' ? value : jsonLine(value);
      return { at, value: visibleText(shortened(text, LONGEST_VALUE)) };
    }),
  };
}

/** Doubts about the compared parts of these results, in sentences. */
export function comparedWarnings(results: readonly JudgedResult[], comparing: Comparing): string[] {
  return comparedParts(results, comparing).flatMap((parts) => comparedPartText(parts) ?? []);
}

/** The same by the results that are in a file. @param results its absolute path */
export async function partWarnings(
  { experiment, plan }: Pick<LoadedExperiment, 'experiment' | 'plan'>,
  results: string,
): Promise<string[]> {
  const read = comparesValues(experiment) ? (await readResultsFile(results)).results : [];
  const lines = new Map(read.map((line) => [line.custom_id, line]));
  return comparedWarnings(judgedResults(experiment, plan, lines), comparingOf(experiment));
}

/** Larger files are read by the table only. */
const MOST_BYTES = 4_000_000;
/** Inputs to read expected values of, where each is a file. */
const MOST_FILES = 20;

/**
 * Problems of the compared part by the results so far, while the experiment is edited: no result has it, or all have an
 * object there where a label is expected.
 * @param path absolute path of the experiment
 */
export async function comparedProblems(
  experiment: ExperimentFile,
  path: string,
): Promise<ExperimentProblem[]> {
  const { file } = resultPlaces(path);
  if (!comparesValues(experiment) || !(await isShort(file))) return [];
  const variations = new Set(variationsOf(experiment.vary).map(variationKey));
  // A file that cannot be read is reported by the table, and before runs are sent.
  const read = await readResultsFile(file).catch(() => undefined);
  const lines = read?.results.filter(
    (line) => hasResult(line) && variations.has(variationKey(line.variation)),
  );
  if (!lines || lines.length === 0) return [];
  const expected = await expectedValues(experiment, dirname(path), lines);
  const results = lines.map((line) => ({ line, expected: expected.get(line.item) }));
  return comparedWarnings(results, comparingOf(experiment)).map((message) => ({
    pointer: 'at' in (experiment.expected ?? {}) ? '/expected/at' : '/expected',
    message,
    severity: 'warning',
    source: 'meaning',
  }));
}

/** The expected values of the inputs that have results, by their names, without reading other values. */
async function expectedValues(
  { over, expected }: ExperimentFile,
  folder: string,
  lines: readonly ResultLine[],
): Promise<ReadonlyMap<string, Json | undefined>> {
  if (!over || ('rows' in over && !(await isShort(join(folder, over.rows))))) return new Map();
  const names = [...new Set(lines.map(({ item }) => item))].slice(0, MOST_FILES);
  const inputs = 'rows' in over ? { rows: over.rows, map: {} } : { files: names.map(globOf), map: {} };
  const { items } = await itemsOf(inputs, expected, folder);
  return new Map(items.map((item) => [item.name, item.expected]));
}

async function isShort(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && facts.size <= MOST_BYTES;
}

const MOST_NAMED = 4;

/** The problem with the compared place, and a better place; undefined when it fits. */
export function comparedPartText({ model, at, parts, results, fault }: ComparedParts): string | undefined {
  if (fault === undefined) return undefined;
  const of = model ?? l10n.t('this model');
  const place = at === '' ? l10n.t('the whole result') : at;
  const places = parts.map((part) => part.at);
  const near = nearestPart(at, places);
  const proposal =
    near !== undefined
      ? l10n.t('Did you mean {0}?', near)
      : places.length > 0
        ? l10n.t('Compare one of its parts: {0}.', places.slice(0, MOST_NAMED).join(', '))
        : l10n.t('Correct "at".');
  switch (fault) {
    case 'missing':
      return results === 1
        ? l10n.t('The result of {0} has no value at {1}. {2}', of, place, proposal)
        : l10n.t('None of the {0} results of {1} has a value at {2}. {3}', results, of, place, proposal);
    case 'object':
      return l10n.t('The compared part, {0}, is an object in every result of {1}. {2}', place, of, proposal);
    case 'list':
      return l10n.t('The compared part, {0}, is a list in every result of {1}. {2}', place, of, proposal);
    case 'hit':
      return l10n.t(
        'The compared part, {0}, is in one of the hits of {1}: the first may be the query itself. “hit@1” leaves it out.',
        place,
        of,
      );
  }
}

/** The part with a last name almost that of the place. */
function nearestPart(at: string, parts: readonly string[]): string | undefined {
  const lastSegment = (pointer: string) => segmentsOf(pointer).at(-1) ?? '';
  const names = new Map(parts.map((part) => [lastSegment(part), part]));
  const near = at === '' ? undefined : nearestName(lastSegment(at), [...names.keys()]);
  return near === undefined ? undefined : names.get(near);
}

/** "equals the expected value in 3 of 5", or "equals the expected value: a 3 of 5, b 0 of 5". */
export function verdictText({ equal, of, fault, models, first }: PartVerdict): string {
  switch (fault) {
    case 'object':
      return l10n.t('an object: cannot equal a label');
    case 'list':
      return l10n.t('a list: cannot equal a label');
    case 'number':
      return l10n.t('a number, not a label');
    case undefined:
      break;
  }
  if (of === 0) return '';
  const text =
    equal === 0
      ? l10n.t('equals in 0 of {0}', of)
      : models.length === 0
        ? l10n.t('equals the expected value in {0} of {1}', equal, of)
        : l10n.t(
            'equals the expected value: {0}',
            models.map((one) => l10n.t('{0} {1} of {2}', one.model, one.equal, one.of)).join(', '),
          );
  return first === undefined ? text : l10n.t('{0} (of the first {1} results)', text, first);
}

/** "labels › 0 › name". */
export function partName(at: string): string {
  return at === '' ? l10n.t('the whole result') : segmentsOf(at).join(' › ');
}

/**
 * A better part to compare when the whole result is compared by default, and is never right. Undefined: there is
 * none.
 */
export function betterPart(verdicts: readonly PartVerdict[]): PartVerdict | undefined {
  const [best] = verdicts;
  const whole = verdicts.find(({ at }) => at === '');
  return best && best.at !== '' && best.equal > 0 && whole?.equal === 0 ? best : undefined;
}
