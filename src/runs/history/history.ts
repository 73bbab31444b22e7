import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { Listeners } from '../../domain/listeners';
import type { Journal } from '../../journal/journal';
import { openJournal } from '../../journal/openJournal';
import { watchFile } from '../../journal/watchFile';
import { type RunRecord, runRecord } from './record';
import { ResultFiles } from './resultFiles';
import { Session } from './windowSession';

export interface HistoryOptions {
  /** Runs kept; called at every run, so that a changed setting applies at once. */
  readonly limit: () => number;
  /** Called with what went wrong but does not keep a run from being recorded. */
  readonly log: (message: string) => void;
  /** Most bytes of one response that are kept. */
  readonly maxResultBytes?: number;
  /** Most bytes of all responses together; the oldest go first, their records stay. */
  readonly maxTotalBytes?: number;
}

const JOURNAL = 'runs.jsonl';
/** Another window records in bursts: one read for each burst. */
const WATCH_DELAY_MS = 200;
const MEGABYTE = 1024 * 1024;
/** How often runs of other windows are checked; a killed window keeps its lock for ten seconds. */
const LOOK_AGAIN_MS = 6_000;

/** A line of the journal: a run as it is now, or runs that are gone. */
const line = z.union([
  z.object({ deleted: z.array(z.string()), at: z.optional(z.number()) }),
  z.object({ run: runRecord }),
]);
type Line = z.infer<typeof line>;

/** Opens the history in a folder that is its own. Several windows may have it open. */
export async function openHistory(folder: string, options: HistoryOptions): Promise<History> {
  const session = await Session.start(join(folder, 'sessions'));
  const journal = await openJournal(join(folder, JOURNAL), (value) => line.safeParse(value).data, {
    onUnreadable: (text) => options.log(`A line of the history could not be read: ${text}`),
  });
  const history = new History(folder, journal, session, options);
  await history.settleDeadRuns();
  await history.tidy();
  return history;
}

/** Where runs are kept. */
export class History {
  readonly #files: ResultFiles;
  readonly #changed = new Listeners<readonly RunRecord[]>();
  /** Calls back after every change; returns what ends that. */
  readonly onDidChange = this.#changed.add;
  readonly #byId = new Map<string, RunRecord>();
  /** Runs deleted anywhere: a late record of one of them does not bring it back. */
  readonly #deleted = new Set<string>();
  #seen = 0;
  #generation = -1;
  #sorted: readonly RunRecord[] | undefined;
  readonly #stopWatching: () => void;
  readonly #lookAgain: NodeJS.Timeout;

