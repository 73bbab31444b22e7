import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../domain/json';
import { greatestOf } from '../../domain/many';
import { type ModeContract, type ModelContract, modeOf } from '../../domain/model';
import type { Problem } from '../../domain/problems';
import type { RunDraft } from '../../domain/run';
import { isObject } from '../../domain/value';
import { formOf } from '../../forms/buildForm';
import { metricsIn } from '../file/askedMetrics';
import type { ExperimentFile } from '../file/format';

/** The initial metrics of a search whose queries have labels. */
export const SEARCH_METRICS = ['hit@1', 'precision@5'];
/** The query itself is left out, so one more is asked for. */
const WANTED_HITS = 6;

/** Names of a parameter for the number of hits. */
const COUNT = /^(?:top_?k|k|n|limit|size|(?:max|n|num|number_of)?_?(?:results|hits|matches|neighbou?rs))$/i;

/**
 * The parameter for the number of hits, where the contract has one and fewer are asked for than are wanted.
 * @param asked parameters of the run
 */
export function hitsParam(
  { params }: ModeContract,
  wanted = WANTED_HITS,
  asked: JsonObject = {},
): JsonObject {
  if (params.origin === 'unknown') return {};
  const form = formOf(params.schema, {}, '/params');
  const fields = form.kind === 'object' ? form.children() : [];
  for (const field of fields)
    if (field.kind === 'number' && field.integer && COUNT.test(field.key)) {
      const most = Math.min(field.max ?? wanted, wanted);
      return Number(asked[field.key] ?? field.default ?? 0) >= most ? {} : { [field.key]: most };
    }
  return {};
}

/** Says which parameter asks for as many hits as are measured, where the run asks for fewer; of files, the query is one. */
export function fewHits(
  experiment: ExperimentFile,
  { mode: name, params }: RunDraft,
  contracts: ReadonlyMap<string, ModelContract>,
): Problem[] {
  const { over, vary = {} } = experiment;
  const ranks = metricsIn(experiment).flatMap((metric) => ('hits' in metric ? (metric.hits.k ?? []) : []));
  if (ranks.length === 0) return [];
  const wanted = greatestOf(ranks) + Number(over !== undefined && 'files' in over);
  return [...contracts.values()].flatMap((contract) => {
    const mode = modeOf(contract, name);
    const param = mode ? hitsParam(mode, wanted, isObject(params) ? params : {}) : {};
    return Object.entries(param).flatMap(([key, value]) => {
      if (Object.hasOwn(vary, `/params/${key}`)) return [];
      const words = [contract.name, wanted, `"${key}": ${String(value)}`];
      const message = l10n.t(
        '{0} is not asked for the {1} hits that are measured: add {2} to "params".',
        ...words,
      );
      return { pointer: '/run', message };
    });
  });
}
