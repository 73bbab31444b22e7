import { datasetKey } from '../../src/domain/dataset';
import type { Money } from '../../src/domain/money';
import { Datasets } from '../../src/store/datasets';
import type { Disk } from './disk';
import type { Folder } from './folder';
import type { RetryAfter, Scenario } from './scenario';
import { KEY, MODEL, type Replaced, type ServedRun, type SimService } from './service';
import { SimProcess, type World } from './world';

/** A promise of the product that did not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly invariant: string,
    detail: string,
  ) {
    super(`${invariant}: ${detail}`);
  }
}

/** A window that was stopped reads a response that came meanwhile within this time. */
const READ_MS = 50;

/** A process that is gone is known to be gone after this time. */
const FOUND_MS = 120_000;

export const SCOPE = 'playground';

/** A client's knowledge of a run that it has sent. */
export type Told = 'notExecuted' | 'read' | 'unclear';

/** A run whose first byte has left. */
export interface SentRun {
  readonly process: SimProcess;
  readonly service: SimService;
  readonly ids: readonly string[];
  /** It is one of a run panel, and its only id names it. */
  readonly isPanel: boolean;
  /** The agent's call that it is the run of. */
  readonly call?: SimCall;
  /** Of the contents in the request; undefined: of a reference that the service has never given. */
  readonly hashes: readonly (string | undefined)[];
  told?: Told;
  /** Ids that the response says have failed. */
  failed: ReadonlySet<string>;
  /** Undefined: it was not executed. */
  served?: ServedRun;
}

/** A paid call of an agent that was admitted. */
export interface SimCall {
  readonly id: string;
  readonly client: string;
  readonly request: string;
  readonly maxCents: number;
}

/** Compares the product's actions and records with the service's knowledge. */
export class Judge {
  readonly datasets: Datasets;
  readonly sent: SentRun[] = [];
  /** Ids that were in flight in the store when a window died, stopped or could not write. */
  readonly excused = new Set<string>();
  /** By process; missing: it has none. */
  readonly budgets = new Map<SimProcess, NonNullable<Scenario['budget']>>();
  /** Calls of agents, by the text of their run. */
  readonly calls = new Map<string, SimCall>();
  /** Calls of agents that index, by their process. */
  readonly indexing = new Map<SimProcess, SimCall>();
  /** Highest amounts of people's permissions, in cents, by service. */
  readonly permitted = new Map<SimService, number>();
  /** How often the user asked to repeat a run that may have been executed, by item. */
  readonly #allowed = new Map<string, number>();
  readonly #pauses = new Map<SimProcess, Map<SimService, number>>();
  readonly #owners = new Map<string, SimProcess>();
  readonly #leases = new Map<string, string>();
  /** The recorded spending with reserved estimates, by service, with its time. */
  readonly #spent = new Map<string, { readonly at: number; readonly cents: number }[]>();

  constructor(
    private readonly world: World,
    private readonly disk: Disk,
    readonly services: readonly SimService[],
    private readonly scenario: Scenario,
    private readonly folder: Folder,
  ) {
    const reader = new SimProcess(world, 0, 'the judge', world.random);
    const database = disk.openedBy(
      reader,
      () => 'made',
      () => undefined,
    );
    this.datasets = new Datasets(database);
  }

  fail(invariant: string, detail: string): void {
    this.world.fail(new Violation(invariant, detail));
  }

  knowOwner(id: string, process: SimProcess): void {
    this.#owners.set(id, process);
    const excuse = () => this.excuseInFlight();
    process.onDeath(excuse);
  }

  /** From now on these may be unconfirmed: their window may be gone before the outcome. */
  excuseInFlight(): void {
    for (const { target, key } of this.disk.rows('SELECT target, key FROM in_flight'))
      this.excused.add(`${target} ${key}`);
  }

  allow(service: SimService, id: string): void {
    const item = itemOf(service, id);
    this.#allowed.set(item, (this.#allowed.get(item) ?? 0) + 1);
  }

