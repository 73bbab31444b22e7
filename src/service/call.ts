import type { LogLine } from '../domain/logLine';

export interface ServiceLog {
  debug(line: LogLine): void;
  info(line: LogLine): void;
  warn(line: LogLine): void;
}

/**
 * - `read`: a GET; repeated a few times when it fails
 * - `upload`: a step of an upload; likewise
 * - `run`: POST /api/runs; sent again only when it is proven that it was not executed
 */
export type CallKind = 'read' | 'upload' | 'run';

export interface Call {
  readonly kind: CallKind;
  readonly method: string;
  readonly url: URL;
  /** For the log: a route as the interface names it. */
  readonly label: LogLine;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes a new body for each attempt. */
  readonly body?: () => Uint8Array | AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** One of many requests of a job: its outcome counts for the pace of bulk work. */
  readonly bulk?: boolean;
  /** Runs only: set by the run's own time limit, as opposed to the user's cancel. */
  readonly deadline?: AbortSignal;
  /** Taken out of the response, as the key is. */
  readonly signatures?: readonly string[];
  readonly onWaiting?: () => void;
  /** Right before the first byte leaves: an error holds the call back. */
  readonly onSending?: () => void;
  /** Called once the whole request was handed over to the connection. */
  readonly onSent?: () => void;
  readonly onAnswering?: () => void;
  /** Responses besides 2xx that the caller reads itself. */
  readonly accepts?: (status: number, location: string | undefined) => boolean;
  readonly mostAttempts?: number;
  /** Sent without the key, to check which service responds at an address. */
  readonly withoutKey?: true;
  /** Waits through a pause of any length, as runs and uploads do. */
  readonly patient?: boolean;
}

/** Ends as soon as one of the two ends. */
export function eitherSignal(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}
