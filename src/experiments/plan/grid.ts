import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import type { RunDraft } from '../../domain/run';
import { getAt, setAt, valuesIn } from '../../domain/value';
import { formatNumber } from '../../wording/number';
import type { Varied } from '../file/format';
import { decimalsOf, lastStep, randomCount, randomValues } from '../file/randomValues';

/** Values that one column of the table has: place in the request → value. */
export type Variation = Readonly<Record<string, Json>>;

/** The run with the values of a variation. */
export function variedDraft(base: RunDraft, variation: Variation): RunDraft {
  return Object.entries(variation).reduce<Json>(
    (draft, [pointer, value]) => setAt(draft, pointer, value),
    base as unknown as Json,
  ) as unknown as RunDraft;
}

/** The value at a place of a column's requests, whether it is varied or not; undefined: they send none. */
export function sentValue(base: RunDraft | undefined, variation: Variation, place: string): Json | undefined {
  if (Object.hasOwn(variation, place)) return variation[place];
  return base && getAt(base as unknown as Json, place);
}

/** The place of a run: its column, its row and its repeat (from 0). */
export interface RunPlace {
  readonly variation: number;
  readonly item: number;
  readonly repeat: number;
}

/** More values of one place, or more variations in all, are a mistake: each is a column of the table. */
const MOST_VARIATIONS = 10_000;

/** More places that are varied, or mapped, make every request long. Places with one value belong into the run. */
export const MOST_PLACES = 100;

/** Values of all variations together: each has one at each place. */
const MOST_VARIED_VALUES = 100_000;

const MOST = { variations: MOST_VARIATIONS, places: MOST_PLACES, values: MOST_VARIED_VALUES };

/** Too many values, or places of them; `count` is how many there would be. */
export class GridTooLarge extends Error {
  constructor(
    readonly count: number,
    readonly of: keyof typeof MOST = 'variations',
  ) {
    super(`The grid has ${count} ${of}.`);
  }
}

/** What to do about it, as a sentence. */
export function tooLargeText({ count, of }: GridTooLarge): string {
  const [many, most] = [count, MOST[of]].map((number) => formatNumber(number));
  if (of === 'variations') return l10n.t('These values make {0} variations; {1} are possible.', many!, most!);
  return of === 'places'
    ? l10n.t(
        'This experiment varies {0} places; {1} are possible. Move values that do not vary into "run".',
        ...[many!, most!],
      )
    : l10n.t(
        'All variations together have {0} values; {1} are possible. Move values that do not vary into "run".',
        ...[many!, most!],
      );
}

/** @throws GridTooLarge */
export function checkGrid(vary: Readonly<Record<string, Varied>> = {}): void {
  const varied = Object.values(vary);
  if (varied.length > MOST_PLACES) throw new GridTooLarge(varied.length, 'places');
  const count = varied.reduce<number>((product, values) => product * valueCount(values), 1);
  if (count > MOST_VARIATIONS) throw new GridTooLarge(count);
  if (count * varied.length > MOST_VARIED_VALUES) throw new GridTooLarge(count * varied.length, 'values');
}

/**
 * Every combination of values, the last place varying fastest. One empty variation when nothing varies.
 * @throws GridTooLarge
 */
export function variationsOf(vary: Readonly<Record<string, Varied>> = {}): Variation[] {
  checkGrid(vary);
  const places = Object.entries(vary).map(([pointer, values]) => [pointer, variedValues(values)] as const);
  const count = places.reduce((product, [, values]) => product * values.length, 1);
  return Array.from({ length: count }, (_, at) => {
    let rest = at;
    const values = places.map(() => 0);
    for (let place = places.length - 1; place >= 0; place--) {
      const { length } = places[place]![1];
      values[place] = rest % length;
      rest = Math.floor(rest / length);
    }
    return Object.fromEntries(places.map(([pointer, all], place) => [pointer, all[values[place]!]!]));
  });
}

/**
 * The values of one place. Those of a range are rounded to the decimals of its numbers, so that 0.1 + 2 × 0.1 is 0.3.
 * @throws GridTooLarge
 */
export function variedValues(varied: Varied): readonly Json[] {
  if (Array.isArray(varied)) return varied;
  const count = valueCount(varied);
  if (count > MOST_VARIATIONS) throw new GridTooLarge(count);
  if ('random' in varied) return randomValues(varied);
  const { from, step } = varied;
  // `+ 0` makes the -0 of -0.3 + 3 × 0.1 a 0.
  const decimals = Math.max(decimalsOf(from), decimalsOf(step));
  return Array.from({ length: count }, (_, at) => Number((from + at * step).toFixed(decimals)) + 0);
}

/** How many values a place has at most, without making them. */
export function valueCount(varied: Varied): number {
  if (Array.isArray(varied)) return varied.length;
  if ('random' in varied) return randomCount(varied);
  const count = lastStep(varied.from, varied.to, varied.step) + 1;
  return count > 0 ? count : 0;
}

/** Values of all requests together, which the plan keeps. */
const MOST_REQUEST_VALUES = 5_000_000;

/** Why the requests of cells are too long to be planned, as a sentence; undefined where they are not. */
export function requestsFault(draft: RunDraft, cells: number): string | undefined {
  const values = cells * (valuesIn(draft.input) + valuesIn(draft.params) + valuesIn(draft.options));
  if (values <= MOST_REQUEST_VALUES) return undefined;
  return l10n.t(
    'All requests together have {0} values; {1} are possible. Use fewer inputs, fewer values or a shorter run.',
    ...[values, MOST_REQUEST_VALUES],
  );
}

interface GridSize {
  readonly variations: number;
  readonly items: number;
  readonly repeats: number;
}

/** More runs at once, or cells of a table, would fill the memory before anybody is asked about them. */
const MOST_RUNS = 200_000;
const MOST_CELLS = 2_000_000;

/** Why a grid is too large to be planned or shown; undefined where it is not. */
export function sizeFault(size: GridSize): string | undefined {
  const cells = size.variations * size.items;
  if (cells > MOST_CELLS)
    return l10n.t(
      '{0} inputs in {1} variations are more cells than a table can have ({2}). Use fewer inputs or values.',
      ...[size.items, size.variations, MOST_CELLS],
    );
  const runs = cells * size.repeats;
  if (runs <= MOST_RUNS) return undefined;
  return l10n.t(
    'This experiment has {0} runs; {1} are possible at once. Choose some of them with "sample".',
    runs,
    MOST_RUNS,
  );
}

/**
 * The places of runs in their order: variations take turns, so that all of them have been seen after as many
 * runs as there are variations, and every item has run before one is repeated.
 */
export function* runPlaces({ variations, items, repeats }: GridSize): Generator<RunPlace> {
  for (let repeat = 0; repeat < repeats; repeat++)
    for (let item = 0; item < items; item++)
      for (let variation = 0; variation < variations; variation++) yield { variation, item, repeat };
}

/** The same for variations with the same values. */
export function variationKey(variation: Variation): string {
  return JSON.stringify(Object.entries(variation).sort(([a], [b]) => (a < b ? -1 : 1)));
}
