import { RateLimit } from './access/rateLimit';
import type { Accounts } from './billing/accounts';
import { parseAmount } from './billing/money';
import type { FaultRule, Faults } from './faults/faults';
import { badRequest } from './http/errors';
import type { JsonObject } from './json';
import type { RateLimitOptions } from './sandboxOptions';

/** What may be changed while the sandbox runs. */
export interface LiveSettings {
  latencyMs: number;
  rateLimit: RateLimit | undefined;
}

interface Changeable {
  readonly accounts: Accounts;
  readonly faults: Faults;
  readonly now: () => number;
  readonly settings: LiveSettings;
}

/**
 * PUT /__sandbox/settings, for tests that drive a sandbox in another process. Changes the members of the body:
 * `faults` (a list of rules) with `seed`, `latencyMs`, `rateLimit` (null: none), `wallet` (decimal amount).
 *
 * @throws {HttpError} 400 an unknown setting
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

export const makeRateLimit = (options: RateLimitOptions | undefined, now: () => number) =>
  options && new RateLimit(options, now);
