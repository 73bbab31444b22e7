import type { IncomingMessage, RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseAmount } from '../../../src/sandbox/billing/money';
import { ok, send } from '../../../src/sandbox/http/jsonResponse';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server';
import type { SandboxOptions } from '../../../src/sandbox/service';
import { Counters } from './counters';
import { type FaultRule, Faults } from './faults';
import { RateLimit, type RateLimitOptions } from './rateLimit';
import { respond, type WatchedSettings } from './respond';

export interface WatchedOptions extends Omit<SandboxOptions, 'respond'> {
  /** Milliseconds that every request waits, on both ports, before it is served. */
  readonly latencyMs?: number;
  /** Token bucket: `limit` requests at once, refilled over `windowSeconds`. Missing: no limit. */
  readonly rateLimit?: RateLimitOptions;
  /** Sets the balance to this decimal amount, even in a folder that has a balance already. */
  readonly wallet?: string;
  readonly faults?: readonly FaultRule[];
  /** Seed of the faults that have a probability. */
  readonly seed?: number;
}

/** A sandbox that counts its requests and makes some fail. */
export interface WatchedSandbox extends Sandbox {
  readonly counters: Counters;
  readonly faults: Faults;
  readonly settings: WatchedSettings;
}

export async function startWatched(options: WatchedOptions): Promise<WatchedSandbox> {
  const { wallet, rateLimit, latencyMs = 0, now = Date.now } = options;
  const balance = wallet === undefined ? undefined : parseAmount(wallet);
  const faults = new Faults(options.faults, options.seed);
  const settings = { latencyMs, rateLimit: rateLimit && new RateLimit(rateLimit, now) };
  const sandbox = await startSandbox({
    ...options,
    respond: (...request) => respond({ faults, settings }, ...request),
  });
  if (balance !== undefined) sandbox.accounts.setBalance(balance);
  const counters = new Counters(sandbox.database);
  counters.watch(sandbox.servers, now);
  return { ...sandbox, counters, faults, settings };
}

/**
 * Lets the holder of the key read the counters (GET /__sandbox/counters) and change settings (PUT
 * /__sandbox/settings): `faults` (a list of rules) with `seed`, `latencyMs`, `rateLimit` (null: without one), `wallet`
 * (decimal amount).
 */
export function openControl(sandbox: WatchedSandbox): void {
  const { api } = sandbox.servers;
  const others = api.listeners('request') as RequestListener[];
  api.removeAllListeners('request');
  api.on('request', async (request, response) => {
    const isOurs = request.headers['x-api-key'] === sandbox.apiKey;
    const name = isOurs ? /^\/__sandbox\/(counters|settings)$/.exec(request.url ?? '')?.[1] : undefined;
    if (name === undefined) {
      for (const other of others) other(request, response);
      return;
    }
    try {
      if (name === 'settings') await change(request, sandbox);
      send(response, ok(sandbox.counters.snapshot()));
    } catch (error) {
      send(response, { status: 400, body: { error: String(error) } });
    }
  });
}

async function change(
  request: IncomingMessage,
  { accounts, faults, now, settings }: WatchedSandbox,
): Promise<void> {
  const body = (await json(request)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'faults') faults.set(value as FaultRule[], Number(body.seed ?? 1));
    else if (name === 'latencyMs') settings.latencyMs = Number(value);
    else if (name === 'rateLimit')
      settings.rateLimit = value === null ? undefined : new RateLimit(value as RateLimitOptions, now);
    else if (name === 'wallet') accounts.setBalance(parseAmount(String(value)));
    else if (name !== 'seed') throw new RangeError(`There is no setting "${name}".`);
  }
}
