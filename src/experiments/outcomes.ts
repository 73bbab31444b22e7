import type { Json } from '../domain/json';
import type { Money } from '../domain/money';
import type { ExperimentResults, StoredResult } from '../store/experimentResults';
import type { JobItem, JobOutcomes, RecordedRequest } from '../store/jobKind';
import type { ExperimentHead, ExperimentRun } from './experimentKind';
import type { ResultLine } from './results';

/** What a results file keeps of a response. */
export interface RunFacts {
  /** When the request left, in milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly runId?: string;
  readonly cost?: Money;
  readonly result?: Json;
  readonly without?: readonly string[];
  readonly resultSha256?: string;
  readonly body?: { readonly name: string; readonly bytes: Uint8Array };
}

/** Outcomes are recorded with their lines: a result is in the store before anybody could lose it. */
export function experimentOutcomes(
  results: ExperimentResults,
): JobOutcomes<ExperimentHead, ExperimentRun, RunFacts> {
  return {
    record: (head, items, request) =>
      results.recordNow(
        head.results,
        items.map((item) => storedResult(item, request)),
      ),
    recordedAt: (head, { customId }) => results.recordedAt(head.results, customId),
    isDone: (head, { customId }) => (results.recordedAt(head.results, customId) ?? 0) > head.since,
  };
}

const STATES = { done: 'finished', failed: 'failed' } as const;

function storedResult(
  item: JobItem<ExperimentRun>,
  { sentAt, payload = {} }: RecordedRequest<RunFacts>,
): StoredResult {
  const { customId, state: reached, reason, at = Date.now() } = item;
  const state = reached === 'done' || reached === 'failed' ? STATES[reached] : 'unconfirmed';
  const {
    startedAt = sentAt ?? at,
    durationMs,
    runId,
    cost,
    result,
    without = [],
    resultSha256,
    body,
  } = payload;
  const line: ResultLine = {
    custom_id: customId,
    variation: item.variation,
    item: item.item,
    ...(item.itemSha256 !== undefined && { item_sha256: item.itemSha256 }),
    repeat: item.repeat,
    request_sha256: item.requestSha256,
    state,
    ...(result !== undefined && { result }),
    ...(without.length > 0 && { result_without: without }),
    ...(resultSha256 !== undefined && { result_sha256: resultSha256 }),
    ...(body && { result_file: body.name }),
    ...(reason !== undefined && { reason }),
    ...(cost && { cost: { amount: cost.amount, ...(cost.currency && { currency: cost.currency }) } }),
    // Not before the line that says that it was sent, also when the clock was set back: it settles that.
    started_at: new Date(Math.max(startedAt, sentAt ?? 0)).toISOString(),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    ...(runId !== undefined && { run_id: runId }),
  };
  return { customId, state, line: JSON.stringify(line), at, ...(body && { body }) };
}
