import { compareAmounts, readAmount } from '../domain/amounts';
import { Listeners } from '../domain/listeners';
import type { Money } from '../domain/money';
import type { RawResponse, Wallet, WalletResponse } from '../domain/response';
import { ServiceError } from '../service/errors';

/** The known state of the wallet, and its age. Times in milliseconds since the epoch. */
export type WalletState =
  | { readonly kind: 'notConnected' }
  /** Connected, and not read yet: it was not requested, or the first response is on its way. */
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'read';
      readonly wallet: Wallet;
      readonly raw: RawResponse;
      readonly readAt: number;
      /** The reading before the balance last changed. */
      readonly change?: { readonly from: Money; readonly since: number; readonly at: number };
      /** Old enough, or known to be behind: it is shown with its time, never as new. */
      readonly stale: boolean;
      /** Why it could not be read again since. */
      readonly error?: unknown;
    }
  | {
      readonly kind: 'notUnderstood';
      readonly raw: RawResponse;
      /** The balance in the service's own words. */
      readonly words?: string;
      readonly readAt: number;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface WalletPorts {
  /** GET /api/billing/wallet of the active environment. */
  read(signal: AbortSignal): Promise<WalletResponse>;
  /** Whether the window has the focus and was active recently. */
  watched(): boolean;
  now(): number;
  /** Calls back once after `ms` milliseconds; returns a function to cancel it. */
  after(ms: number, callback: () => void): () => void;
}

/** Milliseconds. */
export const walletTimes = {
  /** Between readings while the window is watched. */
  quiet: 120_000,
  /** From a run's end to reading: job runs finish in bursts, and the service books them with a delay. */
  settle: 1_000,
  /** The least time between two readings. */
  spacing: 5_000,
  /** A reading younger than this is not repeated. */
  new: 10_000,
  /** From this age on, a balance is shown with its time. */
  stale: 300_000,
  /** After the first failure, doubled with each until `longestBackoff`. */
  backoff: 30_000,
  longestBackoff: 900_000,
} as const;

/**
 * Decides when the wallet is read, and holds the last reading. One reading at a time, and none while the window is not
 * watched: one that became due meanwhile is made up for afterwards.
 */
export class WalletReader {
  #state: WalletState = { kind: 'notConnected' };
  /** The time of a requested reading that has not been made; undefined: only the quiet one is due. */
  #dueAt: number | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #reading: AbortController | undefined;
  #ended: Promise<void> | undefined;
  #stopTimer: () => void = () => {};
  #stopStaleTimer: () => void = () => {};
  readonly #changed = new Listeners<WalletState>();
  readonly onDidChange = this.#changed.add;

  constructor(private readonly ports: WalletPorts) {}

  get state(): WalletState {
    return this.#state;
  }

  /** For another environment or key, or none: the last reading is discarded. */
  restart(connected: boolean): void {
    this.#stop();
    this.#attemptedAt = this.#notBefore = Number.NEGATIVE_INFINITY;
    this.#failures = 0;
    this.#dueAt = connected ? this.ports.now() : undefined;
    this.#become(connected ? { kind: 'waiting' } : { kind: 'notConnected' });
    this.#plan();
  }

  /** After anything that may have changed the balance. */
  request(): void {
    if (this.#state.kind === 'notConnected') return;
    this.#dueAt ??= this.ports.now() + walletTimes.settle;
    this.#plan();
  }

  /** Like `request`, unless the balance was just read: the pages of a list arrive one after another. */
  requestUnlessNew(): void {
    if (this.ports.now() - this.#attemptedAt > walletTimes.new) this.request();
  }

  /** Reads at once, for a page that shows the balance; resolves when this reading, or one in flight, has ended. */
  async readNow(): Promise<WalletState> {
    if (this.#state.kind !== 'notConnected') await (this.#reading ? this.#ended : this.#read());
    return this.#state;
  }

  /** The window may be watched from now on. */
  attend(): void {
    this.#plan();
  }

  dispose(): void {
    this.#stop();
    this.#changed.clear();
  }

  #stop(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#stopTimer();
    this.#stopStaleTimer();
  }

  #plan(): void {
    this.#stopTimer();
    if (this.#state.kind === 'notConnected' || this.#reading || !this.ports.watched()) return;
    const wanted = this.#dueAt ?? this.#attemptedAt + walletTimes.quiet;
    const at = Math.max(wanted, this.#attemptedAt + walletTimes.spacing, this.#notBefore);
    const wait = at - this.ports.now();
    if (wait <= 0) void this.#read();
    // Planned again then: the window may no longer be watched.
    else this.#stopTimer = this.ports.after(wait, () => this.#plan());
  }

  #read(): Promise<void> {
    this.#ended = this.#readOnce();
    return this.#ended;
  }

  async #readOnce(): Promise<void> {
    const controller = new AbortController();
    this.#reading = controller;
    this.#dueAt = undefined;
    this.#attemptedAt = this.ports.now();
    try {
      const read = await this.ports.read(controller.signal);
      if (controller.signal.aborted) return;
      this.#failures = 0;
      this.#understood(read);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#failed(error);
    }
    this.#reading = undefined;
    this.#plan();
  }

  #understood({ wallet, words, raw }: WalletResponse): void {
    const at = this.ports.now();
    if (!wallet) {
      this.#become({ kind: 'notUnderstood', raw, words, readAt: at });
      return;
    }
    this.#stopStaleTimer();
    this.#stopStaleTimer = this.ports.after(walletTimes.stale, () => this.#becomeStale());
    this.#become({ kind: 'read', wallet, raw, readAt: at, stale: false, ...this.#changeTo(wallet, at) });
  }

  #changeTo(wallet: Wallet, at: number): Pick<WalletState & { kind: 'read' }, 'change'> {
    if (this.#state.kind !== 'read') return {};
    const { balance: before } = this.#state.wallet;
    const [from, to] = [readAmount(before.amount), readAmount(wallet.balance.amount)];
    if (from === undefined || to === undefined || before.currency !== wallet.balance.currency) return {};
    if (compareAmounts(from, to) === 0) return { change: this.#state.change };
    return { change: { from: before, since: this.#state.readAt, at } };
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    const wait = Math.min(walletTimes.backoff * 2 ** (this.#failures - 1), walletTimes.longestBackoff);
    const retryAtMs = error instanceof ServiceError ? error.details.retryAtMs : undefined;
    this.#notBefore = Math.max(this.ports.now() + wait, retryAtMs ?? 0);
    if (error instanceof ServiceError && error.kind === 'notConnected') this.restart(false);
    else if (this.#state.kind === 'read') this.#become({ ...this.#state, stale: true, error });
    else this.#become({ kind: 'failed', error });
  }

  #becomeStale(): void {
    if (this.#state.kind === 'read' && !this.#state.stale) this.#become({ ...this.#state, stale: true });
  }

  #become(state: WalletState): void {
    this.#state = state;
    this.#changed.call(state);
  }
}
