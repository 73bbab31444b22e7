import type { Json } from '../../domain/json';
import { checkExpectations } from '../../runFiles/expectations';
import { type ExpectedCheck, VALUE_CHECKS } from '../../runFiles/format';
import { kindOf, type ResultKind } from '../metrics/itemMetrics';
import {
  type Comparing,
  checkedPlace,
  measuredValue,
  UNREADABLE,
  type Unreadable,
} from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';

/** By check and line: rows are counted, sorted and filtered again with every key. */
const known = new WeakMap<ResultLine, Map<ExpectedCheck, number | undefined>>();

/**
 * 1 when a run passes a check of run files, 0 when it does not; undefined without an outcome, and where the run
 * lacks the cost or the time that is limited.
 */
export function checkedValue(
  line: ResultLine,
  check: ExpectedCheck,
  { at, failedIsWrong }: Comparing,
): number | undefined | Unreadable {
  if (line.state === 'unconfirmed') return undefined;
  if (line.state === 'failed' && !failedIsWrong && check.status === undefined) return undefined;
  const place = line.state === 'finished' ? checkedPlace(check, at) : undefined;
  const value = place === undefined ? undefined : measuredValue(line, place);
  if (value === UNREADABLE) return UNREADABLE;
  const ofLine = known.get(line) ?? new Map<ExpectedCheck, number | undefined>();
  known.set(line, ofLine);
  if (!ofLine.has(check)) ofLine.set(check, passes(line, check, value));
  return ofLine.get(check);
}

/**
 * The kind of a result's value that a check cannot look at: there is none at its place, or it is no text or number.
 * Undefined: it can.
 */
export function checkMisfit(line: ResultLine, check: ExpectedCheck, { at }: Comparing): Misfit | undefined {
  const looks = VALUE_CHECKS.some((name) => check[name] !== undefined);
  const place = looks && line.state === 'finished' ? checkedPlace(check, at) : undefined;
  if (place === undefined) return undefined;
  const value = measuredValue(line, place);
  if (value === UNREADABLE) return undefined;
  if (value === undefined) return 'missing';
  const needsLabel = check.matches !== undefined || check.near !== undefined;
  const kind = kindOf(value);
  return needsLabel && kind !== 'label' ? kind : undefined;
}

type Misfit = ResultKind | 'missing';

function passes(line: ResultLine, check: ExpectedCheck, value: Json | undefined): number | undefined {
  const { state, duration_ms: ms, cost } = line;
  if (state === 'unconfirmed') return undefined;
  const isUnknown =
    (check.maxCost !== undefined && !cost) || (check.maxSeconds !== undefined && ms === undefined);
  if (state === 'finished' && isUnknown) return undefined;
  const outcome = {
    state,
    result: value,
    response: undefined,
    ...(cost && { cost }),
    ...(ms !== undefined && { seconds: ms / 1_000 }),
  };
  // The value was taken from its place already.
  return Number(checkExpectations([{ ...check, at: '' }], outcome).every(({ passed }) => passed));
}
