import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readFileAt, replaceFile } from '../experiments/files/door';
import { textOfFile } from '../runFiles/text';
import { markedData, type Report } from './answer';
import { collectLines, type Lines } from './lines';

/** Files of reports that are kept. */
const MOST_FILES = 400;
const MOST_BYTES = 64 * 2 ** 20;
/** Reports between two looks for old files. */
const SWEEP_EACH = 50;

export interface AgentWork {
  readonly lines: Lines;
  /** Never rejects. */
  readonly done: Promise<Report>;
  /** Sends no further run. */
  stop(): void;
}

const savedReport = z.object({
  notes: z.array(z.string()),
  data: z.optional(z.string()),
  isError: z.optional(z.boolean()),
  handle: z.optional(z.string()),
  pictures: z.optional(z.array(z.string())),
});

/** The work of paid tools in this process, and the reports of all processes, in a private folder. */
export class Works {
  readonly #working = new Map<string, AgentWork>();
  #saved = 0;

  constructor(private readonly folder: string) {}

  /**
   * Starts work.
   * @param handle a UUID
   * @param act its report has no key in it. Must not reject
   */
  start(handle: string, act: (lines: Lines, signal: AbortSignal) => Promise<Report>): AgentWork {
    const stop = new AbortController();
    const lines = collectLines();
    const done = act(lines, stop.signal).then(async (report) => {
      // A full disk: then it stays in memory.
      if (report.earlier !== undefined || (await this.#save(handle, report))) this.#working.delete(handle);
      return report;
    });
    const work: AgentWork = { lines, done, stop: () => stop.abort() };
    this.#working.set(handle, work);
    return work;
  }

  get(handle: string): AgentWork | undefined {
    return this.#working.get(handle);
  }

  /** Lets no work send a further run, and waits for the requests that were sent, a little. */
  async end(mostMs: number): Promise<void> {
    const working = [...this.#working.values()];
    for (const work of working) work.stop();
    const late = new Promise((resolve) => setTimeout(resolve, mostMs).unref());
    await Promise.race([Promise.all(working.map(({ done }) => done)), late]);
  }

  /** The report of work that has ended, of any process. */
  async saved(handle: string): Promise<Report | undefined> {
    if (!isHandle(handle)) return undefined;
    const read = await readFileAt(join(this.folder, `${handle}.json`), MOST_BYTES).catch(() => undefined);
    if (!read) return undefined;
    return savedReport.parse(JSON.parse(textOfFile(read.bytes)));
  }

  /** Saves the data of an answer that is cut, marked as in the answer; returns its path. */
  saveText(text: string): Promise<string | undefined> {
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    return this.saveFile(`${name}.txt`, markedData(text));
  }

  /** Saves a file of work; returns its path, or undefined where that fails. */
  async saveFile(name: string, content: string | Uint8Array): Promise<string | undefined> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const path = join(this.folder, name);
      await replaceFile(path, content, 0o600);
      return path;
    } catch {
      return undefined;
    }
  }

  /** Removes the oldest of many files. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    if (names.length <= MOST_FILES) return;
    const aged = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    aged.sort((a, b) => b.at - a.at);
    for (const { path } of aged.slice(MOST_FILES)) await rm(path, { force: true });
  }

  async #save(handle: string, report: Report): Promise<boolean> {
    const saved = await this.saveFile(`${handle}.json`, JSON.stringify(report));
    if (++this.#saved % SWEEP_EACH === 0) await this.sweep();
    return saved !== undefined;
  }
}

/** Whether a text is a handle, which names a file. */
function isHandle(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}
