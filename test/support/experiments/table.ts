import type { Json } from '../../../src/domain/json';
import type { ExperimentItem } from '../../../src/experiments/file/items';
import { type Variation, variationsOf } from '../../../src/experiments/plan/grid';
import { customId } from '../../../src/experiments/plan/runId';
import type { Comparing } from '../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { ExperimentTable, type TablePlan } from '../../../src/experiments/table/table';

export interface TableOptions {
  readonly variations?: readonly Variation[];
  readonly items: readonly ExperimentItem[];
  readonly repeats?: number;
  readonly at?: string;
  readonly comparing?: Partial<Comparing>;
  /** The hash of a cell's request; missing: of its place. */
  readonly requestOf?: (variation: Variation, item: ExperimentItem) => string;
  /** The line of a run; undefined: it has not run. */
  readonly line: (place: {
    readonly variation: number;
    readonly item: number;
    readonly repeat: number;
  }) => (Partial<Omit<ResultLine, 'result'>> & { readonly result?: unknown }) | undefined;
}

/** A table of runs with IDs and results of a test's own. */
export function tableOf({
  items,
  repeats = 1,
  at = '',
  line,
  comparing,
  requestOf,
  ...more
}: TableOptions): ExperimentTable {
  const variations = more.variations ?? variationsOf({ '/model': ['a', 'b'] });
  const results = new Map<string, ResultLine>();
  const cells: TablePlan['runs'][number][] = [];
  for (const [item, own] of items.entries())
    for (const [variation, values] of variations.entries())
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        const sha256 = requestOf?.(values, own) ?? `${item}-${variation}`;
        const id = customId(sha256, repeat);
        cells.push({ customId: id, repeat, serves: [{ variation, item }] });
        const result = line({ variation, item, repeat });
        const shared = { variation: values, item: own.name, repeat, request_sha256: sha256 };
        if (result)
          results.set(id, {
            ...shared,
            custom_id: id,
            state: 'finished',
            ...(result as Partial<ResultLine>),
          });
      }
  return new ExperimentTable({ variations, items, runs: cells }, results, {
    ...{ at, isText: true, failedIsWrong: true },
    ...comparing,
  });
}

export function rowOf(text: Json, expected?: Json): ExperimentItem {
  return {
    name: `row ${String(text).length}`,
    values: { '/input/text': text },
    files: [],
    ...(expected !== undefined && { expected }),
  };
}

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

/** Languages of texts by two models with some values of `top_k`: the first columns miss a row of seven, each another. */
export function languageTable(rows = 100, columns = 3): ExperimentTable {
  return tableOf({
    variations: variationsOf({
      '/model': ['language-id', 'word-statistics'].slice(0, columns),
      '/params/top_k': { from: 1, to: Math.ceil(columns / 2), step: 1 },
    }),
    items: Array.from({ length: rows }, (_, at) => rowOf(`text number ${at}`, LANGUAGES[at % 4]!)),
    at: '/language',
    line: ({ item, variation }) => ({
      result: { language: LANGUAGES[(item + (item % 7 === variation ? 1 : 0)) % 4]! },
      cost: { amount: '0.001', currency: 'USD' },
      duration_ms: 20 + ((item * 7) % 50),
    }),
  });
}
