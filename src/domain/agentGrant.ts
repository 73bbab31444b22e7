import * as z from 'zod/mini';
import type { Environment } from './environment';
import type { Money } from './money';

/** The tools of agents that cost money. */
export const paidTools = ['run_model', 'search_scope', 'index_files', 'run_experiment'] as const;
export type PaidTool = (typeof paidTools)[number];

/** A person's permission for agents to spend money in one environment. */
export interface AgentGrant {
  readonly environment: Environment;
  /** The name of the only client that it is for; missing: every client. */
  readonly client?: string;
  /** Given by `--max-cost`: only that client's processes with such an amount may use it. */
  readonly ofProcess?: boolean;
  /** A canonical amount: everything that agents may spend under this grant. */
  readonly amount: string;
  /** The wallet's; missing where the wallet names none. */
  readonly currency?: string;
  readonly tools: readonly PaidTool[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** A grant that lives, with its spending in canonical amounts. */
export interface LivingGrant extends AgentGrant {
  readonly id: number;
  readonly spent: string;
  /** For calls under way, and for calls without a known outcome. */
  readonly reserved: string;
}

/**
 * - `unconfirmed`: its process has gone, or a response was lost; it may have been charged, and keeps its reserve
 * - `stopped`: by the user, by the agent, or by the end of its grant
 */
export type AgentCallState = 'running' | 'finished' | 'failed' | 'stopped' | 'unconfirmed';

/**
 * Who started a run, in the record of the run: the client's own name for itself (text from outside), and the id of its
 * `AgentCall`.
 */
export const agentMark = z.readonly(
  z.object({ agent: z.string(), tool: z.enum(paidTools), call: z.string() }),
);
export type AgentMark = z.infer<typeof agentMark>;

export interface AgentCall {
  readonly id: string;
  readonly environment: Environment;
  readonly agent: string;
  readonly tool: PaidTool;
  readonly state: AgentCallState;
  /** The most that its runs may cost, a canonical amount. */
  readonly reserved: string;
  readonly currency?: string;
  /** Counted against the grant once it has ended; a canonical amount. */
  readonly charged?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Id of the run's record or of the job that it started. */
  readonly work?: string;
}

/** A paid call before it is admitted. */
export interface AgentOrder {
  /** Of the call, where the caller has named it to the agent; missing: a new one. */
  readonly id?: string;
  readonly environment: Environment;
  readonly tool: PaidTool;
  /** The client's own name for itself. */
  readonly agent: string;
  /** By which a repeated call is recognized. */
  readonly idempotencyKey: string;
  /** The arguments of the call in a form that is equal for equal calls, such as their JSON or its hash. */
  readonly request: string;
  /** The most it is expected to cost; missing: unknown. */
  readonly amount?: Money;
  /** The most that this agent may spend under the grant, of a canonical amount: the `--max-cost` of its process. */
  readonly cap?: Money;
}

/** Why a call needs approval. Amounts are in the currency of the grant. */
export type GrantRefusal =
  | { readonly kind: 'none' | 'ended' | 'unknownPrice' }
  | { readonly kind: 'tool'; readonly tool: PaidTool }
  /** `left` is never below zero. */
  | { readonly kind: 'beyond'; readonly left: Money; readonly limit: Money }
  /** Earlier runs were charged more than they were expected to cost, or the amount was lowered since. */
  | { readonly kind: 'exceeded'; readonly by: Money; readonly limit: Money }
  /** Grants live for other environments or other clients only. */
  | { readonly kind: 'otherGrant' }
  /** The key was used for another request. */
  | { readonly kind: 'keyReused' }
  /** The agent made the same request under another key, and the outcome of that call is not known. */
  | { readonly kind: 'unconfirmed'; readonly call: string };

export type Admitted =
  | { readonly kind: 'begun'; readonly call: AgentCall }
  /** The same call was made before: it is not made again. */
  | { readonly kind: 'earlier'; readonly call: AgentCall }
  | { readonly kind: 'refused'; readonly refusal: GrantRefusal };
