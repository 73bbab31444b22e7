import { callOutcome } from '../../src/agents/paidTools';
import { paidTools } from '../../src/domain/agentGrant';
import { beginAgentCall } from '../../src/runs/budget/agentPurse';
import { highestCost } from '../../src/runs/estimates/estimate';
import { giveAgentGrant } from '../../src/store/giveAgentGrant';
import { centsOf, type SimCall } from './judge';
import type { AgentCallOrder, Other } from './others';
import { CONTRACT } from './panelRuns';
import { MODEL, type SimService } from './service';
import { type Parts, PRICE, type Surroundings } from './window';
import type { SimProcess } from './world';

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

/** One run of an agent, as an MCP server of the command line does it. */
export async function callOfAgent(
  { store, runs, estimates }: Parts,
  process: SimProcess,
  { judge, world }: Surroundings,
  service: SimService,
  { client: agent, maxCents, place }: Extract<Other, { kind: 'server' }>,
  { key: idempotencyKey, request }: AgentCallOrder,
  stop: AbortSignal,
): Promise<void> {
  const environment = environmentOf(service);
  const cap = amountOf(maxCents);
  await giveAgentGrant(store, {
    ...{ environment, client: agent, ofProcess: true, amount: cap, tools: paidTools },
    until: Date.now() + HOUR,
  });
  const of = { baseUrl: service.baseUrl, model: MODEL, mode: 'execute', price: PRICE, items: 1 };
  const begun = await beginAgentCall(store, {
    ...{ environment, tool: 'run_model', agent, idempotencyKey, request, cap },
    amount: highestCost(estimates.of(of))!,
  });
  world.mark(`agent: ${begun.kind === 'refused' ? `refused (${begun.refusal.kind})` : begun.kind}`);
  if (begun.kind !== 'begun') return;
  const { purse } = begun;
  const call: SimCall = { id: purse.mark.call, client: agent, request, maxCents };
  judge.assertNotOpen(service, call);
  // Another call of the same key would have the same text, and is a violation.
  const text = `call ${agent} ${idempotencyKey} of ${service.baseUrl}`;
  judge.calls.set(text, call);
  world.tell(`${process.name} begins the call ${idempotencyKey} of server ${place}`);
  const stopping = new AbortController();
  let hasLeft = false;
  stop.addEventListener('abort', () => hasLeft || stopping.abort());
  const draft = { model: MODEL, mode: 'execute', input: { text }, params: {} };
  const { record } = await runs.perform(
    { environment, contract: CONTRACT, draft, files: [], agent: purse },
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
    for (const { call, process, told, served } of sent) {
      const row = own.find((one) => one.id === call!.id)!;
      const isKnown =
        told === 'read' && served?.isKept && process.isAlive && !process.isHindered && !process.wasFrozen;
      if (isKnown && centsOf(row.charged ?? -1) !== served.cents)
        judge.fail(
          'what agents spend is written down',
          `${row.charged} of ${served.cents} cents, ${row.state}`,
        );
    }
  }
}

function environmentOf({ baseUrl }: SimService) {
  return { name: 'simulated', baseUrl };
}

function amountOf(cents: number): string {
  return String(cents / 100);
}
