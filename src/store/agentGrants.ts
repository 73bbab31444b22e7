import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type Admitted,
  type AgentCall,
  type AgentCallState,
  type AgentOrder,
  type GrantRefusal,
  type LivingGrant,
  paidTools,
} from '../domain/agentGrant';
import { addAmounts, compareAmounts, readCharge, subtractAmounts } from '../domain/amounts';
import type { Environment } from '../domain/environment';
import type { Money } from '../domain/money';
import { isUnconfirmed } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import type { Database, Row } from './database';
import { type Clocks, GrantClock, systemClocks } from './grantClock';
import type { Owners } from './owners';
import { touch } from './revisions';
import { json, number, oneOf, optional, text } from './rows';

/** Calls that have ended and are kept: by their keys, repeated calls are recognized. */
const MOST_CALLS = 20_000;
const LONGEST_NAME = 80;
/** While a grant lives the time is kept this often: a process that starts later with a clock set back knows it. */
const KEEP_TIME_MS = 30_000;

export interface CallEnd {
  readonly outcome: Exclude<AgentCallState, 'running'>;
  /** The charge for all its runs, zero where none was charged; missing: unknown, and the whole reserve is counted. */
  readonly cost?: Money;
}

/**
 * Agents' permissions to spend, and their paid calls, one set for all windows and processes. A call reserves its
 * expected cost before its first byte leaves, in the change that checks the grant. Only `giveAgentGrant` gives a grant.
 */
