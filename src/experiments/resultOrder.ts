import { costOf, filesOf, type ResultEntry, type ResultLine } from './resultLine';

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
  // Of one request: written again with the files that its result names by address, or why there are none.
  const [files, otherFiles] = [filesOf(a.line).length, filesOf(b.line).length];
  if (files !== otherFiles) return files > otherFiles ? a : b;
  const [isTried, isOtherTried] = [a, b].map(({ line }) => line.media_problem !== undefined);
  if (isTried !== isOtherTried) return isTried ? a : b;
  return a.text > b.text ? a : b;
}

const isOutcome = ({ state }: ResultEntry) => state !== 'sent' && state !== 'returned';

/**
 * The lines of one run that still count, in any order of adding: its best outcome, every other one that was paid for,
 * and requests sent since. An outcome settles all requests up to its time; `returned` takes back the request of its
 * sender.
 */
export function withEntries(
  entries: readonly ResultEntry[],
  added: readonly ResultEntry[],
): readonly ResultEntry[] {
  const byText = new Map<string, ResultEntry>();
  for (const entry of [...entries, ...added]) if (!byText.has(entry.text)) byText.set(entry.text, entry);
  const all = [...byText.values()];
  if (all.length < 2) return all;
  const outcomes = all.filter(isOutcome);
  const best = outcomes.length === 0 ? undefined : outcomes.reduce(better);
  const paid = newest(outcomes.filter((one) => costOf(one.line) !== undefined));
  const open = newest(unsettled(all, best));
  return all.filter((one) => (isOutcome(one) ? one === best || paid.has(one) : open.has(one)));
}

/** Requests of one run that are counted, and senders that are remembered: a file with more was not made by running it. */
const MOST_OF_RUN = 200;

function newest(lines: readonly ResultEntry[]): ReadonlySet<ResultEntry> {
  if (lines.length <= MOST_OF_RUN) return new Set(lines);
  return new Set(lines.toSorted((a, b) => (isLater(a, b) ? -1 : 1)).slice(0, MOST_OF_RUN));
}

function isLater(a: ResultEntry, b: ResultEntry): boolean {
  return a.at === b.at ? a.text > b.text : a.at > b.at;
}

/** The last line of each kind and sender, without those that an outcome settles or their sender has taken back. */
function unsettled(all: readonly ResultEntry[], best: ResultEntry | undefined): ResultEntry[] {
  if (best?.state === 'finished') return [];
  const sent = new Map<string, ResultEntry>();
  const returned = new Map<string, ResultEntry>();
  for (const one of all) {
    if (isOutcome(one) || (best && best.at >= one.at)) continue;
    const last = one.state === 'sent' ? sent : returned;
    const known = last.get(one.sender);
    if (!known || isLater(one, known)) last.set(one.sender, one);
  }
  const isOpen = ({ sender, at }: ResultEntry) => {
    const back = returned.get(sender);
    return !back || back.at < at;
  };
  return [...[...sent.values()].filter(isOpen), ...returned.values()];
}

/**
 * The line that counts for a run, among those of `withEntries`: a sent request, else its outcome; undefined: it was
 * not run.
 */
export function countingEntry(entries: readonly ResultEntry[]): ResultEntry | undefined {
  const sent = entries.filter(({ state }) => state === 'sent');
  if (sent.length > 0) return sent.reduce((a, b) => (b.at > a.at ? b : a));
  const outcomes = entries.filter(isOutcome);
  if (outcomes.length === 0) return undefined;
  const best = outcomes.reduce(better);
  if (costOf(best.line)) return best;
  // A receipt that came later, or another copy of the file, knows its cost.
  const paid = outcomes.filter((one) => costOf(one.line) && isSameRequest(one, best));
  if (paid.length === 0) return best;
  return { ...best, line: { ...best.line, cost: paid.reduce(better).line.cost! } };
}

/** The costs paid for a run: one line with its cost for each request that had one, those of retries too. */
export function paidLines(entries: readonly ResultEntry[]): ResultLine[] {
  const requests: ResultEntry[][] = [];
  const paid = entries.filter((one) => isOutcome(one) && costOf(one.line));
  for (const entry of paid.toSorted((a, b) => (a.text < b.text ? -1 : 1))) {
    const same = requests.filter((request) => request.some((one) => isSameRequest(one, entry)));
    const merged = [entry, ...same.flat()];
    requests.splice(0, requests.length, ...requests.filter((one) => !same.includes(one)), merged);
  }
  return requests.map((request) => request.reduce(better).line);
}

/** Of these lines those of other requests than the one that counts. */
export function ofOtherRequests(lines: readonly ResultLine[], { line: counts }: ResultEntry): ResultLine[] {
  return lines.filter((line) => !isSameLine(line, counts));
}

/** Whether two lines of one run tell of one request: by the service's id of it, or the time when it was sent. */
function isSameRequest(a: ResultEntry, b: ResultEntry): boolean {
  return isSameLine(a.line, b.line);
}

function isSameLine(a: ResultLine, b: ResultLine): boolean {
  const isSameTime = (a.started_at ?? '') === (b.started_at ?? '');
  return isSameTime || (a.run_id !== undefined && a.run_id === b.run_id);
}
