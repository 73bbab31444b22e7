import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../wording/number';
import type { JudgeVerdict } from '../judges/verdicts';
import type { Metric } from '../metrics/metrics';
import type { Rating } from '../results/judgements';
import type { ResultLine } from '../results/resultLine';
import type { ExperimentTable } from './table';

/** A judgement of a model about one run, in words. */
export interface ShownVerdict {
  /** "helpful 4". */
  readonly text: string;
  /** For a cell: "helpful ?" where the result is not judged. */
  readonly short: string;
  /** The answer, where it is not understood. */
  readonly raw?: string;
}

const LONGEST_RAW = 2_000;

/** The judgements of models about a run in a row; those that are missing are left out. */
export function shownVerdicts(
  table: ExperimentTable,
  metrics: readonly Metric[],
  line: ResultLine,
  row: number,
  locale?: string,
): ShownVerdict[] {
  return metrics.flatMap((metric) => {
    const verdict = 'judge' in metric ? table.verdict(metric.name, line.custom_id, row) : undefined;
    return verdict && verdict.state !== 'missing' ? shownVerdict(metric.name, verdict, locale) : [];
  });
}

function shownVerdict(
  name: string,
  { state, value, lines }: JudgeVerdict,
  locale: string | undefined,
): ShownVerdict {
  if (value !== undefined) {
    const text = l10n.t('{0} {1}', name, formatNumber(value, locale));
    return { text, short: text };
  }
  const short = l10n.t('{0} ?', name);
  switch (state) {
    case 'failed':
      return { short, text: l10n.t('{0}: not judged, the judge failed', name) };
    case 'unconfirmed':
      return { short, text: l10n.t('{0}: not judged, the judge’s run is unconfirmed', name) };
    case 'judged':
    case 'missing':
      return { short, text: l10n.t('{0}: not judged', name) };
    case 'unclear': {
      const raw = lines.map(({ result }) => JSON.stringify(result ?? null)).join('\n');
      const text = l10n.t('{0}: not judged, the answer is not understood', name);
      return { short, text, raw: raw.slice(0, LONGEST_RAW) };
    }
  }
}

/** A person's judgements and note: "Anna: good, score 4, “too long”". */
export function ratingText(
  by: string,
  { thumbs_up: thumb, score, preferred, note }: Rating,
  locale?: string,
): string {
  const parts = [
    ...(thumb === undefined ? [] : [thumb > 0 ? l10n.t('good') : l10n.t('bad')]),
    ...(score === undefined ? [] : [l10n.t('score {0}', formatNumber(score, locale))]),
    ...(preferred === 1 ? [l10n.t('best of row')] : []),
    ...(note === undefined ? [] : [`“${note}”`]),
  ];
  return `${by === '' ? l10n.t('Without a name') : by}: ${parts.join(', ')}`;
}
