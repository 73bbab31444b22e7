import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '../http/errors';
import { type JsonResponse, send } from '../http/jsonResponse';
import type { RouteName } from '../http/routes';
import type { Service } from '../service';
import type { FaultRule } from './faults';

/** Thrown to reset a connection: there is no response to send. */
export class Reset extends Error {}

/** Executes a request and responds, with the latency and the faults in force. @throws {HttpError | Reset} */
export async function serveWithFaults(
  response: ServerResponse,
  { faults, settings }: Service,
  request: { route: RouteName; model?: unknown; mode?: unknown },
  execute: () => JsonResponse | Promise<JsonResponse>,
): Promise<void> {
  const rules = faults.strike(request);
  if (settings.latencyMs > 0) await sleep(settings.latencyMs);
  await injectBefore(rules);
  respondWithFaults(response, rules, await execute());
}

async function injectBefore(rules: readonly FaultRule[]): Promise<void> {
  for (const { action, ms = 0, retryAfterSeconds = 1 } of rules) {
    if (action === 'delay') await sleep(ms);
    else if (action === 'reset-before') throw new Reset();
    else if (action === '429') {
      throw new HttpError(429, 'rate_limited', `Too many requests: retry in ${retryAfterSeconds} s.`, {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    } else if (action.startsWith('status:')) throw injected(action);
  }
}

function respondWithFaults(response: ServerResponse, rules: readonly FaultRule[], reply: JsonResponse): void {
  for (const { action } of rules) {
    if (action === 'reset-after-execute') throw new Reset();
    if (action.startsWith('status-after-execute:')) throw injected(action);
    const garble = GARBLED[action];
    if (garble !== undefined) {
      garble(response, reply);
      return;
    }
  }
  send(response, reply);
}

const GARBLED: Readonly<Record<string, (response: ServerResponse, reply: JsonResponse) => void>> = {
  truncate,
  html: (response) => sendRaw(response, 'text/html', '<!doctype html><title>Gateway</title><h1>Gateway</h1>'),
  garbage: (response) => sendRaw(response, 'application/json', '{"status":"succee\u0000\u00ff'),
};

function injected(action: string): HttpError {
  const status = Number(action.slice(action.indexOf(':') + 1));
  return new HttpError(status, 'injected_fault', `This response (${status}) was injected by a test.`);
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

function sendRaw(response: ServerResponse, contentType: string, text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length });
  response.end(bytes);
}
