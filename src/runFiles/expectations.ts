import * as l10n from '@vscode/l10n';
import { compareAmounts, readAmount } from '../domain/amounts';
import { isExactNumber } from '../domain/exactNumbers';
import type { Json, JsonSchema } from '../domain/json';
import type { Money } from '../domain/money';
import { isNear } from '../domain/near';
import { childPointer } from '../domain/pointer';
import type { RunState } from '../domain/run';
import { getAt, isObject, sameJson } from '../domain/value';
import { beginning } from '../domain/words';
import { validateValue } from '../forms/validate';
import { hitIdsIn } from '../results/classify';
import { formatMoney } from '../wording/money';
import { formatNumber } from '../wording/number';
import { runStateText } from '../wording/runStates';
import { type ExpectedCheck, VALUE_CHECKS, type ValueCheck } from './format';
import { readPattern } from './pattern';

/** The outcome of a run, as far as expectations look at it. */
export interface ExpectationOutcome {
  readonly state: RunState;
  readonly status?: number;
  /** The result as Preview shows it: JSON, or text; null for media. */
  readonly result: Json | undefined;
  /** The whole response body: JSON, or text. */
  readonly response: Json | undefined;
  /** The response had NaN or other values that JSON does not have; here they are null. */
  readonly hasOddValues?: true;
  readonly cost?: Money;
  /** From sending the request to its response. */
  readonly seconds?: number;
}

export interface CheckedExpectation {
  /** In the file: "/expect/0/equals"; "" for the rule that a run must finish, which no file contains. */
  readonly pointer: string;
  /** The expectation, as a line for users: `/label equals "positive"`. */
  readonly title: string;
  readonly passed: boolean;
  /** JSON or words; both are shown, and compared by a diff. */
  readonly wanted: string;
  readonly got: string;
}

type Verdict = Pick<CheckedExpectation, 'passed' | 'wanted' | 'got'>;

/** Longer values are cut where they are shown. */
const LONGEST_SHOWN = 20_000;

/**
 * Checks an outcome, each member of each expectation on its own. Unless a `status` is expected, the run must finish:
 * a failed run passes no test by accident.
 *
 * @param locale BCP 47, for amounts and seconds
 */
export function checkExpectations(
  expected: readonly ExpectedCheck[],
  outcome: ExpectationOutcome,
  locale?: string,
): CheckedExpectation[] {
  const isStatusExpected = expected.some(
    ({ status }) =>
      status !== undefined &&
      // A service may also report a failure in its body with status 200.
      !(typeof status === 'number' && status < 300 && outcome.state === 'failed'),
  );
  const checked = expected.flatMap((check, index) =>
    checkOne(check, childPointer('/expect', index), outcome, locale),
  );
  if (isStatusExpected) return checked;
  const finished = statusVerdict('finished', outcome);
  return finished.passed
    ? checked
    : [{ pointer: '', title: statusTitle('finished'), ...finished }, ...checked];
}

function checkOne(
  check: ExpectedCheck,
  pointer: string,
  outcome: ExpectationOutcome,
  locale: string | undefined,
): CheckedExpectation[] {
  const { status, at, hitsContain, maxCost, maxSeconds } = check;
  const checked: CheckedExpectation[] = [];
  const add = (member: string, title: string, verdict: Verdict) =>
    checked.push({ pointer: childPointer(pointer, member), title, ...verdict });
  if (status !== undefined) add('status', statusTitle(status), statusVerdict(status, outcome));
  const where = placeText(check);
  const body = check.in === 'response' ? outcome.response : outcome.result;
  for (const name of VALUE_CHECKS) {
    if (check[name] === undefined || at === undefined) continue;
    const verdict = valueVerdict(name, check, getAt(body, at));
    add(name, `${where} ${CHECK_WORDS[name]()} ${shortText(verdict.wanted)}`, verdict);
  }
  if (hitsContain !== undefined) {
    const title = l10n.t('Hits contain {0}', hitsContain.join(', '));
    add(
      'hitsContain',
      title,
      hitsVerdict(hitsContain.map(String), at === undefined ? body : getAt(body, at)),
    );
  }
  if (maxCost !== undefined)
    add('maxCost', l10n.t('Cost is at most {0}', maxCost), costVerdict(maxCost, outcome.cost, locale));
  if (maxSeconds !== undefined)
    add(
      'maxSeconds',
      l10n.t('Time is at most {0} s', formatNumber(maxSeconds, locale)),
      timeVerdict(maxSeconds, outcome.seconds, locale),
    );
  return checked;
}

function placeText({ at = '', in: inside }: ExpectedCheck): string {
  const place = at === '' ? l10n.t('Result') : at;
  if (inside !== 'response') return place;
  return at === '' ? l10n.t('Response') : l10n.t('{0} of the response', at);
}

const CHECK_WORDS: Readonly<Record<ValueCheck, () => string>> = {
  equals: () => l10n.t('equals'),
  contains: () => l10n.t('contains'),
  matches: () => l10n.t('matches'),
  near: () => l10n.t('is near'),
  oneOf: () => l10n.t('is one of'),
  schema: () => l10n.t('is valid against'),
};

