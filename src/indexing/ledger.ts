import { type Dataset, datasetKey } from '../domain/dataset';
import { Listeners } from '../domain/listeners';
import type { Journal } from '../journal/journal';
import { openJournal } from '../journal/openJournal';
import { watchFile } from '../journal/watchFile';
import { type ItemOutcome, itemOutcome, type LedgerItem } from './ledgerItem';

export interface DatasetSummary extends Dataset {
  /** Items of every outcome. */
  readonly items: number;
  readonly counts: Readonly<Record<ItemOutcome, number>>;
  /** When it was last written to, or added; milliseconds since the epoch. */
  readonly lastAt: number;
}

/** One line of the ledger. Items are the most by far, and have no `kind`. */
type Entry = LedgerItem | ({ readonly kind: 'added' | 'forgotten'; readonly at: number } & Dataset);

/** From so many lines on, the file is compacted on opening when later lines replace more than half of them. */
const WORTH_COMPACTING = 2_000;
/** Another window appends in bursts: one read for each burst. */
const WATCH_DELAY_MS = 100;

export async function openLedger(file: string): Promise<Ledger> {
  const journal = await openJournal(file, parseEntry);
  const ledger = new Ledger(file, journal);
  await ledger.compact();
  return ledger;
}

/**
 * Checks a line by hand: the file may have a hundred thousand of them, and a window opens it at start. What zod
 * would check (`ledgerItem`) is the same, but slower.
 */
function parseEntry(value: unknown): Entry | undefined {
  const entry = value as Record<string, unknown>;
  if (typeof value !== 'object' || value === null) return undefined;
  const named =
    typeof entry.baseUrl === 'string' &&
    typeof entry.model === 'string' &&
    typeof entry.scope === 'string' &&
    typeof entry.at === 'number';
  if (!named) return undefined;
  if (entry.kind === 'added' || entry.kind === 'forgotten') return value as Entry;
  const isItem =
    entry.kind === undefined &&
    typeof entry.imageId === 'string' &&
    typeof entry.file === 'string' &&
    typeof entry.sha256 === 'string' &&
    typeof entry.sizeBytes === 'number' &&
    typeof entry.modifiedMs === 'number' &&
    itemOutcome.safeParse(entry.outcome).success;
  return isItem ? (value as Entry) : undefined;
}

class Contents {
  readonly items = new Map<string, LedgerItem>();
  readonly counts: Record<ItemOutcome, number> = { indexed: 0, failed: 0, unknown: 0 };
  constructor(
    readonly dataset: Dataset,
    public lastAt: number,
  ) {}

  put(item: LedgerItem): LedgerItem | undefined {
    const before = this.items.get(item.imageId);
    if (before) this.counts[before.outcome]--;
    this.counts[item.outcome]++;
    this.items.set(item.imageId, item);
    this.lastAt = Math.max(this.lastAt, item.at);
    return before;
  }
}

/** What was indexed, over a journal in the extension's global storage. */
export class Ledger {
  #datasets = new Map<string, Contents>();
  /** File URI → dataset keys and ids under which it was indexed. */
  #files = new Map<string, Map<string, LedgerItem>>();
  #generation: number;
  #latest: { readonly dataset: Dataset; readonly key: string } | undefined;
  readonly #changed = new Listeners();
  /** Calls back after every change, also another window's; returns what ends that. */
  readonly onDidChange = this.#changed.add;
  readonly #stopWatching: () => void;

  constructor(
    file: string,
    private readonly journal: Journal<Entry>,
  ) {
    this.#generation = journal.generation;
    for (const entry of journal.records) this.#take(entry);
    // Other windows' lines; where the file cannot be watched, `refresh` still reads them.
    const refresh = () => void this.refresh().catch(() => undefined);
    this.#stopWatching = watchFile(file, WATCH_DELAY_MS, refresh);
  }

