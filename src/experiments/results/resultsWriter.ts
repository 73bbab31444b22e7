import type { ExperimentResults } from '../../store/experimentResults';
import { StoreProblem } from '../../store/storeProblem';
import { appendResults, type ResultsFile } from './resultsFile';

/** Time that new results wait for others: to open, sync and close the file takes as long for one as for many. */
const WRITE_EVERY_MS = 200;
/** Results at once: some have bodies, which are held until they are written. */
const STEP = 50;

/** Brings results from the store into their file, one append after another. */
export class ResultsWriter {
  #writing: Promise<void> | undefined;
  #isDue = false;
  #soon: NodeJS.Timeout | undefined;

  /**
   * @param file absolute path of the results file
   * @param failed told why the file cannot be written; the results stay in the store
   * @param opened the file that was read; missing: any file of that name
   */
  constructor(
    private readonly results: Pick<ExperimentResults, 'unwritten' | 'noteWritten'>,
    private readonly file: string,
    private readonly failed: (error: unknown) => void,
    private readonly opened?: ResultsFile,
  ) {}

  /** There are new results: they are written soon. */
  poke(): void {
    this.#soon ??= setTimeout(() => this.flush().catch((error) => this.#noteFailure(error)), WRITE_EVERY_MS);
  }

  /** Resolves when the file contains all results that were recorded before this call. */
  flush(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#isDue = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  #noteFailure(error: unknown): void {
    // The window was closed: the store has them for the next one.
    if (!(error instanceof StoreProblem && error.kind === 'closed')) this.failed(error);
  }

  async #writeAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      for (;;) {
        const next = this.results.unwritten(this.file, STEP);
        if (next.length === 0) break;
        await appendResults(this.file, next, this.opened && ((lines) => this.opened!.append(lines)));
        await this.results.noteWritten(this.file, next);
      }
    }
  }
}
