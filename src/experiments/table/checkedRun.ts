import type { Json } from '../../domain/json';
import { checkExpectations } from '../../runFiles/expectations';
import type { ExpectedCheck } from '../../runFiles/format';
import { type Comparing, checkedPlace, measuredValue, UNREADABLE, type Unreadable } from '../measuredValue';
import { costOf, type ResultLine } from '../resultLine';

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

function passes(line: ResultLine, check: ExpectedCheck, value: Json | undefined): number | undefined {
  const { state, duration_ms: ms } = line;
  if (state === 'unconfirmed') return undefined;
  const cost = costOf(line);
  const isUnknown =
    (check.maxCost !== undefined && !cost) || (check.maxSeconds !== undefined && ms === undefined);
  if (state === 'finished' && isUnknown) return undefined;
  const outcome = {
    ...{ state, result: value, response: undefined },
    ...(cost && { cost }),
    ...(ms !== undefined && { seconds: ms / 1_000 }),
  };
  // The value was taken from its place already.
  return Number(checkExpectations([{ ...check, at: '' }], outcome).every(({ passed }) => passed));
}
