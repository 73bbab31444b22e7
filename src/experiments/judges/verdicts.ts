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
  if (!own || answers.includes(undefined)) return { state: 'unclear', lines };
  const value = swapped ? pairValue([own, swapped]) : 'score' in own ? own.score : undefined;
  return value === undefined
    ? { state: 'unclear', lines }
    : { state: 'judged', value, lines, ...(swapped && { isContradictory: isContradiction([own, swapped]) }) };
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

/** A judge's answer: its score, or in a comparison which of the two is better. */
type JudgeAnswer = { readonly score: number } | { readonly better: 'first' | 'second' | 'neither' };

/**
 * Reads an answer strictly: a number in the range, or exactly one of the labels; white space around it does not matter.
 * Undefined: it is not understood.
 */
export function readAnswer(rule: JudgeRule, value: Json | undefined): JudgeAnswer | undefined {
  const text = comparableText(value);
  if (text === undefined) return undefined;
  switch (rule.kind) {
    case 'rubric': {
      const score = typeof value === 'number' ? value : numberIn(text);
      return score !== undefined && score >= rule.from && score <= rule.to ? { score } : undefined;
    }
    case 'choices': {
      const score = Object.entries(rule.scores).find(([label]) => comparableText(label) === text)?.[1];
      return score === undefined ? undefined : { score };
    }
    case 'pairwise': {
      if (text === comparableText(rule.first)) return { better: 'first' };
      if (text === comparableText(rule.second)) return { better: 'second' };
      return text === comparableText(rule.tie) ? { better: 'neither' } : undefined;
    }
  }
}

/**
 * The value of a comparison in both orders: 1 where the result won both, 0 where it lost both, else a tie (0.5): a judge
 * that prefers a position has no preference.
 * @param answers to the result first, and to the other one first
 */
export function pairValue([own, swapped]: readonly [JudgeAnswer, JudgeAnswer]): number | undefined {
  if (!('better' in own) || !('better' in swapped)) return undefined;
  if (own.better === 'first' && swapped.better === 'second') return 1;
  return own.better === 'second' && swapped.better === 'first' ? 0 : 0.5;
}

/** Whether a judge named the same place in both orders: it judges the place, not the result. */
function isContradiction([own, swapped]: readonly [JudgeAnswer, JudgeAnswer]): boolean {
  if (!('better' in own) || !('better' in swapped)) return false;
  return own.better !== 'neither' && own.better === swapped.better;
}
