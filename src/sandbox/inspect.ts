import type { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import type { FaultRule, Faults } from './faults/faults';
import { badRequest } from './http/refusal';
import type { JsonObject } from './json';
import type { RateLimitOptions } from './options';
import { type LiveSettings, makeRateLimit } from './server';

interface Changeable {
  readonly accounts: Accounts;
  readonly faults: Faults;
  readonly now: () => number;
  readonly settings: LiveSettings;
}

/**
 * PUT /__sandbox/settings, for tests that drive a sandbox in another process. Changes what is named:
 * `faults` (a list of rules) with `seed`, `latencyMs`, `rateLimit` (null: none), `wallet` (decimal amount).
 *
 * @throws {Refusal} 400 an unknown setting
 */
export function applySettings(body: JsonObject, { accounts, faults, now, settings }: Changeable): void {
  for (const [name, value] of Object.entries(body)) {
    if (name === 'faults') faults.set(value as FaultRule[], Number(body.seed ?? 1));
    else if (name === 'latencyMs') settings.latencyMs = Number(value);
    else if (name === 'rateLimit') {
      settings.rateLimit = makeRateLimit((value as RateLimitOptions | null) ?? undefined, now);
    } else if (name === 'wallet') accounts.setBalance(parseAmount(String(value)));
    else if (name !== 'seed') throw badRequest('unknown_setting', `There is no setting "${name}".`);
  }
}
