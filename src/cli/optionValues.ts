import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import { readLimit } from '../domain/amounts';
import type { Money } from '../domain/money';
import type { Shard } from '../experiments/plan/runId';

/** An amount of money that is not negative. @throws UsageError */
export function amountIn(word: string | undefined): Money | undefined {
  const limit = word === undefined ? undefined : readLimit(word);
  if (word !== undefined && limit === undefined)
    throw new UsageError(l10n.t('--max-cost must be an amount such as 1.00 or "1.00 USD".'));
  return limit;
}

/** @throws UsageError */
export function shardIn(word: string | undefined): Shard | undefined {
  if (word === undefined) return undefined;
  const [, number = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(word) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new UsageError(l10n.t('--shard must be a part and how many there are, such as 3/8.'));
}

/**
 * The file of an option that every command takes, and the words of the call without it.
 * @throws UsageError where it has none
 */
export function takenFile(
  words: readonly string[],
  name: string,
): { readonly file?: string; readonly rest: readonly string[] } {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return { rest: words };
  const inline = words[at]!.slice(`--${name}=`.length);
  const file = inline === '' ? words[at + 1] : inline;
  if (file === undefined) throw new UsageError(l10n.t('--{0} needs a file.', name));
  return { file, rest: words.toSpliced(at, inline === '' ? 2 : 1) };
}
