import type { RunResponse } from '../../domain/response';
import type { RunRecord } from '../../domain/runRecord';
import { bodyContent } from '../../intake/bodyContent';
import { readRunResponse } from '../../readers/run';

/** The response of a run, read again from the copy of its body that the history keeps. */
export function keptResponse(record: RunRecord, bytes: Uint8Array): RunResponse {
  const contentType = record.result?.contentType ?? '';
  const raw = {
    status: record.status ?? 200,
    headers: {},
    bytes,
    ...bodyContent(bytes, contentType),
  };
  const asked = new URL(URL.canParse(record.baseUrl) ? record.baseUrl : 'http://localhost');
  return readRunResponse(raw, asked, asked.href.replace(/\/$/, ''));
}