  datasets(baseUrl: string): readonly DatasetSummary[] {
    return [...this.#datasets.values()]
      .filter(({ dataset }) => dataset.baseUrl === baseUrl)
      .map(({ dataset, items, counts, lastAt }) => ({ ...dataset, items: items.size, counts, lastAt }));
  }

  /** In the order they were first indexed. */
  items(dataset: Dataset): readonly LedgerItem[] {
    return [...(this.#datasets.get(datasetKey(dataset))?.items.values() ?? [])];
  }

  /** The item of an id a search hit names, if this machine indexed it. */
  find(dataset: Dataset, imageId: string): LedgerItem | undefined {
    // A plan looks up ten thousand files of one dataset; making its key takes longer than the look-up.
    if (this.#latest?.dataset !== dataset) this.#latest = { dataset, key: datasetKey(dataset) };
    return this.#datasets.get(this.#latest.key)?.items.get(imageId);
  }

  /** Every dataset a file is in. */
  ofFile(file: string): readonly LedgerItem[] {
    return [...(this.#files.get(file)?.values() ?? [])];
  }

  async record(items: readonly LedgerItem[]): Promise<void> {
    if (items.length === 0) return;
    await this.journal.appendAll(items);
    this.#takeAll(items);
  }

  /** Adds a dataset that another program has made. */
  async add(dataset: Dataset): Promise<void> {
    await this.#append('added', dataset);
  }

  /** Forgets a dataset here; the service keeps its data. */
  async forget(dataset: Dataset): Promise<void> {
    await this.#append('forgotten', dataset);
  }

  /** Reads what other windows have written since. */
  async refresh(): Promise<void> {
    const fresh = await this.journal.refresh();
    if (this.journal.generation !== this.#generation) {
      this.#generation = this.journal.generation;
      this.#datasets = new Map();
      this.#files = new Map();
      this.#takeAll(this.journal.records);
    } else if (fresh.length > 0) this.#takeAll(fresh);
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#changed.clear();
    await this.journal.close();
  }

  /** Drops lines that later lines replaced, once they are most of the file. */
  async compact(): Promise<void> {
    const live = [...this.#datasets.values()].reduce((sum, { items }) => sum + items.size + 1, 0);
    const lines = this.journal.records.length;
    if (lines < WORTH_COMPACTING || live * 2 > lines) return;
    await this.journal.rewrite((current) => {
      const latest = new Map<string, Contents>();
      for (const entry of current) takeInto(latest, entry);
      return [...latest.values()].flatMap(({ dataset, items, lastAt }): Entry[] => [
        { kind: 'added', ...dataset, at: lastAt },
        ...items.values(),
      ]);
    });
    await this.refresh();
  }

  async #append(kind: 'added' | 'forgotten', { baseUrl, model, scope }: Dataset): Promise<void> {
    const entry: Entry = { kind, baseUrl, model, scope, at: Date.now() };
    await this.journal.append(entry);
    this.#takeAll([entry]);
  }

  #takeAll(entries: readonly Entry[]): void {
    for (const entry of entries) this.#take(entry);
    this.#changed.call();
  }

  #take(entry: Entry): void {
    const key = datasetKey(entry);
    if ('kind' in entry) {
      if (entry.kind === 'forgotten')
        for (const item of this.#datasets.get(key)?.items.values() ?? []) this.#unlink(key, item);
      takeInto(this.#datasets, entry);
      return;
    }
    const before = takeInto(this.#datasets, entry);
    if (before && before.file !== entry.file) this.#unlink(key, before);
    const places = this.#files.get(entry.file) ?? new Map<string, LedgerItem>();
    this.#files.set(entry.file, places.set(`${key}${entry.imageId}`, entry));
  }

  #unlink(key: string, item: LedgerItem): void {
    const places = this.#files.get(item.file);
    places?.delete(`${key}${item.imageId}`);
    if (places?.size === 0) this.#files.delete(item.file);
  }
}

function takeInto(datasets: Map<string, Contents>, entry: Entry): LedgerItem | undefined {
  const key = datasetKey(entry);
  if ('kind' in entry && entry.kind === 'forgotten') {
    datasets.delete(key);
    return undefined;
  }
  let contents = datasets.get(key);
  if (!contents) {
    const { baseUrl, model, scope } = entry;
    contents = new Contents({ baseUrl, model, scope }, entry.at);
    datasets.set(key, contents);
  }
  return 'kind' in entry ? undefined : contents.put(entry);
}
