import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '../../../src/sandbox/http/errors';
import { type JsonResponse, send } from '../../../src/sandbox/http/jsonResponse';
import type { RouteCall } from '../../../src/sandbox/service';
import type { FaultRule, Faults } from './faults';
import type { RateLimit } from './rateLimit';

/** Settings that may change while the sandbox runs. */
export interface WatchedSettings {
  latencyMs: number;
  rateLimit: RateLimit | undefined;
}

/** Thrown to reset a connection: there is no response to send. */
class Reset extends Error {}

/** Executes a request and responds, with the latency and the faults in force. @throws {HttpError} */
export async function respond(
  { faults, settings }: { readonly faults: Faults; readonly settings: WatchedSettings },
  call: RouteCall,
  response: ServerResponse,
  execute: () => JsonResponse | Promise<JsonResponse>,
): Promise<void> {
  const limit = call.route === 'upload-bytes' ? undefined : settings.rateLimit?.take();
  for (const [name, value] of Object.entries(limit ?? {})) response.setHeader(name, value);
  const rules = faults.strike(call);
  if (settings.latencyMs > 0) await sleep(settings.latencyMs);
  try {
    await injectBefore(rules);
    respondWithFaults(response, rules, await execute());
  } catch (error) {
    if (!(error instanceof Reset)) throw error;
    response.socket?.resetAndDestroy();
  }
}

async function injectBefore(rules: readonly FaultRule[]): Promise<void> {
  for (const { action, ms = 0, retryAfterSeconds = 1 } of rules) {
    if (action === 'delay') await sleep(ms);
    else if (action === 'reset-before') throw new Reset();
    else if (action === '429') {
      throw new HttpError(429, 'rate_limited', `Too many requests: retry in ${retryAfterSeconds} s.`, {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    } else if (action.startsWith('status:')) {
      const status = Number(action.slice('status:'.length));
      throw new HttpError(status, 'injected_fault', `This response (${status}) was injected by a test.`);
    }
  }
}

function respondWithFaults(response: ServerResponse, rules: readonly FaultRule[], reply: JsonResponse): void {
  const actions = rules.map(({ action }) => action);
  if (actions.includes('reset-after-execute')) throw new Reset();
  if (actions.includes('truncate')) truncate(response, reply);
  else send(response, reply);
}

function truncate(response: ServerResponse, reply: JsonResponse): void {
  const bytes = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    ...reply.headers,
  });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}
