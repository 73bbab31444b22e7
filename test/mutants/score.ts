import { z } from 'zod/mini';

/** The used part of Stryker's report (mutation-testing-report-schema 2). */
const report = z.object({
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          id: z.string(),
          mutatorName: z.string(),
          replacement: z.optional(z.string()),
          status: z.string(),
          location: z.object({ start: z.object({ line: z.number() }) }),
        }),
      ),
    }),
  ),
});

/** How many breakages of a file were noticed. */
export interface Score {
  readonly file: string;
  readonly noticed: number;
  readonly all: number;
  /** Mutants that survived: line, kind, and the replacement. */
  readonly survivors: readonly string[];
}

/**
 * Of each file. A mutant that never ends is noticed; one that cannot be compiled or is left out does not count.
 * @param every only mutants whose number is a multiple of this
 */
export function readScores(json: string, every = 1): readonly Score[] {
  return Object.entries(report.parse(JSON.parse(json)).files).map(([file, { mutants: all }]) => {
    const mutants = all.filter(({ id }) => Number(id) % every === 0);
    const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
    const survivors = mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(
        ({ location, mutatorName, replacement = '', status }) =>
          `line ${location.start.line}, ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}${status === 'NoCoverage' ? ' (not reached)' : ''}`,
      );
    return { file, noticed, all: noticed + survivors.length, survivors };
  });
}