export class AgentGrants {
  readonly clock: GrantClock;
  /** Costs of this process's calls beyond their reserves, until they are written. */
  readonly #raised = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly owners: Owners,
    clocks: Clocks = systemClocks,
  ) {
    this.clock = new GrantClock(database, clocks);
  }

  /** The grants that live, newest first. */
  living(): LivingGrant[] {
    return this.database.all(
      'SELECT * FROM agent_grant WHERE ended_at IS NULL AND until > ? ORDER BY id DESC',
      grantOf,
      this.clock.now(),
    );
  }

  /**
   * The grant that a client's calls are paid under: a person's for it, then one for every client, then one of its process.
   * @param isCapped its process has a `--max-cost`
   */
  of({ name, baseUrl }: Environment, client: string, isCapped = false): LivingGrant | undefined {
    const here = this.living().filter(
      ({ environment }) => environment.name === name && environment.baseUrl === baseUrl,
    );
    const own = here.filter((grant) => grant.client === agentName(client));
    return (
      own.find(({ ofProcess }) => !ofProcess) ??
      here.find((grant) => grant.client === undefined) ??
      (isCapped ? own[0] : undefined)
    );
  }

  /** The names of clients that have made paid calls, those of the last ones first. */
  clients(): string[] {
    return this.database.all(
      'SELECT agent FROM agent_call GROUP BY agent ORDER BY max(started_at) DESC',
      (row) => text(row, 'agent'),
    );
  }

  /**
   * Admits a paid call and reserves its expected cost, or says why not. `earlier`: this very call was made before, and
   * has its outcome or will have it; the caller reads that and sends nothing. After `begun` the caller must `settle`.
   */
  begin(order: AgentOrder): Promise<Admitted> {
    return this.database.write(() => {
      const now = this.endPast();
      const agent = agentName(order.agent);
      const key = hashOf([order.idempotencyKey]);
      const { name, baseUrl } = order.environment;
      const request = hashOf([order.tool, name, baseUrl, order.request]);
      const earlier = this.#earlier(agent, order.tool, key, request);
      if (earlier) return earlier;
      const checked = this.#check(order, agent);
      if ('kind' in checked) return { kind: 'refused', refusal: checked };
      const { grant, amount, currency } = checked;
      this.owners.register();
      const { id = randomUUID() } = order;
      this.database.run(
        `INSERT INTO agent_call (id, grant_id, agent, tool, key, request, state, reserved, owner, started_at)
         VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)`,
        ...[id, grant.id, agent, order.tool, key, request, amount, this.owners.id, now],
      );
      this.#count(grant.id, '0', amount);
      // A grant has one currency: that of its first call, where it names none.
      this.database.run(
        'UPDATE agent_grant SET currency = coalesce(currency, ?) WHERE id = ?',
        ...[currency ?? null, grant.id],
      );
      return { kind: 'begun', call: this.call(id)! };
    });
  }

  /**
   * Whether a call may send a run now. Asked right before the bytes of each run leave. Not once the grant is exceeded, as
   * after its amount was lowered, or a run was charged more than expected.
   * @param cap see `AgentOrder`
   * @param amount of the call; missing: its reserve
   */
  maySend(id: string, cap?: Money, amount?: string): boolean {
    const sql = `SELECT g.*, c.tool, c.agent, c.reserved AS own FROM agent_call c JOIN agent_grant g ON g.id = c.grant_id
      WHERE c.id = ? AND c.state = 'running' AND c.stopping = 0 AND g.ended_at IS NULL AND g.until > ?`;
    const isAllowed = (row: Row) => {
      const grant = grantOf(row);
      const left = this.#left(grant, text(row, 'agent'), cap);
      const more = amount === undefined ? '0' : subtractAmounts(amount, text(row, 'own'));
      return compareAmounts(left.amount, more) >= 0 && grant.tools.includes(toolOf(row, 'tool'));
    };
    return this.database.get(sql, isAllowed, id, this.clock.now()) ?? false;
  }

  /** Names the run's record or the job that a call has started. */
  noteWork(id: string, work: string): Promise<void> {
    return this.#write(() => this.database.run('UPDATE agent_call SET work = ? WHERE id = ?', work, id));
  }

  /** The runs of a call under way have cost more than its reserve: that counts at once, against other calls too. */
  raise(id: string, charged: string): Promise<void> {
    this.#raised.set(id, charged);
    return this.#write(() => {
      const more = this.#beyond(id, charged);
      if (more !== '0') {
        this.database.run('UPDATE agent_call SET reserved = ? WHERE id = ?', charged, id);
        this.#count(this.#row(id)!.grant, '0', more);
      }
      if (this.#raised.get(id) === charged) this.#raised.delete(id);
    });
  }

  /**
   * Ends a call, once: an unconfirmed one keeps its reserve and may be settled later. If its runs are known to cost more,
   * that counts.
   */
  settle(id: string, { outcome, cost }: CallEnd): Promise<void> {
    return this.#write(() => {
      const call = this.#row(id);
      if (!call || call.charged !== undefined) return;
      const charged = readCharge(cost?.amount) ?? call.reserved;
      const isWithin = compareAmounts(charged, call.reserved) <= 0;
      if (outcome === 'unconfirmed' && isWithin) this.#end(id, outcome, null);
      else this.#charge(call, outcome, charged);
    });
  }

  /** Runs of a call have cost this together, as became known after it; it may have counted with less. */
  learn(id: string, charged: string): Promise<void> {
    return this.#write(() => {
      const call = this.#row(id);
      if (!call || call.state === 'running') return;
      if (compareAmounts(charged, call.charged ?? call.reserved) > 0) this.#charge(call, call.state, charged);
    });
  }

  /**
   * Inside the change that records a run of an agent: names the run in its call, and ends the call by the outcome of the
   * run. A receipt, or the user, may change that outcome later.
   */
  noteRun({ id, baseUrl, agent, state, cost }: RunRecord): void {
    const call = agent && this.#row(agent.call);
    if (!call) return;
    this.database.run('UPDATE agent_call SET work = ? WHERE id = ?', id, call.call.id);
    touch(this.database, 'agents');
    if (state === 'running') return;
    const { currency } = call.call;
    const isOther = (currency ?? cost?.currency) !== (cost?.currency ?? currency);
    // One in another currency is unknown to the grant.
    const known = isOther ? undefined : readCharge(cost?.amount);
    const isOpen = isUnconfirmed(state) || state === 'accepted';
    if (isOpen && known === undefined) {
      if (call.charged === undefined) this.#end(call.call.id, 'unconfirmed', null);
      return;
    }
    const outcome = state === 'failed' ? 'failed' : state === 'notSent' ? 'stopped' : 'finished';
    const isReserved = 'SELECT 1 AS yes FROM reserve WHERE base_url = ? AND id = ? AND cost IS NULL';
    const mayBeBilled = outcome === 'finished' || this.database.has(isReserved, baseUrl, id);
    this.#charge(call, outcome, known ?? (mayBeBilled ? call.reserved : '0'));
  }

  /** Stops one call: it sends no further run. */
  stop(id: string): Promise<void> {
    return this.#write(() => this.database.run('UPDATE agent_call SET stopping = 1 WHERE id = ?', id));
  }

  /** Ends all grants, and with them all work under way. */
  end(): Promise<void> {
    return this.#write(() =>
      this.database.run('UPDATE agent_grant SET ended_at = ? WHERE ended_at IS NULL', this.clock.tick()),
    );
  }

  /** Inside a change: ends grants whose time is past, so that no clock revives them. Returns the time. */
  endPast(): number {
    const now = this.clock.tick();
    const sql = 'UPDATE agent_grant SET ended_at = until WHERE ended_at IS NULL AND until <= ?';
    if (this.database.run(sql, now) > 0) touch(this.database, 'agents');
    return now;
  }

  /** A call; one whose process has gone is `unconfirmed`. */
  call(id: string): AgentCall | undefined {
    return this.#row(id)?.call;
  }

  /** The last calls, newest first; `of`: under one grant. */
  calls({ of, limit }: { readonly of?: number; readonly limit: number }): AgentCall[] {
    return this.database.all(
      `${CALLS} WHERE ? IS NULL OR c.grant_id = ? ORDER BY c.started_at DESC, c.id LIMIT ?`,
      (row) => this.#callOf(row).call,
      ...[of ?? null, of ?? null, limit],
    );
  }

  /**
   * Keeps the time while a grant lives, ends those whose time is past, and marks the calls of processes that are gone as
   * unconfirmed. Look again a little later.
   */
  async look(): Promise<void> {
    const now = this.clock.now();
    const due = `SELECT 1 AS yes FROM agent_grant JOIN agent_clock
      WHERE ended_at IS NULL AND (until <= ? OR at < ?) LIMIT 1`;
    if (this.database.has(due, now, now - KEEP_TIME_MS)) await this.database.write(() => this.endPast());
    const running = this.database.all(
      "SELECT DISTINCT owner FROM agent_call WHERE state = 'running'",
      (row) => text(row, 'owner'),
    );
    const gone = running.filter((owner) => this.owners.isGone(owner));
    if (gone.length === 0) return;
    await this.#write(() => {
      for (const owner of gone)
        this.database.run(
          "UPDATE agent_call SET state = 'unconfirmed', ended_at = ? WHERE state = 'running' AND owner = ?",
          ...[this.clock.now(), owner],
        );
    });
  }

  /** Removes the oldest of many calls. */
  async sweep(): Promise<void> {
    await this.database.write(() =>
      this.database.run(
        `DELETE FROM agent_call WHERE charged IS NOT NULL AND started_at <
         (SELECT started_at FROM agent_call ORDER BY started_at DESC LIMIT 1 OFFSET ${MOST_CALLS})`,
      ),
    );
  }

  /** The call by its key; refused where it has no known outcome under another one. */
  #earlier(agent: string, tool: string, key: string, request: string): Admitted | undefined {
    const row = this.database.get(
      `${CALLS} WHERE c.agent = ? AND c.tool = ? AND c.key = ?`,
      (same) => same,
      ...[agent, tool, key],
    );
    if (row)
      return row.request === request
        ? { kind: 'earlier', call: this.#callOf(row).call }
        : { kind: 'refused', refusal: { kind: 'keyReused' } };
    const open = this.database.all(
      `${CALLS} WHERE c.request = ? AND c.agent = ? AND c.state IN ('running', 'unconfirmed')`,
      (same) => this.#callOf(same).call,
      ...[request, agent],
    );
    const unconfirmed = open.find(({ state }) => state === 'unconfirmed');
    return unconfirmed && { kind: 'refused', refusal: { kind: 'unconfirmed', call: unconfirmed.id } };
  }

  /** The rest of a grant for one of its clients, and the limit that it is the rest of. */
  #left(grant: LivingGrant, agent: string, cap: Money | undefined) {
    const rest = (limit: string, used: string, of: (call: OwnedCall) => boolean) => ({
      amount: subtractAmounts(limit, addAmounts(used, this.#unwritten(of))),
      limit,
    });
    const isShared = (call: OwnedCall) => call.grant === grant.id;
    const shared = rest(grant.amount, addAmounts(grant.spent, grant.reserved), isShared);
    if (cap === undefined) return shared;
    const isOwn = (one: OwnedCall) => isShared(one) && one.call.agent === agent;
    const own = rest(cap.amount, this.#usedBy(grant.id, agent), isOwn);
    return compareAmounts(own.amount, shared.amount) < 0 ? own : shared;
  }

  /** The amount that a client has spent and reserved under a grant. */
  #usedBy(grant: number, agent: string): string {
    return this.database
      .all(
        'SELECT coalesce(charged, reserved) AS amount FROM agent_call WHERE grant_id = ? AND agent = ?',
        (row) => text(row, 'amount'),
        ...[grant, agent],
      )
      .reduce(addAmounts, '0');
  }

  /** The costs of this process's calls beyond their reserves that are not written yet. */
  #unwritten(isCounted: (call: OwnedCall) => boolean): string {
    let sum = '0';
    for (const [id, charged] of this.#raised) {
      const call = this.#row(id);
      if (call && isCounted(call)) sum = addAmounts(sum, this.#beyond(id, charged));
    }
    return sum;
  }

  /** By how much a charge passes the reserve of a call under way. */
  #beyond(id: string, charged: string): string {
    const call = this.#row(id);
    if (!call || call.charged !== undefined || compareAmounts(charged, call.reserved) <= 0) return '0';
    return subtractAmounts(charged, call.reserved);
  }

  #check(
    order: AgentOrder,
    agent: string,
  ): GrantRefusal | { readonly grant: LivingGrant; readonly amount: string; readonly currency?: string } {
    const grant = this.of(order.environment, agent, order.cap !== undefined);
    if (!grant) {
      if (this.living().length > 0) return { kind: 'otherGrant' };
      const { name, baseUrl } = order.environment;
      const ended = 'SELECT 1 AS yes FROM agent_grant WHERE environment = ? AND base_url = ? LIMIT 1';
      return { kind: this.database.has(ended, name, baseUrl) ? 'ended' : 'none' };
    }
    if (!grant.tools.includes(order.tool)) return { kind: 'tool', tool: order.tool };
    const amount = readCharge(order.amount?.amount);
    const [currency, ...others] = new Set(
      [grant, order.cap, order.amount].flatMap((one) => one?.currency ?? []),
    );
    if (amount === undefined || others.length > 0) return { kind: 'unknownPrice' };
    const left = this.#left(grant, agent, order.cap);
    if (compareAmounts(amount, left.amount) <= 0) return { grant, amount, ...(currency && { currency }) };
    const money = (of: string): Money => (currency === undefined ? { amount: of } : { amount: of, currency });
    const limit = money(left.limit);
    return compareAmounts(left.amount, '0') < 0
      ? { kind: 'exceeded', by: money(subtractAmounts('0', left.amount)), limit }
      : { kind: 'beyond', left: money(left.amount), limit };
  }

  #charge(call: OwnedCall, outcome: CallEnd['outcome'], charged: string): void {
    this.#end(call.call.id, outcome, charged);
    const isFirst = call.charged === undefined;
    const before = isFirst ? subtractAmounts('0', call.reserved) : '0';
    this.#count(call.grant, subtractAmounts(charged, call.charged ?? '0'), before);
  }

  #end(id: string, state: CallEnd['outcome'], charged: string | null): void {
    this.database.run(
      'UPDATE agent_call SET state = ?, charged = ?, ended_at = ? WHERE id = ?',
      ...[state, charged, this.clock.tick(), id],
    );
  }

  /** Adds to the sums of a grant, which may have ended. */
  #count(grant: number, spent: string, reserved: string): void {
    const before = this.database.get('SELECT spent, reserved FROM agent_grant WHERE id = ?', sumsOf, grant)!;
    this.database.run(
      'UPDATE agent_grant SET spent = ?, reserved = ? WHERE id = ?',
      ...[addAmounts(before.spent, spent), addAmounts(before.reserved, reserved), grant],
    );
    touch(this.database, 'agents');
  }

  #row(id: string): OwnedCall | undefined {
    return this.database.get(`${CALLS} WHERE c.id = ?`, (row) => this.#callOf(row), id);
  }

  #callOf(row: Row): OwnedCall {
    const stored = readState(row, 'state');
    const isLeft = stored === 'running' && this.owners.isGone(text(row, 'owner'));
    const state = isLeft ? 'unconfirmed' : stored;
    const call: AgentCall = {
      id: text(row, 'id'),
      environment: { name: text(row, 'environment'), baseUrl: text(row, 'base_url') },
      agent: text(row, 'agent'),
      tool: toolOf(row, 'tool'),
      state,
      reserved: text(row, 'reserved'),
      ...optional(row, 'currency', text),
      ...optional(row, 'charged', text),
      startedAt: number(row, 'started_at'),
      ...optional(row, 'ended_at', number, 'endedAt'),
      ...optional(row, 'work', text),
    };
    const { reserved, charged } = call;
    return { call, grant: number(row, 'grant_id'), state, reserved, ...(charged && { charged }) };
  }

  async #write(change: () => unknown): Promise<void> {
    await this.database.write(() => {
      change();
      touch(this.database, 'agents');
    });
  }
}

