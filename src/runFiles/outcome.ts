import type { Json } from '../domain/json';
import type { RunResponse } from '../domain/response';
import type { RunRecord } from '../domain/runRecord';
import { durationOf } from '../domain/runTimes';
import { bodyText } from '../intake/bodyText';
import type { ExpectationOutcome } from './expectations';

/** The outcome of a run of `perform`, for its expectations. */
export function runFileOutcome(
  record: Pick<RunRecord, 'state' | 'status' | 'cost' | 'sentAt' | 'finishedAt'>,
  response: Pick<RunResponse, 'output' | 'raw'> | undefined,
): ExpectationOutcome {
  const { state, status, cost } = record;
  const duration = durationOf(record);
  return {
    state,
    status,
    cost,
    ...(duration !== undefined && { seconds: duration / 1000 }),
    ...bodiesOf(response),
    ...(response?.raw.hasOddValues && { hasOddValues: true as const }),
  };
}

/** As the run panel has it: the recognised result, else the whole body. */
function bodiesOf(
  response: Pick<RunResponse, 'output' | 'raw'> | undefined,
): Pick<ExpectationOutcome, 'result' | 'response'> {
  if (!response) return { result: undefined, response: undefined };
  const { output, raw } = response;
  const body = raw.json === undefined ? bodyText(raw.bytes, raw.contentType) : (raw.json as Json);
  return { result: (output ?? raw.json) as Json | undefined, response: body };
}
