import * as l10n from '@vscode/l10n';
import { itemSha256 } from '../cellId';
import { readCompared } from '../comparedFiles';
import { variationKey } from '../grid';
import { compareColumns } from '../metrics/columns';
import { betterOf, isJudged } from '../metrics/metrics';
import type { RecordedTable } from '../recordedTable';
import type { ReadResults, ResultLine } from '../results';
import { comparedItems } from '../table/comparedItems';
import { comparisonText, correctedComparisons, SIGNIFICANT } from '../table/figureTexts';
import { ExperimentTable, type TablePlan } from '../table/table';
import { becameText, changedRows } from './changedRows';
import type { GateCheck } from './thresholds';

/**
 * Which earlier results a column is compared with: those of the same values, or all of them where they are of one
 * variation only, since then it is the run itself that has changed.
 * @param variations of the experiment
 * @returns the key of the earlier variation by column; undefined: there are none
 */
export function earlierVariations(
  variations: TablePlan['variations'],
  earlier: readonly Pick<ResultLine, 'variation'>[],
): (string | undefined)[] {
  const known = new Set(earlier.map(({ variation }) => variationKey(variation)));
  const only = known.size === 1 ? [...known][0] : undefined;
  return variations.map((variation) => {
    const key = variationKey(variation);
    return known.has(key) ? key : only;
  });
}

/**
 * The table with earlier results in the place of its own: a result belongs to a row by the identity of its input, and to a
 * column by its values. Of several, as after the run was changed, the latest counts.
 * @param file absolute path of the results file, beside which long results are
 */
export async function earlierTable(
  { plan, comparing }: ExperimentTable,
  file: string,
  { results }: Pick<ReadResults, 'results'>,
): Promise<ExperimentTable> {
  const latest = new Map<string, ResultLine>();
  const byId = new Map(results.map((line) => [line.custom_id, line]));
  for (const line of results) {
    if (line.item_sha256 === undefined) continue;
    const key = placeKey(variationKey(line.variation), line.item_sha256, line.repeat);
    const known = latest.get(key);
    if (!known || (line.started_at ?? '') >= (known.started_at ?? '')) latest.set(key, line);
  }
  const variations = earlierVariations(plan.variations, results);
  const hashes = plan.items.map((item) => (item.isGone ? undefined : itemSha256(item)));
  const found = new Map<string, ResultLine>();
  for (const { customId, repeat, serves } of plan.cells) {
    const line = serves
      .flatMap(({ variation, item }) => {
        const [key, hash] = [variations[variation], hashes[item]];
        return (key !== undefined && hash !== undefined && latest.get(placeKey(key, hash, repeat))) || [];
      })
      .concat(byId.get(customId) ?? [])[0];
    if (line) found.set(customId, line);
  }
  await readCompared(file, found.values(), comparing.at);
  return new ExperimentTable(plan, found, comparing);
}

function placeKey(variation: string, item: string, repeat: number): string {
  return `${item} ${repeat} ${variation}`;
}

/**
 * Whether a column is worse than before by a metric: a paired test over the rows that both have, corrected for all
 * comparisons that are made. Columns without earlier results are not compared.
 * @param names of the columns
 */
export async function checkAgainstEarlier(
  { table, metrics }: RecordedTable,
  earlier: ExperimentTable,
  names: readonly string[],
  locale: string,
): Promise<GateCheck[]> {
  const compared = metrics.filter((metric) => !isJudged(metric));
  const comparisons = [];
  for (const column of names.keys()) {
    const own = [];
    for (const metric of compared)
      own.push(await compareColumns(metric, comparedItems(table, column), comparedItems(earlier, column)));
    comparisons.push(own);
  }
  const corrected = correctedComparisons(comparisons);
  return names.flatMap((column, at) =>
    compared.flatMap((metric, index): GateCheck[] => {
      const comparison = corrected[at]?.[index];
      const text = comparisonText(metric.name, comparison, locale);
      if (!comparison || text === undefined) return [];
      const isWorse = betterOf(metric) === 'higher' ? comparison.difference < 0 : comparison.difference > 0;
      const changed = becameText(changedRows(metric, comparedItems(table, at), comparedItems(earlier, at)));
      return [
        {
          title: l10n.t('{0} not worse than before', metric.name),
          column,
          passed: !(isWorse && comparison.corrected < SIGNIFICANT),
          message: changed === undefined ? text : `${text}. ${changed}`,
        },
      ];
    }),
  );
}
