import type { Json } from '../domain/json';
import type { Money } from '../domain/money';
import type { ExperimentResults, StoredResult } from '../store/experimentResults';
import type { JobItem, JobOutcomes } from '../store/jobKind';
import type { ExperimentHead, ExperimentRun } from './experimentKind';
import type { ResultLine } from './results';

/** What a window knows of a run beyond what the job keeps of it, from its sending to its outcome. */
export interface RunFacts {
  /** Milliseconds since the epoch. */
  startedAt?: number;
  durationMs?: number;
  runId?: string;
  cost?: Money;
  result?: Json;
  body?: { readonly name: string; readonly bytes: Uint8Array };
  metrics?: Readonly<Record<string, number>>;
}

/** By `custom_id`. */
export type FactsOfRuns = Map<string, RunFacts>;

/** Outcomes are recorded with their lines: a result is in the store before anybody could lose it. */
export function experimentOutcomes(
  results: ExperimentResults,
  facts: FactsOfRuns,
): JobOutcomes<ExperimentHead, ExperimentRun> {
  return {
    record: (head, items) =>
      results.recordNow(
        head.results,
        items.map((item) => storedResult(item, facts.get(item.customId))),
      ),
    recordedAt: (head, { customId }) => results.recordedAt(head.results, customId),
    isDone: (head, { customId }) => (results.recordedAt(head.results, customId) ?? 0) > head.since,
  };
}

const STATES = { done: 'finished', failed: 'failed' } as const;

function storedResult(item: JobItem<ExperimentRun>, facts: RunFacts = {}): StoredResult {
  const { customId, state: reached, reason, at = Date.now() } = item;
  const state = reached === 'done' || reached === 'failed' ? STATES[reached] : 'unconfirmed';
  const { startedAt = at, durationMs, runId, cost, result, body, metrics } = facts;
  const line: ResultLine = {
    custom_id: customId,
    variation: item.variation,
    item: item.item,
    repeat: item.repeat,
    request_sha256: item.requestSha256,
    state,
    ...(result !== undefined && { result }),
    ...(body && { result_file: body.name }),
    ...(reason !== undefined && { reason }),
    ...(cost && { cost: { amount: cost.amount, ...(cost.currency && { currency: cost.currency }) } }),
    started_at: new Date(startedAt).toISOString(),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    ...(runId !== undefined && { run_id: runId }),
    ...(metrics && Object.keys(metrics).length > 0 && { metrics }),
  };
  return { customId, state, line: JSON.stringify(line), at, ...(body && { body }) };
}
