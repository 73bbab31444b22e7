import type { ExperimentResults } from '../store/experimentResults';
import { type KnownResults, readKnownResults } from './resultsFile';

type Written = ReturnType<ExperimentResults['written']>[number];

/**
 * Results that a file loses while a job writes into it, as when git or an editor brings back an older version. They are
 * written again: once others follow them in the file, they would seem to be deleted by hand, and be run again. Lines
 * that were deleted before the job began stay deleted.
 */
export class LostMeanwhile {
  readonly #deleted: ReadonlySet<string>;

  /** @param known the file when the runs of the job were chosen */
  constructor(
    private readonly results: Pick<ExperimentResults, 'written' | 'writeAgain'>,
    private readonly file: string,
    known: KnownResults,
  ) {
    this.#deleted = new Set(this.#missingIn(known).map(keyOf));
  }

  /** Marks them as not written yet. Resolves to whether there are some. */
  async writeAgain(): Promise<boolean> {
    const lost = this.#missingIn(await readKnownResults(this.file)).filter(
      (one) => !this.#deleted.has(keyOf(one)),
    );
    if (lost.length > 0)
      await this.results.writeAgain(
        this.file,
        lost.map(({ customId }) => customId),
      );
    return lost.length > 0;
  }

  #missingIn({ entries }: Pick<KnownResults, 'entries'>): Written[] {
    return this.results.written(this.file).filter(({ customId, startedAt }) => {
      const lines = entries.runs.get(customId) ?? [];
      return !lines.some(({ state, at }) => state !== 'sent' && state !== 'returned' && at >= startedAt);
    });
  }
}

function keyOf({ customId, startedAt }: Written): string {
  return `${customId} ${startedAt}`;
}
