import { compareAmounts, readAmount } from '../../domain/amounts';
import type { Wallet, WalletResponse } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { WalletState } from './walletState';

export interface WalletPorts {
  /** GET /api/billing/wallet of the active environment. */
  read(signal: AbortSignal): Promise<WalletResponse>;
  /** Whether somebody looks: the window has the focus and was used a short while ago. */
  watched(): boolean;
  now(): number;
  /** Calls back once after so many milliseconds; returns how to call it off. */
  after(ms: number, callback: () => void): () => void;
}

/** Milliseconds. */
export const walletTimes = {
  /** Between quiet readings while somebody looks. */
  quiet: 120_000,
  /** From a run's end to reading: runs of a job end in flocks, and the service books them. */
  settle: 1_000,
  /** The least time between two readings. */
  spacing: 5_000,
  /** Until then a reading is as good as another. */
  new: 10_000,
  /** From then on a balance is shown with its time. */
  stale: 300_000,
  /** After the first failure, doubled with each until `longestBackoff`. */
  backoff: 30_000,
  longestBackoff: 900_000,
} as const;

/**
 * Decides when the wallet is read, and keeps what was read. One reading at a time; none while nobody looks, then
 * what became due is made up for when somebody does.
 */
export class WalletReader {
  #state: WalletState = { kind: 'notConnected' };
  /** When a reading was asked for that has not been made; undefined: none is owed but the quiet one. */
  #dueAt: number | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #reading: AbortController | undefined;
  #stopTimer: () => void = () => {};
  #stopStaleTimer: () => void = () => {};
  readonly #listeners = new Set<(state: WalletState) => void>();

  constructor(private readonly ports: WalletPorts) {}

  get state(): WalletState {
    return this.#state;
  }

  onDidChange(listener: (state: WalletState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Another environment or key, or none: what was known is forgotten. */
  restart(connected: boolean): void {
    this.#stop();
    this.#attemptedAt = this.#notBefore = Number.NEGATIVE_INFINITY;
    this.#failures = 0;
    this.#dueAt = connected ? this.ports.now() : undefined;
    this.#become(connected ? { kind: 'waiting' } : { kind: 'notConnected' });
    this.#plan();
  }

  /** Something happened that may have changed the balance. */
  request(): void {
    if (this.#state.kind === 'notConnected') return;
    this.#dueAt ??= this.ports.now() + walletTimes.settle;
    this.#plan();
  }

  /** As `request`, but a balance read a moment ago will do: a listing's pages come in one after another. */
  requestUnlessNew(): void {
    if (this.ports.now() - this.#attemptedAt > walletTimes.new) this.request();
  }

  /** Somebody may have begun to look. */
  attend(): void {
    this.#plan();
  }

  dispose(): void {
    this.#stop();
    this.#listeners.clear();
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
    // Asked again when the time has come: by then nobody may be looking any more.
    else this.#stopTimer = this.ports.after(wait, () => this.#plan());
  }

  async #read(): Promise<void> {
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

  #understood({ wallet, raw }: WalletResponse): void {
    const at = this.ports.now();
    if (!wallet) {
      this.#become({ kind: 'notUnderstood', raw, readAt: at });
      return;
    }
    this.#stopStaleTimer();
    this.#stopStaleTimer = this.ports.after(walletTimes.stale, () => this.#grewOld());
    this.#become({ kind: 'read', wallet, readAt: at, stale: false, ...this.#changeTo(wallet, at) });
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
    const told = error instanceof ServiceError ? error.details.retryAtMs : undefined;
    this.#notBefore = Math.max(this.ports.now() + wait, told ?? 0);
    if (error instanceof ServiceError && error.kind === 'notConnected') this.restart(false);
    else if (this.#state.kind === 'read') this.#become({ ...this.#state, stale: true, error });
    else this.#become({ kind: 'failed', error });
  }

  #grewOld(): void {
    if (this.#state.kind === 'read' && !this.#state.stale) this.#become({ ...this.#state, stale: true });
  }

  #become(state: WalletState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
