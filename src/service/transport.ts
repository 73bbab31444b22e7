import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type * as tls from 'node:tls';
import type { Dispatcher } from 'undici';
import { errorCode } from '../domain/errorCode';
import type { RawResponse } from '../domain/response';
import { oneLine } from '../domain/words';
import { bodyText, textOfMarkup } from '../intake/bodyText';
import { trust } from './certificates';
import { causeText } from './failures';
import { type NetworkSettings, ProxyFailure, type ProxyRoute, proxyFor } from './network';
import { rawResponse } from './rawResponse';

// The only file that imports undici: on the first request, with dispatchers of its own.

interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Longest wait for the response's headers, and between two pieces of its body; 0 = no limit. */
  readonly silenceMs: number;
  /** A larger response is given up. */
  readonly maxBytes: number;
  /**
   * On a connection of its own. A kept connection may just be closing on the other side when it is used again, and
   * then it is not known whether the request was carried; for a paid run that doubt costs more than a handshake.
   */
  readonly freshConnection?: boolean;
  /** Taken out of the response before anyone sees it, should the service echo it. */
  readonly secret?: string;
  /** As `secret`: the signatures of an upload address. */
  readonly signatures?: readonly string[];
  /** Called just before the first byte leaves, on a connection that is made: an error holds the request back. */
  readonly onSending?: () => void;
  /** Called when the request is with the system, as far as can be seen from here. */
  readonly onSent?: () => void;
  /** Called when the response's headers are there. */
  readonly onAnswering?: () => void;
}

/** Why no (whole) response came. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  constructor(
    readonly reason: 'cancelled' | 'silent' | 'tooLarge' | 'body' | 'network',
    /** False: proven that not one byte of the request left. */
    readonly mayHaveLeft: boolean,
    cause: unknown,
  ) {
    super(`transport: ${reason}`, { cause });
  }
}

export interface Transport {
  /** One request, one response, without redirects and retries. @throws TransportFailure */
  send(request: TransportRequest): Promise<RawResponse>;
  close(): void;
}

type Undici = typeof import('undici');

/** Both symbols under which undici 7 keeps the dispatcher of everybody's fetch. */
const GLOBAL_DISPATCHERS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Loads undici and leaves the dispatcher of other code unchanged: loading sets one where there is none, which Node's
 * own fetch would then use. Node's own is therefore made to be there first; without it, every fetch would fail once
 * ours is taken away.
 */
async function loadUndici(): Promise<Undici> {
  const globals = globalThis as unknown as Record<symbol | string, unknown>;
  // Node loads its own undici when this name is first looked at.
  if (globals[GLOBAL_DISPATCHERS[0] as symbol] === undefined) void globals.Response;
  const before = GLOBAL_DISPATCHERS.map((key) => globals[key]);
  try {
    // The default is the CommonJS module itself: once it is bundled, the named exports are not there.
    return (await import('undici')).default as unknown as Undici;
  } finally {
    // The properties cannot be deleted once undici made them; set back to undefined, they read as before. With
    // nothing under the first name after all, taking ours away would leave fetch without any.
    if (before[0] !== undefined)
      GLOBAL_DISPATCHERS.forEach((key, index) => {
        if (globals[key] !== before[index]) globals[key] = before[index];
      });
  }
}

let loaded: Promise<Undici> | undefined;

/** Only the first load touches the global names: later, others may have set theirs. */
function undiciOnce(): Promise<Undici> {
  loaded ??= loadUndici();
  return loaded;
}

const KEPT_CONNECTION_MS = 4_000;
/** Of the headers of a response: gateways add policies and cookies. */
const MOST_HEADER_BYTES = 256 * 1024;
const CONNECT_TIMEOUT_MS = 20_000;

