import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { nearestName } from '../../domain/nearestName';
import { segmentsOf } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import { classifyResult } from '../../results/classify';
import type { ExperimentItem } from '../file/items';
import { type Comparing, measuredValue, placeIn, readableValue, UNREADABLE } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { comparedPlaces } from './columns';

/** The comparable parts in the results of a model. */
export interface ComparedParts {
  /** Missing: the experiment has one model. */
  readonly model?: string;
  /** JSON pointer to the part that is compared now. */
  readonly at: string;
  /** JSON pointers to possible parts, the likeliest first. */
  readonly parts: readonly string[];
  readonly results: number;
  /**
   * The problem with `at`: no result has a value there, or each has an object or a list where a label is expected.
   * `hit`: it is in a hit of a search, and the first may be the query.
   */
  readonly fault?: 'missing' | 'object' | 'list' | 'hit';
}

/** Results of a model that are searched for parts. */
const MOST_RESULTS = 20;
/** More parts are not useful to choose from. */
const MOST_PARTS = 12;

/**
 * The comparable parts in the results of an experiment, by model.
 * @param expected the expected values of its inputs; empty: not known
 */
export function comparedParts(
  lines: Iterable<ResultLine>,
  comparing: Comparing,
  expected: readonly Json[],
): ComparedParts[] {
  const byModel = new Map<string | undefined, ResultLine[]>();
  for (const line of lines) {
    const model = line.variation['/model'];
    // A long result is in a file of its own, and not looked at.
    if (line.state !== 'finished' || line.result === undefined) continue;
    const key = typeof model === 'string' ? model : undefined;
    const known = byModel.get(key);
    if (known) known.push(line);
    else byModel.set(key, [line]);
  }
  const texts = new Set(expected.map(valueText));
  const areLabels = expected.length > 0 && expected.every(isLabel);
  return [...byModel].map(([model, own]) => {
    const at = placeIn(comparing.at, own[0]!.variation);
    // A value in a file that was not read may exist.
    const values = own.map((line) => measuredValue(line, at)).filter((value) => value !== UNREADABLE);
    // Metrics of hits read the list, and labels are those of its files.
    const isOfLabels = areLabels && comparing.ofHits !== true;
    const fault =
      values.length === 0
        ? undefined
        : (valuesFault(values, isOfLabels) ?? (isInHit(own[0]!.result, at) ? 'hit' : undefined));
    return {
      ...(model !== undefined && { model }),
      at,
      results: own.length,
      parts: comparableParts(own.slice(0, MOST_RESULTS), texts),
      ...(fault !== undefined && { fault }),
    };
  });
}

/** The expected values of inputs; a list of labels is one of them. */
export function expectedIn(items: readonly Pick<ExperimentItem, 'expected'>[]): Json[] {
  return items.map(({ expected }) => expected).filter((value) => value !== undefined && value !== null);
}

/** Text of a table may hold JSON. */
function isLabel(value: Json): boolean {
  return typeof value === 'string' ? !/^\s*[[{]/.test(value) : typeof value !== 'object' || value === null;
}

/** Doubts about the compared parts of these results, in sentences. */
export function comparedWarnings(...args: Parameters<typeof comparedParts>): string[] {
  return comparedParts(...args).flatMap((parts) => comparedPartText(parts) ?? []);
}

function valuesFault(values: readonly (Json | undefined)[], areLabels: boolean): ComparedParts['fault'] {
  if (values.every((value) => value === undefined)) return 'missing';
  if (!areLabels) return undefined;
  if (values.every((value) => isObject(value))) return 'object';
  return values.every((value) => Array.isArray(value)) ? 'list' : undefined;
}

function isInHit(result: Json | undefined, at: string): boolean {
  return (
    at !== '' &&
    classifyResult(result).sections.some(
      ({ part, pointer }) => part.kind === 'hits' && at.startsWith(`${pointer}/`),
    )
  );
}

/** Parts that have a value in some result, those first that have one of the expected values. */
function comparableParts(lines: readonly ResultLine[], expected: ReadonlySet<string>): string[] {
  const hits = new Map<string, number>();
  for (const line of lines)
    for (const place of comparedPlaces(line.result)) {
      const value = readableValue(line, place);
      hits.set(place, (hits.get(place) ?? 0) + Number(value !== undefined && expected.has(valueText(value))));
    }
  return [...hits]
    .sort(([, a], [, b]) => b - a)
    .map(([place]) => place)
    .slice(0, MOST_PARTS);
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

const MOST_NAMED = 4;

/** The problem with the compared place, and a better place; undefined when it fits. */
export function comparedPartText({ model, at, parts, results, fault }: ComparedParts): string | undefined {
  if (fault === undefined) return undefined;
  const of = model ?? l10n.t('this model');
  const place = at === '' ? l10n.t('the whole result') : at;
  const near = nearestPart(at, parts);
  const named = parts.slice(0, MOST_NAMED).join(', ');
  const proposal =
    near !== undefined
      ? l10n.t('Did you mean {0}?', near)
      : parts.length > 0
        ? l10n.t('Compare one of its parts: {0}.', named)
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
