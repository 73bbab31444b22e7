import { callOutcome } from '../../src/agents/paidTools';
import { paidTools } from '../../src/domain/agentGrant';
import type { Money } from '../../src/domain/money';
import { expectedCost } from '../../src/runFiles/expectedCost';
import { type AgentPurse, beginAgentCall } from '../../src/runs/budget/agentPurse';
import { highestCost } from '../../src/runs/estimates/estimate';
import { giveAgentGrant } from '../../src/store/giveAgentGrant';
import { centsOf, type SentRun, type SimCall } from './judge';
import type { AgentCallOrder, Other } from './others';
import { CONTRACT } from './panelRuns';
import { MODEL, type SimService } from './service';
import { type Parts, PRICE, type SimWindow, type Surroundings } from './window';

const HOUR = 3_600_000;

/** A person lets every agent spend this at a service; 0: none any more. */
export async function permit(
  { store }: Parts,
  { judge, world }: Surroundings,
  service: SimService,
  cents: number,
): Promise<void> {
  world.tell(cents === 0 ? 'the user ends all permissions' : `the user lets agents spend ${cents} cents`);
  if (cents === 0) return store.agentGrants.end();
  judge.permitted.set(service, Math.max(cents, judge.permitted.get(service) ?? 0));
  const grant = { environment: environmentOf(service), amount: amountOf(cents), tools: paidTools };
  return giveAgentGrant(store, { ...grant, until: Date.now() + HOUR });
}

/** One call of an agent, as an MCP server of the command line does it. */
export async function callOfAgent(
  window: SimWindow,
  parts: Parts,
  around: Surroundings,
  service: SimService,
  other: Extract<Other, { kind: 'server' }>,
  order: AgentCallOrder,
  stop: AbortSignal,
): Promise<void> {
  const { judge, world } = around;
  if (order.indexes) return indexOfAgent(window, parts, around, service, other, order, stop);
  const of = { baseUrl: service.baseUrl, model: MODEL, mode: 'execute', price: PRICE, items: 1 };
  const begun = await begin(parts, around, service, other, order, highestCost(parts.estimates.of(of))!);
  if (!begun) return;
  const { purse, call } = begun;
  // Another call of the same key would have the same text, and is a violation.
  const text = `call ${other.client} ${order.key} of ${service.baseUrl}`;
  judge.calls.set(text, call);
  world.tell(`${window.process.name} begins the call ${order.key}`);
  const stopping = new AbortController();
  let hasLeft = false;
  stop.addEventListener('abort', () => hasLeft || stopping.abort());
  const draft = { model: MODEL, mode: 'execute', input: { text }, params: {} };
  const { record } = await parts.runs.perform(
    { environment: environmentOf(service), contract: CONTRACT, draft, files: [], agent: purse },
    {
      signal: stopping.signal,
      onStep: ({ step }) => {
        hasLeft = ['sending', 'running', 'reading'].includes(step);
      },
      onRecorded: (id) => void purse.noteWork(id).catch(() => undefined),
    },
  );
  world.mark(`agent: ${record.state}`);
  await purse.end(callOutcome(record.state)).catch(() => undefined);
}

/** All new files of the folder, paid from one reserve. */
async function indexOfAgent(
  window: SimWindow,
  parts: Parts,
  around: Surroundings,
  service: SimService,
  other: Extract<Other, { kind: 'server' }>,
  order: AgentCallOrder,
  stop: AbortSignal,
): Promise<void> {
  const { judge, world, scenario } = around;
  // One call of a process at a time: its runs do not name it.
  if (window.indexesForAgent) return;
  window.indexesForAgent = true;
  const stopping = new AbortController();
  stop.addEventListener('abort', () => stopping.abort());
  let purse: AgentPurse | undefined;
  const pay = async (files: number) => {
    const of = { baseUrl: service.baseUrl, model: MODEL, mode: 'index', price: PRICE };
    const sizes = Array.from({ length: Math.ceil(files / scenario.batchSize) }, (_, at) =>
      Math.min(scenario.batchSize, files - at * scenario.batchSize),
    );
    const { highest } = expectedCost(sizes.map((items) => parts.estimates.of({ ...of, items })));
    const begun = await begin(parts, around, service, other, order, highest[0]!);
    if (!begun) return undefined;
    judge.indexing.set(window.process, begun.call);
    purse = begun.purse;
    purse.stopped.addEventListener('abort', () => stopping.abort());
    return purse;
  };
  try {
    await window.indexOnce('new', service, stopping.signal, pay);
  } finally {
    window.indexesForAgent = false;
    if (purse) {
      world.mark('agent: has indexed');
      judge.indexing.delete(window.process);
      await purse.end(stopping.signal.aborted ? 'stopped' : 'finished').catch(() => undefined);
    }
  }
}