interface OwnedCall extends Pick<AgentCall, 'state' | 'reserved' | 'charged'> {
  readonly call: AgentCall;
  readonly grant: number;
}

const CALLS = `SELECT c.*, g.environment, g.base_url, g.currency
  FROM agent_call c JOIN agent_grant g ON g.id = c.grant_id`;

const toolOf = oneOf(paidTools);
const toolsOf = json(z.array(z.enum(paidTools)));
const readState = oneOf([
  'running',
  'finished',
  'failed',
  'stopped',
  'unconfirmed',
] as const satisfies AgentCallState[]);

function sumsOf(row: Row) {
  return { spent: text(row, 'spent'), reserved: text(row, 'reserved') };
}

function grantOf(row: Row): LivingGrant {
  return {
    id: number(row, 'id'),
    environment: { name: text(row, 'environment'), baseUrl: text(row, 'base_url') },
    ...(row.client !== '' && { client: text(row, 'client') }),
    ...(row.of_process === 1 && { ofProcess: true }),
    amount: text(row, 'amount'),
    ...optional(row, 'currency', text),
    tools: toolsOf(row, 'tools'),
    until: number(row, 'until'),
    ...sumsOf(row),
  };
}

/** The name that a client gives itself, on one line. */
export function agentName(name: string): string {
  return (
    name
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_NAME) || 'agent'
  );
}

/** Bounds the length, and keeps arguments of calls out of the store. */
function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
