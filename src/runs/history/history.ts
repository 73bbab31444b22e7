import type { RunRecord } from './record';

/** Where runs are kept. */
export interface History {
  readonly runs: readonly RunRecord[];
  get(id: string): RunRecord | undefined;
  /** Adds, or replaces the record of the same id. `result`: the response's body, kept bounded. */
  put(
    record: RunRecord,
    result?: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<RunRecord>;
  result(id: string): Promise<Uint8Array | undefined>;
  delete(ids: readonly string[]): Promise<void>;
  /** Calls back after every change; returns what ends that. */
  onDidChange(listener: (changed: readonly RunRecord[]) => void): () => void;
}