/** The admitted call and its reserve; undefined: it is not made. */
async function begin(
  { store }: Parts,
  { judge, world }: Surroundings,
  service: SimService,
  { client: agent, maxCents }: Extract<Other, { kind: 'server' }>,
  { key: idempotencyKey, request, indexes }: AgentCallOrder,
  amount: Money,
): Promise<{ readonly purse: AgentPurse; readonly call: SimCall } | undefined> {
  const environment = environmentOf(service);
  const cap = amountOf(maxCents);
  await giveAgentGrant(store, {
    ...{ environment, client: agent, ofProcess: true, amount: cap, tools: paidTools },
    until: Date.now() + HOUR,
  });
  const tool = indexes ? 'index_files' : 'run_model';
  const begun = await beginAgentCall(store, {
    ...{ environment, tool, agent, idempotencyKey, request, cap: { amount: cap }, amount },
  });
  world.mark(`agent: ${begun.kind === 'refused' ? `refused (${begun.refusal.kind})` : begun.kind}`);
  if (begun.kind !== 'begun') return undefined;
  const { purse } = begun;
  const call: SimCall = { id: purse.mark.call, client: agent, request: `${tool} ${request}`, maxCents };
  judge.assertNotOpen(service, call);
  return { purse, call };
}

/** Sums of permissions are those of their calls, and no permission is exceeded by more than one run of each process. */
export function compareCalls({ judge, disk, services, scenario }: Surroundings): void {
  const calls = disk.rows('SELECT id, grant_id, agent, reserved, charged, state FROM agent_call');
  const grants = disk.rows('SELECT id, base_url, client, amount, spent, reserved FROM agent_grant');
  for (const { id, base_url: baseUrl, client, amount, spent, reserved } of grants) {
    const own = calls.filter((call) => call.grant_id === id);
    const sum = (of: (call: (typeof own)[number]) => number) => own.reduce((all, one) => all + of(one), 0);
    const charged = sum((call) => centsOf(call.charged ?? 0));
    const held = sum((call) => (call.charged === null ? centsOf(call.reserved) : 0));
    if (centsOf(spent) !== charged || centsOf(reserved) !== held)
      judge.fail(
        'what agents spend is written down',
        `${spent} and ${reserved} of grant ${id}; ${charged}, ${held}`,
      );
    const ids = new Set(own.map((call) => call.id));
    const sent = judge.sent.filter(
      ({ call, told }) => call && ids.has(call.id) && (told === undefined || told !== 'notExecuted'),
    );
    const counted = sent.reduce((all, run) => all + judge.countedCents(run), 0);
    if (!scenario.namesCosts || counted === 0) continue;
    const processes = new Set(sent.map(({ process }) => process)).size;
    const dearest = Math.max(...sent.map(({ served }) => served?.cents ?? 0));
    const service = services.find((one) => one.baseUrl === baseUrl)!;
    const most = client === '' ? judge.permitted.get(service)! : centsOf(amount);
    if (counted > most + dearest * processes)
      judge.fail('a permission is exceeded by one run at most', `${counted} cents of ${most} are charged`);
    for (const name of new Set(sent.map(({ call }) => call!.client))) {
      const ofClient = sent.filter(({ call }) => call!.client === name);
      const cap = Math.max(...ofClient.map(({ call }) => call!.maxCents));
      const cents = ofClient.reduce((all, run) => all + judge.countedCents(run), 0);
      if (cents > cap + dearest * new Set(ofClient.map(({ process }) => process)).size)
        judge.fail('a --max-cost is exceeded by one run at most', `${cents} cents of ${cap} are charged`);
    }
    for (const { id, charged, state } of own) {
      const runs = sent.filter(({ call }) => call!.id === id);
      const isKnown = ({ told, served, process }: SentRun) =>
        told === 'read' && served?.isKept && process.isAlive && !process.isHindered && !process.wasFrozen;
      const cents = runs.reduce((all, { served }) => all + (served?.cents ?? 0), 0);
      if (runs.length > 0 && runs.every(isKnown) && centsOf(charged ?? -1) !== cents)
        judge.fail('what agents spend is written down', `${charged} of ${cents} cents, ${state}`);
    }
  }
}

function environmentOf({ baseUrl }: SimService) {
  return { name: 'simulated', baseUrl };
}

function amountOf(cents: number): string {
  return String(cents / 100);
}
