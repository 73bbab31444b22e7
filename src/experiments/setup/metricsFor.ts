import type { Json } from '../../domain/json';
import { valueText } from '../../domain/words';
import type { MetricName } from '../metrics/metrics';

/** Values as JSON or text. A longer one is no label. */
const LONGEST_LABEL = 60;
/** Numbers with more values than this are measured, not classified. */
const MOST_NUMBER_LABELS = 10;

/** The initial metrics, by the kind of the expected values. */
export function metricsFor(expected: readonly Json[]): MetricName[] {
  const texts = new Set(expected.map((value) => valueText(value)));
  if ([...texts].some((text) => text.length > LONGEST_LABEL || text.includes('\n'))) return ['edit_distance'];
  const areNumbers = [...texts].every((text) => text.trim() !== '' && Number.isFinite(Number(text)));
  return areNumbers && texts.size > MOST_NUMBER_LABELS ? ['absolute_error'] : ['accuracy', 'macro_f1'];
}