export function createTransport(settings: NetworkSettings | (() => NetworkSettings)): Transport {
  const dispatchers = new Map<string, Dispatcher>();
  let builtFor: string | undefined;
  let closed = false;

  async function dispatcherFor(
    request: TransportRequest,
  ): Promise<{ readonly dispatcher: Dispatcher; readonly route: ProxyRoute | undefined }> {
    const now = typeof settings === 'function' ? settings() : settings;
    const route = proxyFor(request.url, now);
    const overTls = request.url.protocol === 'https:' || route?.url.startsWith('https:') === true;
    const [undici, secure] = await Promise.all([
      undiciOnce(),
      overTls ? trust(now, request.url.origin) : undefined,
    ]);
    const settingsKey = JSON.stringify(now);
    if (builtFor !== settingsKey) {
      // Requests under way keep their old connections, which then close by themselves.
      for (const old of dispatchers.values()) void old.close().catch(() => {});
      dispatchers.clear();
      builtFor = settingsKey;
    }
    const own = now.clientCertificates?.[request.url.origin] && request.url.origin;
    const key = JSON.stringify([route, overTls, request.freshConnection === true, own]);
    let dispatcher = dispatchers.get(key);
    if (dispatcher === undefined) {
      dispatcher = makeDispatcher(undici, now, secure, route, request.freshConnection === true);
      dispatchers.set(key, dispatcher);
    }
    return { dispatcher, route };
  }

  return {
    async send(request) {
      const throwIfOver = () => {
        if (closed || request.signal?.aborted)
          throw new TransportFailure('cancelled', false, request.signal?.reason ?? new Error('closed'));
      };
      throwIfOver();
      const { dispatcher, route } = await dispatcherFor(request).catch((cause: unknown) => {
        // A proxy that cannot be used, for one: no byte left, so no run is in doubt.
        throw new TransportFailure('network', false, cause);
      });
      throwIfOver();
      return await dispatch(dispatcher, request, route);
    },
    close() {
      closed = true;
      // Requests in flight fail with this error; whether they had left decides the final error.
      for (const dispatcher of dispatchers.values())
        void dispatcher.destroy(new Error('closed')).catch(() => {});
      dispatchers.clear();
    },
  };
}

function makeDispatcher(
  undici: Undici,
  settings: NetworkSettings,
  secureContext: tls.SecureContext | undefined,
  route: ProxyRoute | undefined,
  fresh: boolean,
): Dispatcher {
  const connect = {
    rejectUnauthorized: settings.strictSsl !== false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: lookUp,
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  const options = {
    keepAliveTimeout: KEPT_CONNECTION_MS,
    keepAliveMaxTimeout: KEPT_CONNECTION_MS,
    // undici's word for "close after each response".
    pipelining: fresh ? 0 : 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MOST_HEADER_BYTES,
  };
  if (route === undefined) return new undici.Agent({ ...options, connect });
  return new undici.ProxyAgent({
    ...options,
    uri: route.url,
    ...(route.authorization === undefined ? {} : { token: route.authorization }),
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, options) => tellingRefusals(new undici.Pool(origin, options)),
  });
}

/** Makes the client of a proxy throw where the proxy opens no tunnel: undici itself drops the proxy's words. */
function tellingRefusals(client: Dispatcher): Dispatcher {
  const connect = client.connect.bind(client) as (
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  const telling = async (options: Dispatcher.ConnectOptions) => {
    const opened = await connect(options).catch((cause: unknown) => {
      // A proxy that closed: undici would connect to it again without end.
      if (errorCode(cause) !== 'UND_ERR_SOCKET') throw cause;
      throw Object.assign(new Error(causeText(cause)), { code: 'PROXY' });
    });
    if (opened.statusCode === 200) return opened;
    throw await refusalOf(opened);
  };
  return Object.assign(client, { connect: telling });
}

/** A proxy that keeps the connection open may say no more. */
const LONGEST_REFUSAL_MS = 1_000;
const MOST_REFUSAL_BYTES = 16 * 1024;

async function refusalOf({ statusCode, headers, socket }: Dispatcher.ConnectData): Promise<Error> {
  const most = Math.min(Number(headers['content-length'] ?? MOST_REFUSAL_BYTES), MOST_REFUSAL_BYTES);
  let bytes = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), LONGEST_REFUSAL_MS);
  try {
    if (most > 0)
      for await (const piece of socket) {
        bytes = Buffer.concat([bytes, piece]);
        if (bytes.length >= most) break;
      }
  } catch {
    // Cut off: the words that came count.
  }
  clearTimeout(timer);
  socket.destroy();
  const text = bodyText(bytes, String(headers['content-type'] ?? ''));
  const words = oneLine(/^\s*</.test(text) ? textOfMarkup(text) : text, LONGEST_WORDS);
  const message = words ? `status ${statusCode}: “${words}”` : `status ${statusCode}`;
  return Object.assign(new Error(message), { code: statusCode === 407 ? 'PROXY_407' : 'PROXY' });
}

