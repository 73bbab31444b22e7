import type { Json } from '../domain/json';
import { withMembers } from '../runFiles/write';
import { METRICS } from './metrics/metrics';
import { readExperiment } from './read';

/** What of an experiment the table can change. Missing: stays as it is. */
export interface GridChange {
  /** A place that is varied, and its values or its range as the file has them. */
  readonly vary?: { readonly pointer: string; readonly values: Json } | undefined;
  readonly repeats?: number | undefined;
  /** So many inputs; null: all. */
  readonly sample?: number | null | undefined;
  /** Names; those that the file has with a tolerance keep it. */
  readonly metrics?: readonly string[] | undefined;
  readonly failedIsWrong?: boolean | undefined;
}

/** The names that `metrics` may have. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS);

/**
 * The text of an experiment with another grid; comments, order and layout stay.
 * @throws Error with the first problem when the experiment would not be valid
 */
export function withGrid(
  text: string,
  { vary, repeats, sample, metrics, failedIsWrong }: GridChange,
): string {
  const { experiment } = readExperiment(text);
  if (!experiment) return text;
  const known = experiment.metrics ?? [];
  const nameOf = (metric: (typeof known)[number]) => (typeof metric === 'string' ? metric : metric.metric);
  const after = withMembers(text, {
    ...(vary && { vary: { ...experiment.vary, [vary.pointer]: vary.values } as Json }),
    ...(repeats !== undefined && { repeats: repeats === 1 ? undefined : repeats }),
    ...(sample !== undefined && { sample: sample === null ? undefined : { inputs: sample } }),
    ...(metrics && {
      metrics: metrics.map((name) => known.find((metric) => nameOf(metric) === name) ?? name) as Json,
    }),
    ...(failedIsWrong !== undefined && { failed: failedIsWrong ? undefined : 'unmeasured' }),
  });
  const wrong = readExperiment(after).problems.find(({ severity }) => severity === 'error');
  if (wrong) throw new Error(wrong.message);
  return after;
}
