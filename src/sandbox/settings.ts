import { RateLimit } from './access/rateLimit';
import { parseAmount } from './billing/money';
import type { FaultRule } from './faults/faults';
import { badRequest } from './http/errors';
import type { JsonObject } from './json';
import type { RateLimitOptions } from './sandboxOptions';
import type { Service } from './service';

/**
 * PUT /__sandbox/settings, for tests that drive a sandbox in another process. Changes the members of the body:
 * `faults` (a list of rules) with `seed`, `latencyMs`, `rateLimit` (null: without one), `wallet` (decimal amount).
 * @throws {HttpError} 400 an unknown setting
 */
export function applySettings(body: JsonObject, { accounts, faults, now, settings }: Service): void {
  for (const [name, value] of Object.entries(body)) {
    if (name === 'faults') faults.set(value as FaultRule[], Number(body.seed ?? 1));
    else if (name === 'latencyMs') settings.latencyMs = Number(value);
    else if (name === 'rateLimit') {
      settings.rateLimit = value === null ? undefined : new RateLimit(value as RateLimitOptions, now);
    } else if (name === 'wallet') accounts.setBalance(parseAmount(String(value)));
    else if (name !== 'seed') throw badRequest('unknown_setting', `There is no setting "${name}".`);
  }
}
