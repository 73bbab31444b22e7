import assert from 'node:assert/strict';
import { type AgentOrder, paidTools } from '../../../src/domain/agentGrant';
import { giveAgentGrant } from '../../../src/store/giveAgentGrant';
import type { Store } from '../../../src/store/store';

export const environment = { name: 'Test', baseUrl: 'https://a.example' };
export const HOUR = 3_600_000;

/** Gives a dollar for every tool. */
export function give(store: Store, more: Partial<Parameters<typeof giveAgentGrant>[1]> = {}): Promise<void> {
  const until = store.agentGrants.clock.now() + HOUR;
  const all = { environment, amount: '1', currency: 'USD', tools: paidTools, until };
  return giveAgentGrant(store, { ...all, ...more });
}

let count = 0;
export function order(more: Partial<AgentOrder> = {}): AgentOrder {
  const usual = { environment, tool: 'run_model', agent: 'Agent' } as const;
  return {
    ...usual,
    idempotencyKey: `key ${count}`,
    request: `request ${count++}`,
    amount: { amount: '0.1', currency: 'USD' },
    ...more,
  };
}

export async function refusalOf(store: Store, more: Partial<AgentOrder> = {}) {
  const admitted = await store.agentGrants.begin(order(more));
  return admitted.kind === 'refused' ? admitted.refusal : admitted.kind;
}

export async function begun(store: Store, more: Partial<AgentOrder> = {}) {
  const admitted = await store.agentGrants.begin(order(more));
  assert.equal(admitted.kind, 'begun');
  return (admitted as Extract<typeof admitted, { kind: 'begun' }>).call;
}

export function sumsOf(store: Store) {
  const { spent, reserved } = store.agentGrants.of(environment, 'Agent')!;
  return { spent, reserved };
}