  /** After each change of the store: work stays with a window that lives and runs. */
  committed(): void {
    const leases = this.disk.rows('SELECT name, owner FROM lease') as { name: string; owner: string }[];
    for (const { name, owner } of leases) {
      const before = this.#owners.get(this.#leases.get(name) ?? '');
      if (before && this.#leases.get(name) !== owner) this.world.mark('lease: taken over');
      if (this.#leases.get(name) !== owner && before?.isAlive && !before.isFrozen && !before.isHindered)
        this.fail('a live window keeps its work', `${name} went from ${before.name} to another`);
    }
    this.#leases.clear();
    this.#noteSpending();
    for (const { name, owner } of leases) this.#leases.set(name, owner);
  }

  #noteSpending(): void {
    const sums = 'SELECT base_url, spent, reserved FROM spending';
    for (const { base_url: baseUrl, spent, reserved } of this.disk.rows(sums)) {
      const before = this.#spent.get(String(baseUrl)) ?? [];
      this.#spent.set(String(baseUrl), before);
      const sum = [spent, reserved].flatMap((list) => JSON.parse(String(list)) as Money[]);
      const cents = Math.round(sum.reduce((all, { amount }) => all + Number(amount), 0) * 100);
      if (before.at(-1)?.cents !== cents) before.push({ at: this.world.now, cents });
    }
  }

  /** The recorded spending at that time. */
  spentAt({ baseUrl }: SimService, at: number): number {
    return this.#spent.get(baseUrl)?.findLast((one) => one.at <= at)?.cents ?? 0;
  }

  /** The service has asked this window to wait. */
  paused(process: SimProcess, service: SimService, { form, ms }: RetryAfter, sentAt: number): void {
    const pauses = this.#pauses.get(process) ?? new Map<SimService, number>();
    this.#pauses.set(process, pauses);
    const until = form === 'date' ? Math.floor((sentAt + ms) / 1_000) * 1_000 : this.world.now + ms;
    pauses.set(service, Math.max(until, pauses.get(service) ?? 0));
  }

  /** A request is handed to the network. */
  sending(process: SimProcess, url: URL, headers: Readonly<Record<string, string>>): void {
    const service = this.services.find(({ baseUrl, uploadOrigin }) =>
      [baseUrl, uploadOrigin].includes(url.origin),
    );
    const hasKey = Object.values(headers).some((value) => value.includes(KEY)) || url.href.includes(KEY);
    if (hasKey && url.origin !== service?.baseUrl)
      this.fail('no key on another origin', `it went to ${url.origin}`);
    const until = (service && this.#pauses.get(process)?.get(service)) ?? 0;
    // The response may not have been read yet.
    const isJustThawed = process.wasFrozen && this.world.now - process.runsSince < READ_MS;
    if (this.world.now < until - 1 && !isJustThawed)
      this.fail(
        'no request before a pause ends',
        `${url.href} left ${Math.ceil(until - this.world.now)} ms before the end`,
      );
  }

  /** The first byte of a run leaves. */
  left(process: SimProcess, service: SimService, body: Record<string, unknown>, askedAt: number): SentRun {
    const { ids, hashes, isPanel } = service.itemsIn(body);
    const call = isPanel ? this.calls.get(ids[0]!) : this.indexing.get(process);
    if (call) this.#assertPermitted(call, ids[0]!, isPanel);
    else if (isPanel) this.#assertRecorded(ids[0]!);
    for (const [i, id] of isPanel ? [] : ids.entries()) {
      this.#assertMayBeSent(service, id, hashes[i]);
      this.#assertNotedAsSent(service, id);
    }
    const run: SentRun = { process, service, ids, isPanel, hashes, failed: new Set(), ...(call && { call }) };
    this.#assertWithinBudget(run, askedAt);
    this.sent.push(run);
    return run;
  }

  #assertMayBeSent(service: SimService, id: string, sha256: string | undefined): void {
    const ofId = this.sent.filter(
      (run) =>
        run.service === service && run.told !== 'notExecuted' && !run.failed.has(id) && run.ids.includes(id),
    );
    const hasContent = ({ ids, hashes }: SentRun) =>
      ids.some((other, i) => other === id && hashes[i] === sha256);
    // Another file of this path may have had another content meanwhile.
    const before = ofId.slice(ofId.findLastIndex((run) => !hasContent(run)) + 1);
    if (before.length === 0) return;
    if (before.length > (this.#allowed.get(itemOf(service, id)) ?? 0))
      this.fail(
        'nothing is sent twice after it may have been executed',
        `${id} was sent ${before.length + 1} times with one content`,
      );
  }

  #assertNotedAsSent(service: SimService, id: string): void {
    const target = targetOf(service);
    const [inFlight] = this.disk.rows('SELECT 1 FROM in_flight WHERE target = ? AND key = ?', target, id);
    if (inFlight || this.excused.has(`${target} ${id}`)) return;
    this.fail('what leaves is noted before', `${id} left while the store knew of no request with it`);
  }

  /** An agent's run leaves once, of a call that is under way, and while its permission is not exceeded. */
  #assertPermitted({ id }: SimCall, text: string, isPanel: boolean): void {
    if (isPanel && this.sent.some(({ ids, told }) => ids[0] === text && told !== 'notExecuted'))
      this.fail('nothing is sent twice after it may have been executed', `${text} was sent twice`);
    const [grant] = this.disk.rows(
      `SELECT g.amount, g.spent, g.reserved, g.ended_at FROM agent_call c JOIN agent_grant g ON g.id = c.grant_id
       WHERE c.id = ? AND c.state = 'running'`,
      id,
    );
    if (!grant)
      this.fail('what leaves is noted before', `${text} left while no call of an agent was under way`);
    else if (grant.ended_at !== null)
      this.fail('agents spend only what a person permits', `${text} left after its permission had ended`);
    else if (centsOf(grant.spent) + centsOf(grant.reserved) > centsOf(grant.amount))
      this.fail('agents spend only what a person permits', `${text} left after its permission was exceeded`);
  }

  /** An equal request under another key is no new call while the outcome of the first is not known. */
  assertNotOpen(service: SimService, call: SimCall): void {
    const open = this.sent.find(({ service: at, call: other, told, process }) => {
      const isEqual = at === service && other?.client === call.client && other.request === call.request;
      // Its knowledge is not written yet.
      if (process.isAlive && process.isHindered) return false;
      if (!isEqual || other.id === call.id || (told !== undefined && told !== 'unclear')) return false;
      if (!process.isAlive) return this.world.now - process.diedAt! > FOUND_MS;
      const [row] = this.disk.rows('SELECT state FROM agent_call WHERE id = ?', other.id);
      return row?.state === 'unconfirmed';
    });
    if (open) this.fail('an unconfirmed call is not repeated under another key', call.id);
  }

  /** A panel's run is in the history before it leaves, and leaves once. */
  #assertRecorded(text: string): void {
    if (this.sent.some(({ ids, told }) => ids[0] === text && told !== 'notExecuted'))
      this.fail('nothing is sent twice after it may have been executed', `${text} was sent twice`);
    const [known] = this.disk.rows(
      "SELECT 1 FROM run WHERE state IN ('running', 'unknown') AND instr(draft, ?) > 0",
      `"${text}"`,
    );
    if (!known)
      this.fail('what leaves is noted before', `${text} left while the history knew of no such run`);
  }

