import { setImmediate as nextTurn } from 'node:timers/promises';
import { logLine } from '../../src/domain/logLine';
import type { RawResponse } from '../../src/domain/response';
import type { Call, CallKind } from '../../src/service/call';
import { Exchange, type ExchangeParts } from '../../src/service/exchange';
import { BodyFailure, type Transport, TransportFailure } from '../../src/service/transport';
import { FakeClock } from './fakeClock';
import { rawOf } from './rawOf';
import { TEST_KEY } from './serviceClient';

export const SERVICE = 'https://models.test';
const NO_BYTES = new Uint8Array();

type Sent = Parameters<Transport['send']>[0];

/** A sent request that waits for its outcome. */
export interface HeldRequest {
  readonly sent: Sent;
  readonly path: string;
  readonly atMs: number;
  respond(status?: number, headers?: Record<string, string>, body?: unknown): Promise<void>;
  fail(reason: TransportFailure['reason'], mayHaveLeft?: boolean, cause?: unknown): Promise<void>;
  /** Takes in the body, as far as it comes: where its source fails, so does the request. */
  take(): Promise<Buffer>;
  /** In a way that the transport does not foresee. */
  break(error: unknown): Promise<void>;
}

/** Carries the requests of a client without a network: a test responds to each of them, at its own pace. */
export class FakeService implements Transport {
  readonly clock = new FakeClock();
  readonly requests: HeldRequest[] = [];
  readonly logged: { readonly level: 'debug' | 'info' | 'warn'; readonly line: string }[] = [];

  get last(): HeldRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error('nothing was sent');
    return last;
  }

  get paths(): readonly string[] {
    return this.requests.map(({ path }) => path);
  }

  send(sent: Sent): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const end = (then: () => void) => {
        sent.signal?.removeEventListener('abort', onAbort);
        then();
        return nextTurn();
      };
      const fail: HeldRequest['fail'] = (reason, mayHaveLeft = true, cause = new Error('gone')) =>
        end(() => reject(new TransportFailure(reason, mayHaveLeft, cause)));
      const onAbort = () => void fail('cancelled', true, sent.signal?.reason);
      if (sent.signal?.aborted) return void fail('cancelled', false, sent.signal.reason);
      sent.signal?.addEventListener('abort', onAbort);
      try {
        sent.onSending?.();
      } catch (error) {
        return void fail('cancelled', false, error);
      }
      this.requests.push({
        sent,
        path: sent.url.pathname + sent.url.search,
        atMs: this.clock.now(),
        respond: (status = 200, headers = {}, body = {}) =>
          end(() => {
            sent.onAnswering?.();
            resolve(rawOf(body, status, headers));
          }),
        fail,
        take: async () => {
          const pieces: Uint8Array[] = [];
          try {
            if (sent.body instanceof Uint8Array) pieces.push(sent.body);
            else for await (const piece of sent.body ?? []) pieces.push(piece);
          } catch (cause) {
            await fail('body', true, new BodyFailure('the body could not be read', { cause }));
          }
          return Buffer.concat(pieces);
        },
        break: (error) => end(() => reject(error)),
      });
      if (sent.body === undefined || sent.body instanceof Uint8Array) sent.onSent?.();
    });
  }

  close(): void {}

  /** Lets time pass, and runs all work that waits only for that. */
  async pass(ms = 0): Promise<void> {
    await nextTurn();
    await this.clock.advance(ms);
    await nextTurn();
  }

  exchange(parts: Partial<ExchangeParts> = {}): Exchange {
    const log = (level: 'debug' | 'info' | 'warn') => (line: string) =>
      void this.logged.push({ level, line });
    return new Exchange({
      environment: { name: 'Staging', baseUrl: `${SERVICE}/base` },
      baseUrl: `${SERVICE}/base`,
      origin: SERVICE,
      apiKey: async () => TEST_KEY,
      transport: this,
      log: { debug: log('debug'), info: log('info'), warn: log('warn') },
      clock: this.clock,
      random: () => 0,
      ...parts,
    });
  }
}

export function callOf(kind: CallKind, more: Partial<Call> = {}): Call {
  return {
    kind,
    method: kind === 'read' ? 'GET' : 'POST',
    url: new URL(`${SERVICE}/base/${kind}`),
    label: logLine`a ${kind}`,
    ...(kind !== 'read' && { body: () => NO_BYTES }),
    ...more,
  };
}