function valueVerdict(name: ValueCheck, check: ExpectedCheck, got: Json | undefined): Verdict {
  const wanted = check[name] as Json;
  const verdict = (passed: boolean, shown: Json = wanted): Verdict => ({
    passed,
    wanted: jsonText(shown),
    got: jsonText(got),
  });
  switch (name) {
    case 'equals':
      return verdict(sameJson(wanted, got));
    case 'contains':
      return verdict(contains(got, wanted));
    case 'oneOf':
      return verdict((wanted as Json[]).some((one) => sameJson(one, got)));
    case 'matches': {
      const matches = readPattern(String(wanted));
      return {
        ...verdict(typeof got === 'string' && matches?.(got) === true),
        wanted: `/${String(wanted)}/`,
      };
    }
    case 'near': {
      const { value, tolerance } = check.near!;
      return {
        ...verdict(isNumberNear(got, value, tolerance)),
        wanted: `${value} ± ${tolerance}`,
      };
    }
    case 'schema':
      return schemaVerdict(check.schema as JsonSchema, got);
  }
}

function contains(got: Json | undefined, wanted: Json): boolean {
  if (typeof got === 'string') return typeof wanted === 'string' && got.includes(wanted);
  if (Array.isArray(got)) return got.some((item) => sameJson(item, wanted));
  return (
    isObject(got) &&
    isObject(wanted) &&
    Object.entries(wanted).every(([key, value]) => Object.hasOwn(got, key) && sameJson(got[key], value))
  );
}

function isNumberNear(got: Json | undefined, value: number, tolerance: number): boolean {
  const number = typeof got === 'string' && exactDigits(got) ? Number(got) : got;
  return typeof number === 'number' && isNear(number, value, tolerance);
}

function schemaVerdict(schema: JsonSchema, got: Json | undefined): Verdict {
  const wanted = jsonText(schema as Json);
  if (got === undefined) return { passed: false, wanted, got: jsonText(got) };
  const asRead = validateValue(schema, got).issues;
  // To a schema, a number that is held as its digits is a number.
  const issues = asRead.length === 0 ? asRead : validateValue(schema, withNumbers(got)).issues;
  const listed = issues.map(
    ({ pointer, message }) => `${pointer === '' ? l10n.t('Result') : pointer}: ${message}`,
  );
  return {
    passed: issues.length === 0,
    wanted,
    got: issues.length === 0 ? jsonText(got) : listed.join('\n'),
  };
}

function exactDigits(text: string): boolean {
  return /^-?\d{16,}(?:\.\d+)?$/.test(text) && !isExactNumber(text);
}

function withNumbers(value: Json): Json {
  if (typeof value === 'string') return exactDigits(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]));
}

function hitsVerdict(wanted: readonly string[], body: Json | undefined): Verdict {
  const got = hitIdsIn(body);
  const members = new Set(got);
  return {
    passed: wanted.every((id) => members.has(id)),
    wanted: wanted.join('\n'),
    got: got.length === 0 ? l10n.t('(no hits)') : beginning(got.join('\n'), LONGEST_SHOWN),
  };
}

function statusTitle(status: number | RunState): string {
  return typeof status === 'number'
    ? l10n.t('Status is {0}', status)
    : l10n.t('Run is {0}', runStateText(status));
}

function statusVerdict(status: number | RunState, outcome: ExpectationOutcome): Verdict {
  if (typeof status === 'number') {
    const got = outcome.status === undefined ? l10n.t('(no response)') : String(outcome.status);
    return { passed: outcome.status === status, wanted: String(status), got };
  }
  return { passed: outcome.state === status, wanted: runStateText(status), got: runStateText(outcome.state) };
}

function costVerdict(most: number, cost: Money | undefined, locale: string | undefined): Verdict {
  const amount = cost && readAmount(cost.amount);
  const limit = readAmount(most) ?? '0';
  return {
    passed: amount !== undefined && compareAmounts(amount, limit) <= 0,
    wanted: l10n.t('at most {0}', formatMoney({ ...cost, amount: limit }, locale)),
    got: cost && amount !== undefined ? formatMoney(cost, locale) : l10n.t('(the response reports no cost)'),
  };
}

function timeVerdict(most: number, seconds: number | undefined, locale: string | undefined): Verdict {
  return {
    passed: seconds !== undefined && seconds <= most,
    wanted: l10n.t('at most {0} s', formatNumber(most, locale)),
    got: seconds === undefined ? l10n.t('(no response)') : l10n.t('{0} s', formatNumber(seconds, locale)),
  };
}

function jsonText(value: Json | undefined): string {
  return value === undefined
    ? l10n.t('(nothing at this place)')
    : beginning(JSON.stringify(value, null, 2), LONGEST_SHOWN);
}

function shortText(text: string): string {
  return beginning(text.replaceAll(/\s+/g, ' '), 80);
}