  /** The service has indexed a run: no file took the place of another one that still exists. */
  indexed(service: SimService, replaced: readonly Replaced[]): void {
    for (const { id, before, now } of replaced) {
      // Another file may have the same content under another path.
      const name = `/${id.replace(/-[0-9a-f]{8}$/, '')}`;
      const others = this.folder.filesOf(before).filter((uri) => uri.endsWith(name));
      const files = this.folder.filesOf(now);
      if (others.length > 0 && files.length > 0 && !files.some((uri) => others.includes(uri)))
        this.fail(
          'no image takes the place of another',
          `${id} of ${service.baseUrl} was of ${others[0]} and is of ${files[0]}`,
        );
    }
  }

  /** The spending and the reservations of all windows never exceed the budget. */
  #assertWithinBudget(run: SentRun, askedAt: number): void {
    const { process, service } = run;
    const budget = this.budgets.get(process);
    if (!budget || this.isBudgetOpen) return;
    const own = this.sent.filter(
      (other) => other.process === process && other.service === service && other.told !== 'notExecuted',
    );
    const ownCents = [...own, run].reduce((sum, one) => sum + this.countedCents(one), 0);
    // It is among the reserved ones itself. The last change of another window may be newer than the last look.
    const allCents = Math.min(...[askedAt, this.world.now].map((at) => this.spentAt(service, at)));
    const cents = budget.of === 'session' ? ownCents : Math.max(ownCents, allCents);
    if (cents > budget.cents)
      this.fail(
        'spending never passes the budget and what is in flight',
        `${cents} cents of ${budget.cents} are spent or in flight`,
      );
  }

  /** The cents that a run adds to the spending of its window: the cost in its response, else at least the published price. */
  countedCents(run: SentRun): number {
    return this.isTold(run) ? run.served!.cents : run.ids.length;
  }

  /** Its response names its cost. */
  isTold({ told, served }: SentRun): boolean {
    return this.scenario.namesCosts && served?.isKept === true && told === 'read';
  }

  /** The charges of each window, but for those that it was not told, exceed the budget by one run at most. */
  assertExceededByOneRun(): void {
    if (!this.scenario.namesCosts) return;
    for (const service of this.services) {
      const all = this.sent.filter((run) => run.service === service);
      const senders = [...new Set(all.map(({ process }) => process))].filter((one) => this.budgets.has(one));
      const ofWorkspace = senders.filter((one) => this.budgets.get(one)?.of === 'workspace');
      const ofSession = senders.filter((one) => this.budgets.get(one)?.of === 'session').map((one) => [one]);
      for (const group of [...ofSession, ...(ofWorkspace.length > 0 ? [ofWorkspace] : [])]) {
        const budget = this.budgets.get(group[0]!)!;
        const runs = all.filter(({ process }) => group.includes(process));
        // Those that users start by hand do not wait for one another.
        if (runs.some(({ isPanel }) => isPanel)) continue;
        const counted = runs.reduce(
          (sum, run) => sum + (run.told === 'notExecuted' ? 0 : this.countedCents(run)),
          0,
        );
        const dearest = Math.max(0, ...runs.map(({ served }) => served?.cents ?? 0));
        if (counted > budget.cents + dearest * group.length)
          this.fail(
            'a budget is exceeded by one run at most',
            `${counted} cents of ${budget.cents} are charged`,
          );
        if (counted > budget.cents) this.world.mark('budget: exceeded by one run');
      }
    }
  }

  /** The user has raised the budget. */
  isBudgetOpen = false;
}

/** Of an amount in the store. */
export function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

export function targetOf({ baseUrl }: SimService): string {
  return datasetKey({ baseUrl, model: MODEL, scope: SCOPE });
}

function itemOf(service: SimService, id: string): string {
  return `${targetOf(service)} ${id}`;
}
