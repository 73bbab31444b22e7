import type { Paid } from '../commands/state';
import type { AgentCall, PaidTool } from '../domain/agentGrant';
import type { Environment } from '../domain/environment';
import type { Money } from '../domain/money';
import type { ExpectedCost } from '../runFiles/expectedCost';
import { type AgentPurse, beginAgentCall } from '../runs/budget/agentPurse';
import { refusalText } from '../wording/agentGrant';
import { plainLine } from '../wording/plainText';
import type { AgentSession } from './session';

/** The call is not admitted, as a sentence for the agent. */
export class NeedsApproval extends Error {
  override readonly name = 'NeedsApproval';
}

/** The same call was made before. */
export class EarlierCall extends Error {
  override readonly name = 'EarlierCall';

  constructor(readonly call: AgentCall) {
    super(call.id);
  }
}

export interface PaymentOrder {
  /** Id of the call that is begun. */
  readonly handle: string;
  readonly environment: Environment;
  readonly tool: PaidTool;
  readonly idempotencyKey: string;
  /** Equal for equal calls. */
  readonly request: string;
  /** "a run of acme/segment". */
  readonly purpose: string;
}

/** Pays for one call of a paid tool. The cost is reserved once, when it is known. */
export class Payment {
  #purse: AgentPurse | undefined;

  constructor(
    private readonly session: AgentSession,
    private readonly order: PaymentOrder,
    private readonly stopping: AbortController,
  ) {}

  /** Undefined until the call has begun. */
  get purse(): AgentPurse | undefined {
    return this.#purse;
  }

  /**
   * Reserves the expected cost of all runs of the call. @param expected missing: unknown
   * @throws NeedsApproval, EarlierCall
   */
  async begin(expected: Money | undefined): Promise<AgentPurse> {
    const { house, agent } = this.session;
    const { handle, purpose, ...order } = this.order;
    await house.permit?.(order.environment, agent);
    const begun = await beginAgentCall(await house.store(), {
      ...order,
      id: handle,
      agent,
      ...(house.cap !== undefined && { cap: house.cap }),
      ...(expected && { amount: expected }),
    });
    if (begun.kind === 'earlier') throw new EarlierCall(begun.call);
    if (begun.kind === 'refused')
      throw new NeedsApproval(
        refusalText(begun.refusal, { purpose: plainLine(purpose), expected }, house.locale),
      );
    this.#purse = begun.purse;
    begun.purse.stopped.addEventListener('abort', () => this.stopping.abort());
    return begun.purse;
  }

  /** The payment of a job: all its runs are paid from the reserve, which has the highest cost of each of them. */
  async pay({ highest, unknown, runs }: ExpectedCost): Promise<Paid> {
    const [total = { amount: '0' }, ...others] = highest;
    const isKnown = unknown === 0 && others.length === 0 && runs > 0;
    const agent = await this.begin(isKnown ? total : undefined);
    return { runs: await this.session.house.runs(), agent };
  }
}
