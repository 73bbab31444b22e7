import * as l10n from '@vscode/l10n';
import type { ModelContract } from '../../domain/model';
import type { RunDraft } from '../../domain/run';
import { sameJson } from '../../domain/value';
import { judgeRule } from '../file/askedMetrics';
import type { JudgeEntry } from '../file/format';
import type { JudgeMetric } from '../metrics/metrics';
import { sentValue, type Variation } from '../plan/grid';
import { namesIn, PLACEHOLDERS } from './template';

export interface Judge {
  readonly metric: JudgeMetric;
  /** Its run, with placeholders. */
  readonly draft: RunDraft;
  /** Undefined: its model is not known, and its runs cannot be sent. */
  readonly contract: ModelContract | undefined;
  /** JSON pointer to the answer in its result. */
  readonly at: string;
  /** JSON pointer to `{{output}}` in a judged result; undefined: the compared part. */
  readonly output: string | undefined;
}

export function judgeOf(entry: JudgeEntry, draft: RunDraft, contract: ModelContract | undefined): Judge {
  const metric = { name: entry.name, judge: judgeRule(entry) };
  return { metric, draft, contract, at: entry.at ?? '', output: entry.output };
}

/** Why it could never judge, in sentences. */
export function judgeProblems({ metric, draft }: Judge, columns: SentColumns): string[] {
  const names = namesIn(draft);
  const isPair = metric.judge.kind === 'pairwise';
  const unknown = [...names].filter((name) => !PLACEHOLDERS.some((one) => one === name));
  const known = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ');
  return [
    ...unknown.map((name) => l10n.t('“{0}” is no placeholder. Use {1}.', `{{${name}}}`, known)),
    ...(names.has('output')
      ? []
      : [l10n.t('The run of the judge lacks {0}, the result to judge.', '{{output}}')]),
    ...(isPair && !names.has('other')
      ? [l10n.t('The run of the judge lacks {0}, the result to compare with.', '{{other}}')]
      : []),
    ...(!isPair && names.has('other') ? [l10n.t('{0} is for “pairwise” only.', '{{other}}')] : []),
    ...(isPair && baselineOf(metric, columns) === undefined
      ? [l10n.t('No column has the values of “baseline”.')]
      : []),
  ];
}

/** The columns of an experiment: the run, and the values of each that differ from it. */
interface SentColumns {
  readonly base?: RunDraft;
  readonly variations: readonly Variation[];
}

/**
 * The first column that sends the values of a judge's baseline, whether "run" or "vary" has them; undefined: it does not
 * compare, or there is none.
 */
export function baselineOf({ judge }: JudgeMetric, { base, variations }: SentColumns): number | undefined {
  if (judge.kind !== 'pairwise') return undefined;
  const wanted = Object.entries(judge.baseline);
  const index = variations.findIndex((variation) =>
    wanted.every(([place, value]) => {
      const sent = sentValue(base, variation, place);
      return sent !== undefined && sameJson(sent, value);
    }),
  );
  return index < 0 ? undefined : index;
}
