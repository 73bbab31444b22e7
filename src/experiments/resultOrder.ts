import type { ResultEntry } from './resultLine';

const WEIGHT = { finished: 2, failed: 1, unconfirmed: 0 } as const;

/**
 * Of two outcomes of one run: one that finished, then the later one, then what is certain. A failed run that was
 * retried without a response is unconfirmed: it may have been charged.
 */
function better(a: ResultEntry, b: ResultEntry): ResultEntry {
  const [first, other] = [a.line.state, b.line.state];
  if (first !== other && (first === 'finished' || other === 'finished')) return first === 'finished' ? a : b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  if (first !== other) return WEIGHT[first] > WEIGHT[other] ? a : b;
  return a.text > b.text ? a : b;
}

const isOutcome = ({ state }: ResultEntry) => state !== 'sent' && state !== 'returned';

/**
 * The lines of one run that still say something, in any order of adding: its best outcome, and what was sent since. An
 * outcome settles whatever was sent up to its time; `returned` takes back what its sender sent.
 */
export function withEntry(entries: readonly ResultEntry[], entry: ResultEntry): readonly ResultEntry[] {
  if (entries.some(({ text }) => text === entry.text)) return entries;
  const all = [...entries, entry];
  const outcomes = all.filter(isOutcome);
  const best = outcomes.length === 0 ? undefined : outcomes.reduce(better);
  return all.filter((one) => one === best || (!isOutcome(one) && !isSettled(one, best, all)));
}

function isSettled(one: ResultEntry, best: ResultEntry | undefined, all: readonly ResultEntry[]): boolean {
  if (best && (best.state === 'finished' || best.at >= one.at)) return true;
  return all.some((other) => {
    if (other === one || isOutcome(other) || other.sender !== one.sender) return false;
    if (other.state === one.state) return other.at > one.at || (other.at === one.at && other.text > one.text);
    return other.state === 'returned' && other.at >= one.at;
  });
}

/** What counts of a run's lines, as `withEntry` leaves them: what was sent, else its outcome; undefined: it was not run. */
export function countingEntry(entries: readonly ResultEntry[]): ResultEntry | undefined {
  const sent = entries.filter(({ state }) => state === 'sent');
  if (sent.length > 0) return sent.reduce((a, b) => (b.at > a.at ? b : a));
  return entries.find(isOutcome);
}