const LONGEST_WORDS = 180;

/**
 * Sends by undici's own handler interface, because it alone shows when a request begins to be written: an error
 * before that proves that it was never carried.
 */
function dispatch(
  dispatcher: Dispatcher,
  request: TransportRequest,
  route: ProxyRoute | undefined,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let mayHaveLeft = false;
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Record<string, string | string[] | undefined> = {};
    const chunks: Uint8Array[] = [];
    let size = 0;

    const settle = (then: () => void) => {
      if (settled) return;
      settled = true;
      request.signal?.removeEventListener('abort', onAbort);
      then();
    };
    const fail = (reason: TransportFailure['reason'], cause: unknown) =>
      settle(() => reject(new TransportFailure(reason, mayHaveLeft, cause)));
    const onAbort = () => {
      const reason = request.signal?.reason;
      fail('cancelled', reason);
      // Before the request is written there is no socket to close; onRequestStart then stops it.
      controller?.abort(reason instanceof Error ? reason : new Error('cancelled'));
    };
    request.signal?.addEventListener('abort', onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) return started.abort(new Error('cancelled'));
        // Called again, undici would be repeating the request by itself: not this client's runs.
        if (mayHaveLeft && request.method !== 'GET') return started.abort(new Error('not repeated'));
        try {
          request.onSending?.();
        } catch (cause) {
          fail('cancelled', cause);
          return started.abort(new Error('held back'));
        }
        mayHaveLeft = true;
        // A body in memory is written in the same turn as its headers.
        if (request.body === undefined || request.body instanceof Uint8Array)
          queueMicrotask(() => request.onSent?.());
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = responseHeaders;
        request.onAnswering?.();
      },
      onResponseData(current, chunk) {
        size += chunk.length;
        if (size > request.maxBytes) {
          fail('tooLarge', new Error(`more than ${request.maxBytes} bytes`));
          current.abort(new Error('too large'));
          return;
        }
        chunks.push(chunk);
      },
      onResponseEnd() {
        settle(() =>
          rawResponse(status, headers, Buffer.concat(chunks), request).then(resolve, (cause: unknown) =>
            reject(new TransportFailure('tooLarge', true, cause)),
          ),
        );
      },
      onResponseError(_controller, cause) {
        const code = errorCode(cause);
        const silent = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
        const isOfProxy = route !== undefined && !mayHaveLeft && !isOfCertificate(code);
        fail(
          silent ? 'silent' : cause instanceof BodyFailure ? 'body' : 'network',
          isOfProxy ? new ProxyFailure(route.facts, cause) : cause,
        );
      },
    };
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers,
          // undici takes async iterables; its types lag behind.
          body: (request.body instanceof Uint8Array || request.body === undefined
            ? request.body
            : guarded(request.body)) as Uint8Array | undefined,
          headersTimeout: request.silenceMs,
          bodyTimeout: request.silenceMs,
        },
        handler,
      );
    } catch (cause) {
      fail('network', cause);
    }
  });
}

/** The proxy has opened the tunnel: at its other end a certificate is not accepted. */
function isOfCertificate(code: string | undefined): boolean {
  return code !== undefined && /CERT|SIGNATURE|SELF_SIGNED/.test(code);
}

/** An error of the source of a body, not of the connection. */
export class BodyFailure extends Error {
  override readonly name = 'BodyFailure';
}

async function* guarded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new BodyFailure('the body could not be read', { cause });
  }
}

const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * The addresses of a host. A name below localhost is this machine (RFC 6761), even if a name server says otherwise,
 * so that the key stays here.
 */
const lookUp: LookupFunction = (hostname, options, done) => {
  if (!/\.localhost$/i.test(hostname)) return lookup(hostname, options, done);
  if (options.all) done(null, THIS_MACHINE);
  else done(null, '127.0.0.1', 4);
};
