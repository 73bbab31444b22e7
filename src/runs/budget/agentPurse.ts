import type { Admitted, AgentMark, AgentOrder } from '../../domain/agentGrant';
import { addAmounts, compareAmounts, subtractAmounts } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { ServiceError } from '../../service/errors';
import type { AgentGrants, CallEnd } from '../../store/agentGrants';
import type { Store } from '../../store/store';
import { isSame } from './account';

/** The part of a reserve that one run holds; ended once. */
export interface HeldAmount {
  /** Right before its bytes leave. @throws ServiceError `budgetReached` */
  confirm(): void;
  /** @param cost the run's charge; missing, or in another currency: unknown, and the held amount counts */
  settle(cost: Money | undefined): void;
  release(): void;
}

/**
 * The reserve of an agent's call, from which all its runs are paid: `RunOrder.agent` and `JobRunOrder.agent`. Sending
 * stops where the next run would exceed it, and when the user or the agent stops the call.
 */
export class AgentPurse {
  #charged = '0';
  readonly #held = new Set<{ readonly amount: string }>();
  readonly #stop = new AbortController();
  #unwatch: (() => void) | undefined;

  constructor(
    readonly mark: AgentMark,
    /** In the currency of the grant, of a canonical amount. */
    readonly reserve: Money,
    private readonly store: { readonly agentGrants: AgentGrants; readonly changes: Store['changes'] },
    /** See `AgentOrder`. */
    private readonly cap?: Money,
  ) {
    this.#unwatch = store.changes.on('agents', () => {
      if (!this.#maySend()) this.#stop.abort();
    });
  }

  /** Aborted when the call must send no further run: the user stopped agents, in this process or another. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Holds the expected cost of a run; an unknown one may need all that is left, and one in another currency fits into
   * none.
   * @throws ServiceError `budgetReached`
   */
  hold(expected: Money | undefined): HeldAmount {
    this.#assertNotStopped();
    const left = this.#left();
    const fits = !expected ? compareAmounts(left, '0') > 0 : compareAmounts(expected.amount, left) <= 0;
    assertFits(fits && (!expected || isSame(expected, this.reserve)));
    const held = { amount: expected?.amount ?? left };
    this.#held.add(held);
    return {
      confirm: () => {
        // Runs before it may have cost more than was held for them.
        assertFits(compareAmounts(this.#left(), '0') >= 0);
        this.#assertNotStopped();
      },
      settle: (cost) => {
        if (!this.#held.delete(held)) return;
        const { amount } = cost && isSame(cost, this.reserve) ? cost : held;
        this.#charged = addAmounts(this.#charged, amount);
        if (compareAmounts(this.#charged, this.reserve.amount) > 0)
          // `end` writes it again.
          void this.store.agentGrants.raise(this.mark.call, this.#charged).catch(() => undefined);
      },
      release: () => void this.#held.delete(held),
    };
  }

  /** Whether the grant would bear this amount for the runs in flight. */
  mayCost(inFlight: string): boolean {
    return this.store.agentGrants.maySend(this.mark.call, this.cap, addAmounts(this.#charged, inFlight));
  }

  /** Names the run's record or the job, under which a repeated call finds the result. */
  noteWork(work: string): Promise<void> {
    return this.store.agentGrants.noteWork(this.mark.call, work);
  }

  /** Ends the call with the charge of all its runs. */
  async end(outcome: CallEnd['outcome']): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = undefined;
    await this.store.agentGrants.settle(this.mark.call, { outcome, cost: { amount: this.#charged } });
  }

  /** Of the reserve, beside all that is held. */
  #left(): string {
    const taken = [...this.#held].reduce((sum, { amount }) => addAmounts(sum, amount), this.#charged);
    return subtractAmounts(this.reserve.amount, taken);
  }

  #assertNotStopped(): void {
    if (this.#stop.signal.aborted || !this.#maySend())
      throw new ServiceError('budgetReached', { why: { reason: 'agentStopped' } });
  }

  #maySend(): boolean {
    return this.store.agentGrants.maySend(this.mark.call, this.cap);
  }
}

function assertFits(fits: boolean): void {
  if (!fits) throw new ServiceError('budgetReached', { why: { reason: 'agentReserve' } });
}

/** The paid call of an agent that was admitted, with the reserve for its runs; or why not, or the same call made earlier. */
export type BegunCall =
  | { readonly kind: 'begun'; readonly purse: AgentPurse }
  | Exclude<Admitted, { readonly kind: 'begun' }>;

/** Admits a paid call under the grant. The caller passes the purse to the runs of the call, and must `end` it. */
export async function beginAgentCall(
  store: Pick<Store, 'agentGrants' | 'changes'>,
  order: AgentOrder,
): Promise<BegunCall> {
  const admitted = await store.agentGrants.begin(order);
  if (admitted.kind !== 'begun') return admitted;
  const { id: call, agent, tool, reserved: amount, currency } = admitted.call;
  const purse = new AgentPurse({ agent, tool, call }, { amount, currency }, store, order.cap);
  return { kind: 'begun', purse };
}
