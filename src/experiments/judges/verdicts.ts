import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { getAt } from '../../domain/value';
import { comparableText, numberIn } from '../metrics/equality';
import type { JudgeRule } from '../metrics/metrics';
import { readCompared } from '../results/comparedFiles';
import { readableValue } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { comparedPlaces } from '../setup/columns';
import type { Judge } from './judge';
import type { JudgeRuns } from './judgeRuns';

export interface JudgeVerdict {
  /** `unclear`: it answered, but not as asked: the result is not judged. */
  readonly state: 'judged' | 'unclear' | 'failed' | 'unconfirmed' | 'missing';
  readonly value?: number;
  /** Of a pair: it named the same place in both orders. */
  readonly isContradictory?: boolean;
  /** Its results, in the order of its requests. */
  readonly lines: readonly ResultLine[];
}

/** By the name of the metric, then by `judgedKey`. */
export type Verdicts = ReadonlyMap<string, ReadonlyMap<string, JudgeVerdict>>;

/**
 * The judgements so far.
 * @param lines results of judges' runs by their ID
 * @param results absolute path of the results file, beside which long results are
 */
export async function verdictsOf(
  judges: readonly Judge[],
  { requests }: JudgeRuns,
  lines: ReadonlyMap<string, ResultLine>,
  results: string,
): Promise<Verdicts> {
  for (const at of new Set(judges.map((judge) => judge.at))) await readCompared(results, lines.values(), at);
  return new Map(
    judges.map((judge) => {
      const own = [...(requests.get(judge.metric.name) ?? [])];
      return [
        judge.metric.name,
        new Map(own.map(([key, asked]) => [key, judgeVerdict(judge, asked, lines)])),
      ];
    }),
  );
}

function judgeVerdict(
  { metric, at }: Judge,
  asked: readonly string[],
  all: ReadonlyMap<string, ResultLine>,
): JudgeVerdict {
  const lines = asked.flatMap((id) => all.get(id) ?? []);
  const states = lines.map(({ state }) => state);
  if (states.includes('unconfirmed')) return { state: 'unconfirmed', lines };
  if (states.includes('failed')) return { state: 'failed', lines };
  if (lines.length < asked.length || lines.length === 0) return { state: 'missing', lines };
  const answers = lines.map((line) => readAnswer(metric.judge, readableValue(line, at)));
  const [own, swapped] = answers;
  if (own === undefined || answers.includes(undefined)) return { state: 'unclear', lines };
  if (swapped === undefined) return { state: 'judged', value: own, lines };
  // Won or lost in both orders, else a tie: a judge that prefers a place has no preference.
  const value = Math.abs(own - swapped) === 1 ? own : TIE;
  return { state: 'judged', value, lines, isContradictory: own === swapped && own !== TIE };
}

/**
 * Warnings about judges: how many answers were not understood, with the place of its results that has answers where
 * none of a judge was; and how often one contradicted itself.
 */
export function verdictTexts(judges: readonly Judge[], verdicts: Verdicts): string[] {
  return [...unclearTexts(judges, verdicts), ...contradictionTexts(judges, verdicts)];
}

/** From this share on, a judge's contradictions are a warning. */
const MANY_CONTRADICTIONS = 0.2;

function contradictionTexts(judges: readonly Judge[], verdicts: Verdicts): string[] {
  return judges.flatMap(({ metric: { name } }) => {
    const pairs = [...(verdicts.get(name)?.values() ?? [])].filter(
      ({ isContradictory }) => isContradictory !== undefined,
    );
    const count = pairs.filter(({ isContradictory }) => isContradictory).length;
    return count === 0 || count < MANY_CONTRADICTIONS * pairs.length
      ? []
      : l10n.t(
          '“{0}” contradicted itself in {1} of {2} pairs: it prefers a place, whichever result is there.',
          ...[name, count, pairs.length],
        );
  });
}

function unclearTexts(judges: readonly Judge[], verdicts: Verdicts): string[] {
  const unclearOf = ({ metric }: Judge) =>
    [...(verdicts.get(metric.name)?.values() ?? [])].filter(({ state }) => state === 'unclear');
  const unclear = judges.reduce((sum, judge) => sum + unclearOf(judge).length, 0);
  if (unclear === 0) return [];
  return [
    unclear === 1
      ? l10n.t('1 answer of a judge is not understood, and not measured.')
      : l10n.t('{0} answers of judges are not understood, and not measured.', unclear),
    ...judges.flatMap((judge) => {
      const own = [...(verdicts.get(judge.metric.name)?.values() ?? [])];
      if (own.some(({ state }) => state === 'judged')) return [];
      const place = answeredPlace(judge, unclearOf(judge));
      return place === undefined
        ? []
        : l10n.t('“{0}”: set its "at" to "{1}", where its results have answers.', judge.metric.name, place);
    }),
  ];
}

/** The place at which all these results have an answer; undefined: there is none. */
function answeredPlace({ metric }: Judge, unclear: readonly JudgeVerdict[]): string | undefined {
  const [first, ...others] = unclear.flatMap(({ lines }) => lines.flatMap(({ result }) => result ?? []));
  if (first === undefined) return undefined;
  const isAnswer = (result: Json, place: string) =>
    readAnswer(metric.judge, getAt(result, place)) !== undefined;
  return comparedPlaces(first).find((place) => [first, ...others].every((result) => isAnswer(result, place)));
}

/** Of a comparison that neither wins. */
const TIE = 0.5;

/**
 * Reads an answer strictly: a number in the range, or exactly one of the labels; white space around it does not matter.
 * Undefined: it is not understood.
 * @returns the score; of a comparison 1 where the result that was named first is better, and 0 where the other one is
 */
export function readAnswer(rule: JudgeRule, value: Json | undefined): number | undefined {
  const text = comparableText(value);
  if (text === undefined) return undefined;
  const scoreOf = (scores: readonly (readonly [label: string, score: number])[]) =>
    scores.find(([label]) => comparableText(label) === text)?.[1];
  switch (rule.kind) {
    case 'rubric': {
      const score = typeof value === 'number' ? value : numberIn(text);
      return score !== undefined && score >= rule.from && score <= rule.to ? score : undefined;
    }
    case 'choices':
      return scoreOf(Object.entries(rule.scores));
    case 'pairwise':
      return scoreOf([
        [rule.first, 1],
        [rule.second, 0],
        [rule.tie, TIE],
      ]);
  }
}
