import * as z from 'zod/mini';

/**
 * Typed messages between the extension host and a page, checked with zod on arrival on both sides. A request is
 * answered once, with a value or with a message for the user; a notification is not answered. What does not fit
 * its schema is refused: a page is not trusted by the host, nor a service's text by the page.
 */

export interface Endpoint {
  post(message: unknown): void;
  /** Returns how to stop listening. */
  listen(listener: (message: unknown) => void): () => void;
}

export interface MethodSchema {
  readonly params: z.ZodMiniType;
  /** Missing: a notification. */
  readonly result?: z.ZodMiniType;
}

export type Methods = { readonly [name: string]: MethodSchema };

type Params<M extends MethodSchema> = z.input<M['params']>;
type Parsed<M extends MethodSchema> = z.output<M['params']>;
type Result<M extends MethodSchema> = M['result'] extends z.ZodMiniType ? z.output<M['result']> : void;

/** Handlers for what the other side may call. */
export type Handlers<T extends Methods> = {
  readonly [K in keyof T]: (
    params: Parsed<T[K]>,
    signal: AbortSignal,
  ) => Result<T[K]> | Promise<Result<T[K]>>;
};

const envelope = z.union([
  z.object({ kind: z.literal('call'), id: z.number(), method: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('tell'), method: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('cancel'), id: z.number() }),
  z.object({ kind: z.literal('response'), id: z.number(), value: z.optional(z.unknown()) }),
  z.object({ kind: z.literal('refusal'), id: z.number(), message: z.string() }),
]);
type Envelope = z.infer<typeof envelope>;

/** The first call of a page that shows what it is given: its HTML can send it before its script is there. */
export const readyCall = { kind: 'call', id: 1, method: 'ready', params: null } satisfies Envelope;

/** What a rejected call rejects with: the other side's words. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

export interface ChannelOptions {
  /** Turns what a handler threw into a sentence for the other side. */
  readonly describe: (error: unknown) => string;
  /** Told of messages that do not fit. */
  readonly onBadMessage: (why: string) => void;
}

/** One end of a conversation: `ours` are the methods we response, `theirs` those of the other side. */
export class Channel<Ours extends Methods, Theirs extends Methods> {
  #nextId = 1;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: unknown) => void; method: string }
  >();
  readonly #working = new Map<number, AbortController>();
  readonly #stop: () => void;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly ours: Ours,
    private readonly theirs: Theirs,
    private readonly handlers: Handlers<Ours>,
    private readonly options: ChannelOptions,
  ) {
    this.#stop = endpoint.listen((message) => void this.#receive(message));
  }

  /** Asks the other side; rejects with a RemoteError in its words. Aborting cancels the handler over there. */
  call<K extends keyof Theirs & string>(
    method: K,
    params: Params<Theirs[K]>,
    signal?: AbortSignal,
  ): Promise<Result<Theirs[K]>> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, method });
      signal?.addEventListener('abort', () => this.#post({ kind: 'cancel', id }), { once: true });
      this.#post({ kind: 'call', id, method, params });
    });
  }

  /** Tells the other side something it need not response. */
  tell<K extends keyof Theirs & string>(method: K, params: Params<Theirs[K]>): void {
    this.#post({ kind: 'tell', method, params });
  }

  dispose(): void {
    this.#stop();
    for (const controller of this.#working.values()) controller.abort();
    for (const { reject } of this.#waiting.values()) reject(new RemoteError('The panel was closed.'));
    this.#working.clear();
    this.#waiting.clear();
  }

  #post(message: Envelope): void {
    this.endpoint.post(message);
  }

  async #receive(raw: unknown): Promise<void> {
    const message = envelope.safeParse(raw);
    if (!message.success) return this.options.onBadMessage('not an envelope');
    const { data } = message;
    switch (data.kind) {
      case 'call':
      case 'tell':
        return this.#handle(data);
      case 'cancel':
        this.#working.get(data.id)?.abort();
        return;
      case 'response':
        return this.#settle(data.id, data.value);
      case 'refusal':
        this.#take(data.id)?.reject(new RemoteError(data.message));
        return;
    }
  }

  #take(id: number) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #settle(id: number, value: unknown): void {
    const waiting = this.#take(id);
    if (!waiting) return;
    const result = this.theirs[waiting.method]?.result?.safeParse(value) ?? {
      success: true as const,
      data: undefined,
    };
    if (result.success) waiting.resolve(result.data);
    else waiting.reject(new RemoteError(`The response to "${waiting.method}" does not fit its schema.`));
  }

  async #handle(message: Extract<Envelope, { kind: 'call' | 'tell' }>): Promise<void> {
    const refuse = (why: string) => {
      this.options.onBadMessage(`${message.method}: ${why}`);
      if (message.kind === 'call') this.#post({ kind: 'refusal', id: message.id, message: why });
    };
    const schema = Object.hasOwn(this.ours, message.method) ? this.ours[message.method] : undefined;
    const handler = this.handlers[message.method as keyof Ours];
    if (!schema || !handler) return refuse('no such method');
    const params = schema.params.safeParse(message.params);
    if (!params.success) return refuse('its parameters do not fit');
    const controller = new AbortController();
    if (message.kind === 'call') this.#working.set(message.id, controller);
    try {
      const value = await handler(params.data as never, controller.signal);
      if (message.kind === 'call') this.#post({ kind: 'response', id: message.id, value });
    } catch (error) {
      if (message.kind === 'call')
        this.#post({ kind: 'refusal', id: message.id, message: this.options.describe(error) });
      else this.options.onBadMessage(`${message.method}: ${this.options.describe(error)}`);
    } finally {
      if (message.kind === 'call') this.#working.delete(message.id);
    }
  }
}
