import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { segmentsOf } from '../../domain/pointer';
import { getAt, isObject } from '../../domain/value';
import { isBlank, isLabel } from '../metrics/equality';
import { measureItem } from '../metrics/metrics';
import { comparedPlaces } from './columns';

/** A finished result, with the expected value of its input. */
export interface JudgedResult {
  readonly result: Json;
  readonly expected: Json | undefined;
  /** Whose result it is: the parts of models may differ. */
  readonly model: string;
}

/** A part of the results, and how often it equals the expected value. */
export interface PartVerdict {
  /** JSON pointer; '' is the whole result. */
  readonly at: string;
  /** In the first results; undefined where one lacks it. */
  readonly values: readonly (Json | undefined)[];
  /** Results with a part equal to the expected value, of those with one. */
  readonly equal: number;
  readonly of: number;
  /** The same of each model, where there are several. */
  readonly models: readonly { readonly model: string; readonly equal: number; readonly of: number }[];
  /** The number of first results of each model that were read; missing: all were read. */
  readonly first?: number;
  /** Why it never can. */
  readonly fault?: 'object' | 'list' | 'number';
}

const MOST_LOOKED_AT = 200;
const MOST_PARTS = 8;
const MOST_VALUES = 3;
const EXACT = { name: 'exact', tolerance: 0 } as const;

/**
 * Parts of results that may be compared, those that are right most often first; the whole result is the last.
 * @param isText the expected values are text of a table
 */
export function partVerdicts(results: readonly JudgedResult[], isText: boolean): PartVerdict[] {
  const names = [...new Set(results.map(({ model }) => model))];
  const models = names.map((name) => results.filter(({ model }) => model === name).slice(0, MOST_LOOKED_AT));
  const looked = models.flat();
  const places = new Set(looked.flatMap(({ result }) => comparedPlaces(result)));
  const verdicts = [...places].map((at) => partVerdict(at, looked, isText, models));
  const ranked = verdicts.sort((a, b) => b.equal - a.equal).slice(0, MOST_PARTS);
  const all = looked.length === 0 ? [] : [...ranked, partVerdict('', looked, isText, models)];
  return looked.length < results.length ? all.map((one) => ({ ...one, first: MOST_LOOKED_AT })) : all;
}

function partVerdict(
  at: string,
  results: readonly JudgedResult[],
  isText: boolean,
  models: readonly (readonly JudgedResult[])[],
): PartVerdict {
  const judged = results.filter(({ expected }) => !isBlank(expected));
  const got = results.map(({ result }) => getAt(result, at));
  const ofModels = models.map((own) => {
    const expecting = own.filter(({ expected }) => !isBlank(expected));
    const right = expecting.filter(
      ({ result, expected }) => measureItem(EXACT, getAt(result, at), expected, isText) === 1,
    );
    return { model: own[0]!.model, equal: right.length, of: expecting.length };
  });
  const equal = ofModels.reduce((sum, one) => sum + one.equal, 0);
  const fault = equal > 0 ? undefined : partFault(got, judged);
  return {
    at,
    equal,
    of: judged.length,
    values: got.slice(0, MOST_VALUES),
    models: ofModels.length > 1 ? ofModels : [],
    ...(fault !== undefined && { fault }),
  };
}

function partFault(
  got: readonly (Json | undefined)[],
  judged: readonly JudgedResult[],
): PartVerdict['fault'] {
  const present = got.filter((value) => value !== undefined && value !== null);
  const areLabels = judged.length > 0 && judged.every(({ expected }) => isLabel(expected));
  if (present.length === 0 || !areLabels) return undefined;
  if (present.every((value) => isObject(value))) return 'object';
  if (present.every((value) => Array.isArray(value))) return 'list';
  const isNumber = ({ expected }: JudgedResult) =>
    String(expected).trim() !== '' && !Number.isNaN(Number(expected));
  return present.every((value) => typeof value === 'number') && !judged.some(isNumber) ? 'number' : undefined;
}

/** "equals the expected value in 3 of 5", or "equals the expected value: a 3 of 5, b 0 of 5". */
export function verdictText({ equal, of, fault, models, first }: PartVerdict): string {
  switch (fault) {
    case 'object':
      return l10n.t('an object: cannot equal a label');
    case 'list':
      return l10n.t('a list: cannot equal a label');
    case 'number':
      return l10n.t('a number, not a label');
    case undefined:
      break;
  }
  if (of === 0) return '';
  const text =
    equal === 0
      ? l10n.t('equals in 0 of {0}', of)
      : models.length === 0
        ? l10n.t('equals the expected value in {0} of {1}', equal, of)
        : l10n.t(
            'equals the expected value: {0}',
            models.map((one) => l10n.t('{0} {1} of {2}', one.model, one.equal, one.of)).join(', '),
          );
  return first === undefined ? text : l10n.t('{0} (of the first {1} results)', text, first);
}

/** "labels › 0 › name". */
export function partName(at: string): string {
  return at === '' ? l10n.t('the whole result') : segmentsOf(at).join(' › ');
}

/**
 * A better part to compare when the whole result is compared by default, and is never right. Undefined: there is
 * none.
 */
export function betterPart(verdicts: readonly PartVerdict[]): PartVerdict | undefined {
  const [best] = verdicts;
  const whole = verdicts.find(({ at }) => at === '');
  return best && best.at !== '' && best.equal > 0 && whole?.equal === 0 ? best : undefined;
}
