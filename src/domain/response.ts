import type { NotFollowed } from './failure';
import type { Money } from './money';

/** A response as received over HTTP, its body unchanged; it is kept beside its reading. */
export interface RawResponse {
  readonly status: number;
  /** The declared type where the bytes allow it, else that of the bytes; the headers keep the declared one. */
  readonly contentType: string;
  /** Lower-case names, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The body as JSON; undefined for other bodies. */
  readonly json?: unknown;
  /** The body as text, where it is text and no JSON, and not too large for one. */
  readonly text?: string;
  /** Its JSON has values that JSON does not allow, such as NaN: they are read as null. */
  readonly hasOddValues?: true;
  /** The content encoding of a body that could not be decoded. */
  readonly undecoded?: string;
}

/** The body of a response and its type. The history keeps the beginning of a very long one. */
export type ResponseBody = Pick<RawResponse, 'contentType' | 'bytes'>;

/** A run's response as read by `readers/run.ts`: state, result and cost. The panel holds it, and pages get parts of it. */
export interface RunResponse {
  /**
   * - `accepted`: to be finished later, and the response has no same-origin URL to poll, or polling ended before
   * - `unclear`: the body has no sign of success and none of failure
   */
  readonly state: 'finished' | 'accepted' | 'failed' | 'unclear';
  readonly runId?: string;
  /**
   * The result itself when an envelope was recognised, else the whole body: JSON, or text. Null for
   * media and other bytes, which are in `raw`; undefined where there is no result (yet).
   */
  readonly output: unknown;
  readonly cost?: Money;
  /** For `failed`: the service's own message. */
  readonly message?: string;
  /** False: the envelope is not a known one, and the whole body is taken as the result. */
  readonly recognised: boolean;
  /** The places that a mapping of the user's named, and that decided; missing: the usual names did. */
  readonly readBy?: readonly MappedPlace[];
  /** The entries of a batch, where a mapping names their places. */
  readonly entries?: readonly MappedEntry[];
  /** The place that a mapping names and the body lacks: the state is `unclear`. */
  readonly missing?: MappedPlace;
  /** The address at which an accepted run can be polled, also one of which a poll was not understood. */
  readonly followUrl?: string;
  /** Why an accepted run is not polled, or no longer, although its response named an address. */
  readonly notFollowed?: NotFollowed;
  readonly raw: RawResponse;
}

/** A run that the service has accepted: all that it takes to ask for its outcome. */
export type AcceptedRun = Pick<RunResponse, 'runId' | 'cost' | 'followUrl'>;

/** One entry of a batch: its item's ID, and its state. */
export interface MappedEntry {
  readonly id?: string;
  readonly state?: RunResponse['state'];
}

/** A part of a response, and the JSON pointer at which a mapping has it. */
export interface MappedPlace {
  readonly part: string;
  readonly at: string;
}

export interface WalletResponse {
  /** Undefined: the body was not understood; `raw` has it. */
  readonly wallet?: Wallet;
  /** The balance in the service's own words, where its amount or unit is not understood. */
  readonly words?: string;
  readonly raw: RawResponse;
}

export interface Wallet {
  readonly balance: Money;
  /** As the service words it, when it does: "active", "suspended". */
  readonly status?: string;
}
