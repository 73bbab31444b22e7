import { sumByCurrency } from '../../domain/amounts';
import type { Json } from '../../domain/json';
import type { ComparedPlace } from '../file/format';
import { judgedRun } from '../judges/judgedKey';
import type { Metric } from '../metrics/metrics';
import { readableValue } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { type ReadResults, resultText } from '../results/results';
import { measureRun } from '../table/measureRun';
import type { ExperimentTable } from '../table/table';

type Value = string | number | undefined;

/** One row for each run that has a result, in the order of these rows of the table; columns are varied places and facts. */
export function runTable(table: ExperimentTable, order: readonly number[], metrics: readonly Metric[]) {
  const { variations, items } = table.plan;
  const places = [...new Set(variations.flatMap((variation) => Object.keys(variation)))];
  const inputs = [...new Set(items.flatMap(({ values }) => Object.keys(values)))];
  const facts = [
    'outcome',
    'score',
    'expected',
    'cost',
    'currency',
    'duration_ms',
    'started_at',
    'run_id',
    'reason',
  ];
  const header = [
    'item',
    ...inputs,
    ...places,
    'repeat',
    'state',
    ...facts,
    ...metrics.map(({ name }) => name),
  ];
  const counted = new Set<string>();
  /** A run that serves several rows is paid once, so the column adds up; of several currencies, as text. */
  const costParts = ({ custom_id: id }: ResultLine): [Value, Value] => {
    const costs = sumByCurrency(table.costs(id));
    const [first] = costs;
    const isFirst = !counted.has(id);
    counted.add(id);
    if (!first) return [undefined, undefined];
    if (!isFirst) return ['0', first.currency];
    const join = (texts: readonly (string | undefined)[]) => texts.filter(Boolean).join(' + ');
    return [
      join(costs.map(({ amount }) => amount)),
      join(costs.map(({ currency }) => currency)) || undefined,
    ];
  };
  const rows = linesIn(table, order).map(({ line, row, column }): Value[] => {
    const { name, values, expected, isGone } = items[row]!;
    const { text, file } = table.outcome(line);
    return [
      ...[
        // Another input may have that name now.
        isGone ? `${name} (changed or gone)` : name,
        ...inputs.map((place) => cellText(values[place])),
        ...places.map((place) => cellText(variations[column]![place])),
      ],
      ...[
        line.repeat + 1,
        line.state,
        file ?? wholeOutcome(line, table.at) ?? text,
        table.score(line),
        cellText(expected),
      ],
      ...[...costParts(line), line.duration_ms, line.started_at, line.run_id, line.reason],
      ...metrics.map((metric) => measureRun(table, { row, column }, line, metric)),
    ];
  });
  return { header, rows };
}

/**
 * The results of these rows of the table and judgements of them, by models and people, as in the results file.
 * @param earlier lines of other requests that were paid for, by the id of their run: so the costs add up
 */
export function resultLines(
  table: ExperimentTable,
  order: readonly number[],
  earlier: ReadResults['earlier'] = new Map(),
): string {
  const counting = new Set(linesIn(table, order).map(({ line }) => line));
  const lines = [...counting].flatMap((line) => [...(earlier.get(line.custom_id) ?? []), line]);
  const ids = new Set(lines.map(({ custom_id: id }) => id));
  const judgements = table.judgements.filter(({ custom_id: id }) => ids.has(id));
  return [...lines, ...judgingOf(table, ids), ...judgements].map(resultText).join('');
}

/** Results of judges' runs about these runs, each once. */
function judgingOf({ judging }: ExperimentTable, ids: ReadonlySet<string>): readonly ResultLine[] {
  const lines = new Set<ResultLine>();
  for (const verdicts of judging.verdicts.values())
    for (const [key, verdict] of verdicts)
      if (ids.has(judgedRun(key))) for (const line of verdict.lines) lines.add(line);
  return [...lines];
}

function linesIn(table: ExperimentTable, order: readonly number[]) {
  return order.flatMap((row) =>
    Array.from({ length: table.columns }, (_, column) => column).flatMap((column) =>
      table.lines(row, column).map((line) => ({ line, row, column })),
    ),
  );
}

/** The compared value, whole; a table's cell shows its beginning only. */
function wholeOutcome(line: ResultLine, at: ComparedPlace): string | undefined {
  if (line.state !== 'finished') return undefined;
  const value = readableValue(line, at);
  return value === undefined ? undefined : cellText(value);
}

function cellText(value: Json | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  // A media object of an input names a file by its URI, which is private.
  const filename = (value as { filename?: Json } | null)?.filename;
  return typeof filename === 'string' ? filename : JSON.stringify(value);
}
