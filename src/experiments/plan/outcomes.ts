import type { ExperimentResults, StoredFile, StoredResult } from '../../store/experimentResults';
import type { JobItem, JobOutcomes, RecordedRequest } from '../../store/jobKind';
import type { ResultLine } from '../results/resultLine';
import type { ExperimentHead, ExperimentRun } from './experimentKind';

/** The parts of a response that a results file keeps. */
export interface RunPayload {
  /** When the request left, in milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** Those of its line. */
  readonly members?: Pick<ResultLine, 'result' | 'result_without' | 'result_sha256' | 'odd_values'>;
  readonly files?: readonly StoredFile[];
}

/** Outcomes are recorded with their lines: a result is in the store before anybody could lose it. */
export function experimentOutcomes(
  results: ExperimentResults,
): JobOutcomes<ExperimentHead, ExperimentRun, RunPayload> {
  return {
    record(head, items, request) {
      // A failure before sending does not concern an earlier request that may have been charged.
      const isNews = ({ customId }: ExperimentRun) =>
        request.sentAt !== undefined || results.recorded(head.results, customId)?.state !== 'unconfirmed';
      results.recordNow(
        head.results,
        items.filter(isNews).map((item) => storedResult(item, request, head)),
      );
    },
    recordLate(head, items, request) {
      for (const result of items.map((item) => storedResult(item, request, head))) {
        const known = results.recorded(head.results, result.customId);
        // The outcome of the very request that its job has called unconfirmed: it runs no other without one.
        const isOfKnown = known?.state === 'unconfirmed' && memberOf(known, 'sender') === head.id;
        const order = known && !isOfKnown ? compareTimes(startedAt(known), startedAt(result)) : -1;
        if (order > 0) results.recordEarlierNow(head.results, result);
        else if (order < 0 || known?.state === 'unconfirmed') results.recordNow(head.results, [result]);
      }
    },
    recordedAt: (head, { customId }) => results.recorded(head.results, customId)?.at,
    isDone: (head, { customId }) => results.isNewSince(head.results, customId, head.since),
  };
}

const STATES = { done: 'finished', failed: 'failed' } as const;

function storedResult(
  item: JobItem<ExperimentRun>,
  { sentAt, runId, cost, payload = {} }: RecordedRequest<RunPayload>,
  { id: job, environment }: ExperimentHead,
): StoredResult {
  const { customId, state: reached, reason, at = Date.now() } = item;
  const state = reached === 'done' || reached === 'failed' ? STATES[reached] : 'unconfirmed';
  const { startedAt = sentAt ?? at, durationMs, members, files = [] } = payload;
  const [first, ...others] = files;
  // Members without a value are left out in JSON.
  const line: ResultLine = {
    custom_id: customId,
    variation: item.variation,
    item: item.item,
    item_sha256: item.itemSha256,
    judge: item.judge,
    repeat: item.repeat,
    request_sha256: item.requestSha256,
    environment,
    state,
    ...members,
    result_file: first?.name,
    other_files: others.length > 0 ? others.map(({ name }) => name) : undefined,
    reason,
    cost: cost && { amount: cost.amount, currency: cost.currency || undefined },
    // Not before the line that marks it as sent, even if the clock was set back: it settles that.
    started_at: new Date(Math.max(startedAt, sentAt ?? 0)).toISOString(),
    duration_ms: durationMs,
    run_id: runId,
    // A window may be killed after it has taken the run back in the file, and before the store knows of that.
    sender: state === 'unconfirmed' && sentAt !== undefined ? job : undefined,
  };
  return { customId, state, line: JSON.stringify(line), at, ...(files.length > 0 && { files }) };
}

/** When the request of a result left, in ISO 8601; empty where its line does not say. */
const startedAt = (result: StoredResult) => memberOf(result, 'started_at');

/** A text in the line of a result; empty where it has none. */
function memberOf({ line }: StoredResult, name: 'started_at' | 'sender'): string {
  const value = (JSON.parse(line) as { readonly [name in string]?: unknown })[name];
  return typeof value === 'string' ? value : '';
}

const compareTimes = (a: string, b: string) => (a === b ? 0 : a > b ? 1 : -1);
