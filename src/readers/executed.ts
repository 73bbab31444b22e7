import { isCharged } from '../domain/amounts';
import type { RawResponse } from '../domain/response';
import { isObject } from '../domain/value';
import { pick, pickText } from './records';
import { readRunResponse } from './run';
import { envelopesIn, saysFinished, signsIn } from './stateWords';

/**
 * Whether the body of an error's status says that the run was executed all the same, or goes on: by a state or an
 * output. A 429, which is repeated otherwise, also says so by a cost, and by a run's identifier beside no failed state:
 * that run was begun. Other errors may be charged. Such a run is never sent again by itself.
 */
export function saysExecuted(raw: RawResponse, asked: URL): boolean {
  const { cost } = readRunResponse(raw, asked);
  if (raw.status === 429 && isCharged(cost)) return true;
  if (!isObject(raw.json)) return false;
  const records = envelopesIn(raw.json);
  const all = records.map(signsIn);
  if (saysFinished(raw.json)) return true;
  if (records.some((record) => Object.keys(pick(record, 'output', 'outputs') ?? {}).length > 0)) return true;
  const has = (word: string) => all.some(({ state }) => state === word);
  if (!has('accepted') && (raw.status !== 429 || has('failed'))) return false;
  return records.some(
    (record, at) => pickText(record, 'runid', 'jobid', 'taskid', ...(at > 0 ? ['id'] : [])) !== undefined,
  );
}
