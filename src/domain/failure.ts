import type { Environment } from './environment';
import type { KeyFault } from './keyFault';
import type { Money } from './money';
import type { RequestFault } from './requestFaults';

/** The closed set of things that can go wrong with the service. */
export type ErrorKind =
  | 'notConnected'
  | 'badKey'
  | 'noPermission'
  | 'cannotPay'
  | 'notFound'
  | 'invalidRequest'
  | 'conflict'
  | 'rateLimited'
  | 'serviceFailing'
  | 'unreachable'
  | 'timedOut'
  | 'cancelled'
  | 'unreadableResponse'
  | 'outcomeUnknown'
  /** The user's own budget is reached, so the request was not sent. The service did not reject it. */
  | 'budgetReached';

export type BaseUrlProblem =
  | 'notAnAddress'
  | 'credentials'
  | 'query'
  | 'insecure'
  /** An address without `https://`. */
  | { readonly missesScheme: string };

/** A proxy: its address without a password, and the setting or variable that names it. */
export interface ProxyFacts {
  readonly address: string;
  readonly source: string;
}

/** A budget of the settings that an amount is compared with. */
export type BudgetName = 'session' | 'workspace';

/** Why, where the kind alone does not determine what to do. Names and texts in it may be shown to users. */
export type FailureReason =
  /** `notConnected` */
  | { readonly reason: 'noEnvironment' }
  | {
      readonly reason: 'noKey' | 'keyLost' | 'keyReplaced' | 'keyOfOtherOrigin';
      readonly environment: Environment;
    }
  | { readonly reason: 'keyUnreadable'; readonly cause: string }
  | { readonly reason: 'environmentGone' | 'notAllowed'; readonly environment: Environment }
  /** `badKey` */
  | { readonly reason: 'keyFault'; readonly fault: KeyFault }
  /** `noPermission` */
  | { readonly reason: 'runsOnly' }
  /** `timedOut` */
  | { readonly reason: 'notSentInTime' }
  /** `invalidRequest` */
  | { readonly reason: 'baseUrl'; readonly problem: BaseUrlProblem }
  | { readonly reason: 'modelName'; readonly model: string }
  | { readonly reason: 'request'; readonly fault: RequestFault }
  /** `fault` is missing when the argument is not an object. */
  | { readonly reason: 'commandArgument'; readonly fault?: RequestFault }
  | { readonly reason: 'fileChanged'; readonly file: string }
  | { readonly reason: 'fileUnreadable'; readonly file: string; readonly cause: string }
  /** `invalidRequest`, `serviceFailing`: the server that upload addresses are at, which gets no API key. */
  | { readonly reason: 'uploadRejected'; readonly host: string; readonly status: number }
  /** `unreachable`, `outcomeUnknown`. `code`: of the system, Node or undici. `isHttp`: asked without TLS. */
  | {
      readonly reason: 'connection';
      readonly host: string;
      readonly code?: string;
      readonly cause: string;
      readonly isHttp?: boolean;
    }
  /** `unreachable`: the request was not sent. `code` as above, or `PROXY`, `PROXY_407`. */
  | {
      readonly reason: 'proxy';
      readonly problem: 'unreadable' | 'unsupported' | 'failed';
      readonly proxy: ProxyFacts;
      readonly host: string;
      readonly code?: string;
      readonly cause: string;
    }
  /** `outcomeUnknown`, `unreadableResponse`: of the parser of HTTP. */
  | { readonly reason: 'invalidHttp'; readonly detail: string }
  /** `unreachable`: a firewall or a sign-in answered instead of the service. */
  | { readonly reason: 'webPage' }
  /** `outcomeUnknown` */
  | { readonly reason: 'connectionLost' | 'timeLimit' | 'stoppedWaiting' }
  /** `unreadableResponse`, `outcomeUnknown`; `unreachable` where the status proves that no run was executed. */
  | { readonly reason: 'redirect'; readonly target?: string; readonly isNotExecuted?: true }
  | { readonly reason: 'tooLarge' | 'noCatalog' | 'noUploadUrl' | 'uploadForm' | 'noMediaRef' }
  | { readonly reason: 'unsafeUploadUrl'; readonly refused: RefusedAddress }
  | { readonly reason: 'noModel'; readonly model: string }
  /** `unreadableResponse`: from a web server before the service. */
  | { readonly reason: 'encodedSlash'; readonly model: string }
  | { readonly reason: 'nextPageElsewhere'; readonly refused: RefusedAddress }
  /** `budgetReached`. `taken`: spent or in flight; `expected`: the estimated cost of the next run. */
  | {
      readonly reason: 'budget';
      readonly budget: BudgetName;
      readonly limit: Money;
      readonly taken: Money;
      readonly expected?: Money;
    }
  /** `budgetReached`: a run was charged in another currency than the budget's. */
  | { readonly reason: 'otherCurrency'; readonly cost: Money; readonly limit: Money }
  | { readonly reason: 'jobCannotPay' }
  /** `budgetReached`: the next run exceeds the reserve of the agent's call, or the call was stopped. */
  | { readonly reason: 'agentReserve' }
  | { readonly reason: 'agentStopped' }
  /** `cannotPay`: a 429 after which waiting is in vain. */
  | { readonly reason: 'quotaUsedUp' }
  /** `budgetReached`: see `modelBench.confirmPaidRuns`. */
  | { readonly reason: 'notConfirmed'; readonly environment: Environment };

export interface FailureDetails {
  readonly status?: number;
  /** The standard name of the status, of a response without a message: "Unsupported Media Type". */
  readonly statusMeaning?: string | undefined;
  /** The service's own message, shortened, as plain text. */
  readonly serviceMessage?: string;
  readonly requestId?: string;
  /** When the service takes requests again, milliseconds since the epoch. */
  readonly retryAtMs?: number;
  readonly why?: FailureReason;
  /** Of a run: the response mapping says that its status proves that it was not executed. */
  readonly notExecuted?: true;
}

/** A failure as data: `wording/errors.ts` makes the sentence and the next step of it. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly details: FailureDetails;
}

/** An address that a response names and that is not requested, and why. `address` has no query. */
export interface RefusedAddress {
  readonly address: string;
  readonly why: 'notAnAddress' | 'otherOrigin' | 'insecure';
}

/** Why an accepted run is not polled, or no longer. */
export type NotFollowed =
  | { readonly reason: 'refusedAddress'; readonly refused: RefusedAddress }
  | { readonly reason: 'failed'; readonly failure: Failure };

/** Why a list is known to go on although no further page is requested. */
export type IncompleteList =
  | { readonly reason: 'noAddress' | 'repeats' | 'pageUnreadable' }
  | { readonly reason: 'refusedAddress'; readonly refused: RefusedAddress }
  /** The pages before it were loaded. */
  | { readonly reason: 'pageFailed'; readonly failure: Failure }
  | { readonly reason: 'tooManyPages'; readonly pages: number }
  /** The service names a total that its pages do not have. */
  | { readonly reason: 'fewer'; readonly received: number; readonly total: number };
