import type { RunResponse } from '../../service/client';
import { jsonOf } from '../../service/rawResponse';
import { readRunResponse } from '../../service/reading/run';
import type { RunRecord } from './record';

/** The response of a run, read again from the copy of its body that the history keeps. */
export function keptResponse(record: RunRecord, bytes: Uint8Array): RunResponse {
  const contentType = record.result?.contentType ?? '';
  const raw = {
    status: record.status ?? 200,
    contentType,
    headers: {},
    bytes,
    json: jsonOf(bytes, contentType),
  };
  const asked = new URL(URL.canParse(record.baseUrl) ? record.baseUrl : 'http://localhost');
  return readRunResponse(raw, asked);
}
