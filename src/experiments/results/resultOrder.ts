import { type ResultEntry, type ResultLine, resultFiles } from './resultLine';

const WEIGHT = { finished: 2, failed: 1, unconfirmed: 0 } as const;

/**
 * Of two outcomes of one run: one that finished, then the later one, then the certain one. A failed run that was
 * retried without a response is unconfirmed: it may have been charged.
 */
function better(a: ResultEntry, b: ResultEntry): ResultEntry {
  const [first, other] = [a.line.state, b.line.state];
  if (first !== other && (first === 'finished' || other === 'finished')) return first === 'finished' ? a : b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  if (first !== other) return WEIGHT[first] > WEIGHT[other] ? a : b;
  // Of one request: written again with the files that its result names by address, or why there are none.
  const [files, otherFiles] = [resultFiles(a.line).length, resultFiles(b.line).length];
  if (files !== otherFiles) return files > otherFiles ? a : b;
  const [isTried, isOtherTried] = [a, b].map(({ line }) => line.media_problem !== undefined);
  if (isTried !== isOtherTried) return isTried ? a : b;
  return a.mark > b.mark ? a : b;
}

const isOutcome = ({ state }: ResultEntry) => state !== 'sent' && state !== 'returned';

/**
 * Lines that `returned` can take back: a sent request, and one that its job has called unconfirmed without a response.
 * The job may have been killed after it took the run back in the file, and before it recorded that in its store.
 */
function isOpen({ state, sender, line }: ResultEntry): boolean {
  if (state === 'sent') return true;
  return state === 'unconfirmed' && sender !== '' && line.run_id === undefined && line.cost === undefined;
}

const requestOf = ({ sender, at }: ResultEntry) => JSON.stringify([sender, at]);

/** Whether the request of a line was not executed, as one of these lines says. */
export function takenBack(lines: readonly ResultEntry[]): (entry: ResultEntry) => boolean {
  const returned = new Set(lines.filter(({ state }) => state === 'returned').map(requestOf));
  return (entry) => returned.size > 0 && isOpen(entry) && returned.has(requestOf(entry));
}

/**
 * The lines of one run that still count, in any order of adding: its best outcome, every other one that was paid for,
 * and requests sent since. An outcome settles all requests up to its time; `returned` takes back the request of its
 * sender and time.
 */
export function withEntries(
  entries: readonly ResultEntry[],
  added: readonly ResultEntry[],
): readonly ResultEntry[] {
  // Most runs have one line, and the list that they have already.
  if (entries.length === 0 && added.length === 1) return added;
  const byMark = new Map<string, ResultEntry>();
  for (const entry of [...entries, ...added]) if (!byMark.has(entry.mark)) byMark.set(entry.mark, entry);
  const all = [...byMark.values()];
  if (all.length < 2) return all;
  const isTakenBack = takenBack(all);
  const outcomes = all.filter((one) => isOutcome(one) && !isOpen(one));
  const best = outcomes.length === 0 ? undefined : outcomes.reduce(better);
  const paid = newest(outcomes.filter((one) => one.line.cost));
  const unsettled = all.filter((one) => (isOpen(one) || !isOutcome(one)) && !isTakenBack(one));
  const open = newest(best?.state === 'finished' ? [] : since(best, unsettled));
  return all.filter((one) => one === best || paid.has(one) || open.has(one));
}

/** Requests of one run that are counted, and senders that are remembered: a file with more was not made by running it. */
const MOST_OF_RUN = 200;

function newest(lines: readonly ResultEntry[]): ReadonlySet<ResultEntry> {
  if (lines.length <= MOST_OF_RUN) return new Set(lines);
  return new Set(lines.toSorted((a, b) => (isLater(a, b) ? -1 : 1)).slice(0, MOST_OF_RUN));
}

function isLater(a: ResultEntry, b: ResultEntry): boolean {
  return a.at === b.at ? a.mark > b.mark : a.at > b.at;
}

/** Lines that an outcome does not settle, without `sent` where the same request is called unconfirmed. */
function since(best: ResultEntry | undefined, lines: readonly ResultEntry[]): ResultEntry[] {
  const unconfirmed = new Set(lines.filter(isOutcome).map(requestOf));
  return lines.filter(
    (one) => !(best && best.at >= one.at) && !(one.state === 'sent' && unconfirmed.has(requestOf(one))),
  );
}

/**
 * The line that counts for a run, among those of `withEntries`: a sent request, else its outcome; undefined: it was
 * not run.
 */
export function countingEntry(entries: readonly ResultEntry[]): ResultEntry | undefined {
  // Most runs have one line.
  if (entries.length === 1 && isOutcome(entries[0]!)) return entries[0];
  const open = entries.filter(isOpen);
  if (open.length > 0) return open.reduce((a, b) => (b.at > a.at || (b.at === a.at && isOutcome(b)) ? b : a));
  const outcomes = entries.filter(isOutcome);
  if (outcomes.length === 0) return undefined;
  const best = outcomes.reduce(better);
  if (best.line.cost) return best;
  // A receipt that came later, or another copy of the file, knows its cost.
  const paid = outcomes.filter((one) => one.line.cost && isSameRequest(one.line, best.line));
  if (paid.length === 0) return best;
  return { ...best, line: { ...best.line, cost: paid.reduce(better).line.cost! } };
}

/** The costs paid for a run: one line with its cost for each request that had one, those of retries too. */
export function paidLines(entries: readonly ResultEntry[]): ResultLine[] {
  const paid = entries.filter((one) => isOutcome(one) && one.line.cost);
  // Most runs have one line.
  if (paid.length < 2) return paid.map(({ line }) => line);
  const requests: ResultEntry[][] = [];
  for (const entry of paid.toSorted((a, b) => (a.mark < b.mark ? -1 : 1))) {
    const same = requests.filter((request) => request.some((one) => isSameRequest(one.line, entry.line)));
    const merged = [entry, ...same.flat()];
    requests.splice(0, requests.length, ...requests.filter((one) => !same.includes(one)), merged);
  }
  return requests.map((request) => request.reduce(better).line);
}

/** Of these lines those of other requests than the one that counts. */
export function ofOtherRequests(lines: readonly ResultLine[], { line: counts }: ResultEntry): ResultLine[] {
  return lines.filter((line) => !isSameRequest(line, counts));
}

/** Whether two lines of one run tell of one request: by the service's id of it, or the time when it was sent. */
function isSameRequest(a: ResultLine, b: ResultLine): boolean {
  const isSameTime = (a.started_at ?? '') === (b.started_at ?? '');
  return isSameTime || (a.run_id !== undefined && a.run_id === b.run_id);
}
