import type { Money } from '../../domain/money';
import type { RawResponse, Wallet } from '../../service/client';

/** What is known of the wallet, and how new it is. Times in milliseconds since the epoch. */
export type WalletState =
  | { readonly kind: 'notConnected' }
  /** Connected, and not read yet: nobody has looked, or the first response is on its way. */
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'read';
      readonly wallet: Wallet;
      readonly readAt: number;
      /** The reading before the balance last changed. */
      readonly change?: { readonly from: Money; readonly since: number; readonly at: number };
      /** Old enough, or known to be behind: it is shown with its time, never as new. */
      readonly stale: boolean;
      /** Why it could not be read again since. */
      readonly error?: unknown;
    }
  | { readonly kind: 'notUnderstood'; readonly raw: RawResponse; readonly readAt: number }
  | { readonly kind: 'failed'; readonly error: unknown };
