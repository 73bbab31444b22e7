import type { JsonObject } from '../../domain/json';
import type { ModeContract } from '../../domain/model';
import { formOf } from '../../forms/buildForm';

/** The initial metrics of a search whose queries have labels. */
export const SEARCH_METRICS = ['hit@1', 'precision@5'];
/** The query itself is left out, so one more is asked for. */
const WANTED_HITS = 6;

/** Names of a parameter for the number of hits. */
const COUNT = /^(?:top_?k|k|n|limit|size|(?:max|n|num|number_of)?_?(?:results|hits|matches|neighbou?rs))$/i;

/** The parameter for the number of hits, where the contract has one and its default is too low for the metrics. */
export function hitsParam({ params }: ModeContract): JsonObject {
  if (params.origin === 'unknown') return {};
  const form = formOf(params.schema, {}, '/params');
  const fields = form.kind === 'object' ? form.children() : [];
  for (const field of fields)
    if (field.kind === 'number' && field.integer && COUNT.test(field.key)) {
      const { max = WANTED_HITS, default: fallback } = field;
      return Number(fallback ?? 0) >= WANTED_HITS ? {} : { [field.key]: Math.min(max, WANTED_HITS) };
    }
  return {};
}
