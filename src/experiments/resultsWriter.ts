import type { ExperimentResults } from '../store/experimentResults';
import { appendResults } from './resultsFile';

/** Results at once: some have bodies, which are held until they are written. */
const STEP = 50;

/** Brings results from the store into their file, one append after another. */
export class ResultsWriter {
  #writing: Promise<void> | undefined;
  #isDue = false;

  /**
   * @param file absolute path of the results file
   * @param failed told why the file cannot be written; the results stay in the store
   */
  constructor(
    private readonly results: Pick<ExperimentResults, 'unwritten' | 'noteWritten'>,
    private readonly file: string,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** There are new results. */
  poke(): void {
    this.flush().catch(this.failed);
  }

  /** Resolves when all that was recorded before this call stands in the file. */
  flush(): Promise<void> {
    this.#isDue = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      for (;;) {
        const next = this.results.unwritten(this.file, STEP);
        if (next.length === 0) break;
        await appendResults(this.file, next);
        await this.results.noteWritten(this.file, next);
      }
    }
  }
}
