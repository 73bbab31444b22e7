import * as l10n from '@vscode/l10n';
import { digitsApart, formatDigits, formatNumber } from '../../wording/number';
import { baselineOf } from '../judges/judge';
import { type Agreement, agreementOf } from '../metrics/agreement';
import type { JudgeMetric, Metric } from '../metrics/metrics';
import { JUDGEMENT_KINDS, type JudgementKind, type Rating } from '../results/judgements';
import type { ExperimentTable } from '../table/table';

/** How far two raters of the results agree. */
export interface RatersAgreement extends Agreement {
  /** A metric of a judge or a kind of judgement, and who rated: "helpful", "score of Anna". */
  readonly first: string;
  readonly second: string;
  /** The same of each column. */
  readonly columns: readonly Agreement[];
}

/** A rating of one result, for a pair of raters. */
type RatingOf = (place: {
  readonly row: number;
  readonly column: number;
  readonly id: string;
}) => number | undefined;

interface Rater {
  readonly name: string;
  readonly ratingOf: RatingOf;
}

/**
 * The agreement of judges with people, and of people with one another, over the results that both have rated. A judge's
 * scores of 1 to 5 are compared with people's scores, rounded; choices of 0 and 1 with good and bad; pairs with the best
 * of the row. Of people that disagree, each counts by itself.
 */
export function agreements(table: ExperimentTable, metrics: readonly Metric[]): RatersAgreement[] {
  const people = [...new Set(table.judgements.map(({ by = '' }) => by))].sort();
  const person = (
    kind: JudgementKind,
    by: string,
    ratingOf: RatingOf = ({ id }) => table.ratings(id).get(by)?.[kind],
  ): Rater => ({
    name: by === '' ? l10n.t('{0} without a name', kind) : l10n.t('{0} of {1}', kind, by),
    ratingOf,
  });
  const ofPeople = JUDGEMENT_KINDS.flatMap((kind) =>
    people.flatMap((by, at) =>
      people.slice(at + 1).map((other) => ({
        first: person(kind, by),
        second: person(kind, other),
        isScale: kind === 'score',
      })),
    ),
  );
  const ofJudges = metrics.flatMap((metric) => {
    const kind = 'judge' in metric ? comparableKind(metric) : undefined;
    if (kind === undefined || !('judge' in metric)) return [];
    const first: Rater = { name: metric.name, ratingOf: judgeRating(table, metric) };
    return people.map((by) => ({
      first,
      second: person(kind, by, kind === 'preferred' ? pairRating(table, metric, by) : undefined),
      isScale: kind !== 'thumbs_up',
    }));
  });
  const pairs = [...ofPeople, ...ofJudges];
  const places = pairs.length === 0 ? [] : placesIn(table);
  return pairs.flatMap(({ first, second, isScale }) => {
    const both = places.flatMap((place) => {
      const [a, b] = [first.ratingOf(place), second.ratingOf(place)];
      return a === undefined || b === undefined ? [] : [{ column: place.column, pair: [a, b] as const }];
    });
    if (both.length === 0) return [];
    const all = agreementOf(
      both.map(({ pair }) => pair),
      isScale,
    );
    const columns = table.plan.variations.map((_, column) =>
      agreementOf(
        both.filter((one) => one.column === column).map(({ pair }) => pair),
        isScale,
      ),
    );
    return [{ first: first.name, second: second.name, ...all, columns }];
  });
}

/** The kind of people's judgement that a judge's values can be compared with. */
function comparableKind({ judge }: JudgeMetric): JudgementKind | undefined {
  switch (judge.kind) {
    case 'rubric':
      return judge.from === 1 && judge.to === 5 ? 'score' : undefined;
    case 'choices':
      return Object.values(judge.scores).every((score) => score === 0 || score === 1)
        ? 'thumbs_up'
        : undefined;
    case 'pairwise':
      return 'preferred';
  }
}

function judgeRating(table: ExperimentTable, { name }: JudgeMetric): RatingOf {
  return ({ id, row }) => {
    const value = table.verdict(name, id, row)?.value;
    // Ties of pairs stay; scores between two grades are the nearer one.
    return value === undefined || value === 0.5 ? value : Math.round(value);
  };
}

/** Whether a person prefers the result (1) or that of the baseline (0); neither of them: a tie. */
function pairRating(table: ExperimentTable, metric: JudgeMetric, by: string): RatingOf {
  const baseline = baselineOf(metric, table.plan);
  const preferred = (id: string) => (table.ratings(id).get(by) satisfies Rating | undefined)?.preferred;
  return ({ row, id }) => {
    const [other] = baseline === undefined ? [] : table.runs(row, baseline);
    const [own, against] = [preferred(id), other && preferred(other.customId)];
    if (own === undefined || against === undefined) return undefined;
    return own === against ? 0.5 : own > against ? 1 : 0;
  };
}

function placesIn(table: ExperimentTable) {
  const seen = new Set<string>();
  return table.plan.items.flatMap(({ isGone }, row) =>
    isGone
      ? []
      : Array.from({ length: table.ownColumns }, (_, column) => column).flatMap((column) =>
          table.finished(row, column).flatMap(({ custom_id: id }) => {
            if (seen.has(id)) return [];
            seen.add(id);
            return [{ row, column, id }];
          }),
        ),
  );
}

/** "helpful and score of Anna agree on 34 of 40 results: Cohen’s kappa 0.62". */
export function agreementText(
  { first, second }: Pick<RatersAgreement, 'first' | 'second'>,
  { count, same, kappa, isWeighted }: Agreement,
  locale?: string,
): string {
  const of = [first, second, formatNumber(same, locale), formatNumber(count, locale)];
  const results =
    count === 1
      ? l10n.t('{0} and {1} agree on {2} of {3} result', ...of)
      : l10n.t('{0} and {1} agree on {2} of {3} results', ...of);
  if (kappa === undefined) return l10n.t('{0}: no kappa, since ratings do not differ', results);
  const value = kappaText(kappa, 3, locale);
  return isWeighted
    ? l10n.t('{0}: weighted Cohen’s kappa {1} (n {2})', results, value, formatNumber(count, locale))
    : l10n.t('{0}: Cohen’s kappa {1} (n {2})', results, value, formatNumber(count, locale));
}

/** Neither perfect nor by chance alone, unless it is. @param digits after the point, at least */
export function kappaText(kappa: number, digits: number, locale?: string): string {
  return formatDigits(kappa, digitsApart(kappa, [-1, 0, 1], digits), locale);
}
