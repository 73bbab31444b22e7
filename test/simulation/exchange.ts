import { rawResponse } from '../../src/service/rawResponse';
import { BodyFailure, type Transport, TransportFailure } from '../../src/service/transport';
import type { SentRun, Told } from './judge';
import { type Network, routeOf } from './network';
import type { Fate, RetryAfter } from './scenario';
import type { SimRequest, SimResponse, SimService } from './service';
import { EPOCH_MS, type SimProcess } from './world';

type Request = Parameters<Transport['send']>[0];

/** After this time a proxy gives up a silent connection. */
const SILENCE_MS = 600_000;

interface Settle {
  resolve(response: Awaited<ReturnType<Transport['send']>>): void;
  reject(error: unknown): void;
}

/** One request on its way. */
export class Exchange {
  readonly #fate: Fate | undefined;
  readonly #askedAt: number;
  readonly #service: SimService | undefined;
  #mayHaveLeft = false;
  #isOver = false;
  #run: SentRun | undefined;
  #stopSilence = () => {};

  constructor(
    private readonly network: Network,
    private readonly process: SimProcess,
    private readonly request: Request,
    private readonly closed: AbortSignal,
    private readonly settle: Settle,
  ) {
    const { judge } = network.parts;
    judge.sending(process, request.url, request.headers);
    const { origin } = request.url;
    this.#service = judge.services.find(({ baseUrl, uploadOrigin }) =>
      [baseUrl, uploadOrigin].includes(origin),
    );
    this.#fate = network.fate(request.url);
    this.#askedAt = network.parts.world.now;
  }

  begin(): void {
    const { signal } = this.request;
    const onAbort = (reason: unknown) => this.#fail('cancelled', reason);
    for (const one of [signal, this.closed]) {
      if (one?.aborted) onAbort(one.reason);
      else one?.addEventListener('abort', () => onAbort(one.reason), { once: true });
    }
    this.#later(() => void this.#leave());
  }

  /** Something that the window notices. */
  #later(run: () => void, ms = this.network.delay()): void {
    this.network.parts.world.after(ms, () => !this.#isOver && run(), this.process);
  }

  async #leave(): Promise<void> {
    const { request, process } = this;
    const { judge, world } = this.network.parts;
    if (this.#fate?.kind === 'refused' || !this.#service) return this.#fail('network', new Error('refused'));
    try {
      request.onSending?.();
    } catch (error) {
      return this.#fail('cancelled', error);
    }
    this.#mayHaveLeft = true;
    if (routeOf(request.url) === 'run' && request.body instanceof Uint8Array) {
      this.#run = judge.left(process, this.#service, parsed(request.body), this.#askedAt);
      this.#tell(`sends a run of ${this.#run.ids.join(', ')}`);
    }
    let body: string;
    try {
      body = await textOf(request.body);
    } catch (cause) {
      return this.#fail('body', new BodyFailure('the body could not be read', { cause }));
    }
    if (!process.isAlive) return;
    request.onSent?.();
    if (request.silenceMs > 0)
      this.#stopSilence = world.after(
        request.silenceMs,
        () => this.#fail('silent', new Error('silence')),
        process,
      );
    this.#carry({ method: request.method, url: request.url, headers: request.headers, body });
  }

  #carry(request: SimRequest): void {
    const { world } = this.network.parts;
    const fate = this.#fate;
    const way = this.network.delay();
    if (fate?.kind === 'lostOnTheWay' || (fate?.kind === 'cut' && fate.of === 'request')) {
      this.#later(() => this.#fail('network', new Error('reset')));
      return;
    }
    if (fate?.kind === 'twice') world.after(way + this.network.delay(), () => this.#serve(request));
    world.after(way, () => {
      const response = this.#serve(request);
      const at = world.now;
      if (fate?.kind === 'lostOnTheWayBack') this.#later(() => this.#fail('network', new Error('reset')));
      else if (fate?.kind === 'silent')
        this.#later(() => this.#fail('network', new Error('reset')), SILENCE_MS);
      else
        this.#later(
          () => void this.#respond(response, at),
          this.network.delay() + (fate?.kind === 'slow' ? fate.ms : 0),
        );
    });
  }

  /** At the service, or at a gateway before it. */
  #serve(request: SimRequest): SimResponse {
    const fate = this.#fate;
    const service = this.#service!;
    const serve = (isDropped = false) => {
      if (!this.#run) return service.handle(request);
      const { response, run } = service.run(parsed(request.body), isDropped);
      if (run) {
        // A network that delivers it twice brings the response to the first.
        this.#run.served ??= run;
        this.network.parts.judge.indexed(service, run.replaced);
      }
      return response;
    };
    if (fate?.kind === 'redirect')
      return { status: 307, headers: { location: 'https://elsewhere.test/api/runs' } };
    if (fate?.kind === 'status') {
      if (fate.executed) serve();
      return {
        ...{ status: fate.status, json: { error: { message: `Status ${fate.status}.` } } },
        headers: fate.retryAfter ? this.#wait(fate.retryAfter) : {},
      };
    }
    const response = serve(fate?.kind === 'accepted' && fate.becomes === 'nothing');
    if (response.status >= 300) return response;
    if (fate?.kind === 'page')
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        text: '<html><p>Please log in.</html>',
      };
    if (fate?.kind === 'accepted') return { status: 202, json: { run_id: 'later', status: 'queued' } };
    return response;
  }

  #wait({ form, ms }: RetryAfter): Record<string, string> {
    const now = EPOCH_MS + this.network.parts.world.now;
    if (form === 'milliseconds') return { 'retry-after-ms': String(ms) };
    if (form === 'seconds') return { 'retry-after': String(Math.ceil(ms / 1_000)) };
    return { 'retry-after': new Date(now + ms).toUTCString(), date: new Date(now).toUTCString() };
  }

  async #respond({ status, headers, json, text }: SimResponse, at: number): Promise<void> {
    const { request, process } = this;
    const fate = this.#fate;
    const cut = fate?.kind === 'cut' && fate.share < 1 ? fate : undefined;
    request.onAnswering?.();
    if (cut && !cut.endsOpen) return this.#fail('network', new Error('reset in the midst of the response'));
    this.#over();
    if (fate?.kind === 'status' && fate.retryAfter)
      this.network.parts.judge.paused(process, this.#service!, fate.retryAfter, at);
    if (this.#run) Object.assign(this.#run, toldBy(status, json));
    if (this.#run || this.#fate) this.#tell(`receives ${status} ${this.#name}`);
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const whole = Buffer.from(json === undefined ? (text ?? '') : JSON.stringify(json));
    const body = cut ? whole.subarray(0, Math.floor(whole.length * cut.share)) : whole;
    // An incomplete body has no meaning, for any status.
    if (cut && this.#run && status < 300) Object.assign(this.#run, { told: 'unclear', failed: new Set() });
    this.settle.resolve(await rawResponse(status, { ...type, ...headers }, body, request));
  }

  #fail(reason: TransportFailure['reason'], cause: unknown): void {
    if (this.#isOver) return;
    this.#over();
    if (this.#run) this.#run.told = 'unclear';
    if (this.#run || this.#fate) this.#tell(`receives no response (${reason}) ${this.#name}`);
    this.settle.reject(new TransportFailure(reason, this.#mayHaveLeft, cause));
  }

  get #name(): string {
    const route = routeOf(this.request.url);
    return route === 'run' ? `to its run of ${this.#run?.ids.join(', ')}` : `to ${route} of an upload`;
  }

  #tell(text: string): void {
    this.network.parts.world.tell(`${this.process.name} ${text}`);
  }

  #over(): void {
    this.#isOver = true;
    this.#stopSilence();
  }
}

/** The conclusion that the interface lets a client draw from a response. */
function toldBy(status: number, json: unknown): { told: Told; failed?: ReadonlySet<string> } {
  // By RFC 9110, section 15.4, the request is to be made elsewhere: it was not carried out here.
  if ([301, 307, 308].includes(status)) return { told: 'notExecuted' };
  if (status >= 500 || status === 408 || (status >= 300 && status < 400)) return { told: 'unclear' };
  if (status >= 400) return { told: 'notExecuted' };
  if (status === 202 || json === undefined) return { told: 'unclear' };
  const { output } = json as { output?: { results?: { image_id: string; status: string }[] } };
  const failed = output?.results?.filter((result) => result.status === 'failed') ?? [];
  return { told: 'read', failed: new Set(failed.map(({ image_id }) => image_id)) };
}

function parsed(body: Uint8Array | string): Record<string, unknown> {
  return JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
}

async function textOf(body: Request['body']): Promise<string> {
  if (body === undefined) return '';
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