  constructor(
    folder: string,
    private readonly journal: Journal<Line>,
    private readonly session: Session,
    private readonly options: HistoryOptions,
  ) {
    this.#files = new ResultFiles(join(folder, 'results'), options.maxResultBytes ?? 20 * MEGABYTE);
    this.#takeIn();
    // Where the file cannot be watched, other windows' runs show when something asks for a refresh.
    this.#stopWatching = watchFile(
      join(folder, JOURNAL),
      WATCH_DELAY_MS,
      () => this.#refreshQuietly(),
      (error) => options.log(`The history is not watched: ${String(error)}`),
    );
    this.#lookAgain = setInterval(() => {
      if (this.runs.some((run) => run.state === 'running' && run.session !== this.session.id))
        this.#refreshQuietly();
    }, LOOK_AGAIN_MS);
    this.#lookAgain.unref();
  }

  /** Newest first. */
  get runs(): readonly RunRecord[] {
    this.#sorted ??= [...this.#byId.values()].sort((a, b) => b.startedAt - a.startedAt);
    return this.#sorted;
  }

  get(id: string): RunRecord | undefined {
    return this.#byId.get(id);
  }

  /** Adds, or replaces the record of the same id. `result`: the response's body, kept bounded. */
  async put(
    record: RunRecord,
    result?: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<RunRecord> {
    const kept: RunRecord = {
      ...record,
      ...(record.state === 'running' && { session: this.session.id }),
      ...(result && (await this.#keepResult(record.id, result))),
    };
    await this.#append([{ run: kept }]);
    await this.#dropOldest();
    return kept;
  }

  async result(id: string): Promise<Uint8Array | undefined> {
    const record = this.get(id);
    return record && this.#files.read(record);
  }

  async delete(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#append([{ deleted: [...ids], at: Date.now() }]);
    for (const id of ids) await this.#files.remove(id);
  }

  /** Reads what other windows recorded since, and looks again for runs whose window is gone. */
  async refresh(): Promise<void> {
    await this.journal.refresh();
    this.#announce(this.#takeIn());
    await this.settleDeadRuns();
  }

  /** A run that a closed window left running was sent, and may have been executed and billed: it is unknown now. */
  async settleDeadRuns(): Promise<void> {
    const over = new Map<string | undefined, boolean>();
    const lines: Line[] = [];
    for (const run of this.runs) {
      if (run.state !== 'running') continue;
      if (!over.has(run.session)) over.set(run.session, await this.session.isOver(run.session));
      if (over.get(run.session)) lines.push({ run: afterItsWindow(run) });
    }
    await this.#append(lines);
  }

  /** Rewrites the journal when most of its lines are outdated, and deletes copies without a record. */
  async tidy(): Promise<void> {
    await this.#dropOldest();
    if (this.journal.records.length > 2 * this.#byId.size + 200) {
      await this.journal.rewrite(compacted);
      this.#takeIn();
    }
    await this.#files.sweep(this.#byId.keys()).catch((error) => this.options.log(String(error)));
  }

  async close(): Promise<void> {
    clearInterval(this.#lookAgain);
    this.#stopWatching();
    this.#changed.clear();
    await this.journal.close();
    await this.session.end();
  }

  async #keepResult(id: string, result: { readonly bytes: Uint8Array; readonly contentType: string }) {
    try {
      return { result: await this.#files.write(id, result) };
    } catch (error) {
      // A full disk must not lose the record of a paid run.
      this.options.log(`The copy of a result could not be kept: ${String(error)}`);
      return {};
    }
  }

  async #append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    await this.journal.appendAll(lines);
    this.#announce(this.#takeIn());
  }

  /** Takes what the journal has since; all of it when the file was replaced. Returns what changed. */
  #takeIn(): RunRecord[] {
    if (this.#generation !== this.journal.generation) {
      this.#generation = this.journal.generation;
      this.#seen = 0;
      this.#byId.clear();
    }
    const changed = new Map<string, RunRecord>();
    for (const entry of this.journal.records.slice(this.#seen)) {
      if ('deleted' in entry) {
        for (const id of entry.deleted) {
          const gone = this.#byId.get(id);
          if (gone) changed.set(id, gone);
          this.#byId.delete(id);
          this.#deleted.add(id);
        }
      } else if (!this.#deleted.has(entry.run.id)) {
        this.#byId.set(entry.run.id, entry.run);
        changed.set(entry.run.id, entry.run);
      }
    }
    this.#seen = this.journal.records.length;
    this.#sorted = undefined;
    return [...changed.values()];
  }

  #announce(changed: readonly RunRecord[]): void {
    if (changed.length > 0) this.#changed.call(changed);
  }

  /** Over the limit the oldest go, with their copies; a run that is under way stays. */
  async #dropOldest(): Promise<void> {
    const limit = Math.max(1, this.options.limit());
    const ended = this.runs.filter((run) => run.state !== 'running');
    await this.delete(ended.slice(limit).map((run) => run.id));
    let bytes = 0;
    const most = this.options.maxTotalBytes ?? 500 * MEGABYTE;
    const without: Line[] = [];
    for (const { result, ...run } of this.runs) {
      if (!result) continue;
      bytes += Math.min(result.sizeBytes, this.options.maxResultBytes ?? 20 * MEGABYTE);
      if (bytes <= most) continue;
      without.push({ run });
      await this.#files.remove(run.id);
    }
    await this.#append(without);
  }

  #refreshQuietly(): void {
    this.refresh().catch((error) =>
      this.options.log(`The history could not be read again: ${String(error)}`),
    );
  }
}

function afterItsWindow(run: RunRecord): RunRecord {
  return {
    ...run,
    state: 'unknown',
    message: l10n.t(
      'The window was closed before the response was received. The run may have been executed and billed.',
    ),
  };
}

/** The last line of each run that is left, in the order they were first recorded, and the recent deletions. */
function compacted(lines: readonly Line[]): Line[] {
  const latest = new Map<string, Line>();
  const gone = new Set<string>();
  // Another window may still write a late record of a run that was deleted this last day.
  const aDayAgo = Date.now() - 86_400_000;
  const recent: Line[] = [];
  for (const entry of lines) {
    if ('deleted' in entry) {
      for (const id of entry.deleted) {
        latest.delete(id);
        gone.add(id);
      }
      if ((entry.at ?? 0) > aDayAgo) recent.push(entry);
    } else if (!gone.has(entry.run.id)) {
      latest.set(entry.run.id, entry);
    }
  }
  return [...recent, ...latest.values()];
}
