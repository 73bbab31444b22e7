import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { resultsIn } from '../results/resultsFile';
import type { OtherResults } from '../table/otherResults';
import { shownBodyPath, writeBody } from './bodies';
import { bodiesInCommit, fileInCommit, type ResultsCommit } from './commits';

/**
 * The results that a commit has. Their long results and media are written into a folder of ours, when a table needs
 * them and the commit has them.
 * @param file absolute path of the results file now
 * @param cache absolute path of a folder for this commit; it need not exist
 * @throws when the commit has no such file
 */
export async function resultsInCommit(
  file: string,
  commit: { readonly hash: string } & Partial<Pick<ResultsCommit, 'path'>>,
  cache: string,
): Promise<Omit<OtherResults, 'label'>> {
  const bytes = await fileInCommit(file, commit.hash, commit.path);
  const read = await resultsIn(bytes);
  const kept = join(cache, basename(commit.path ?? file));
  const asked = new Set<string>();
  return {
    file: kept,
    read,
    bring: async (names) => {
      const missing = names.filter((name) => !asked.has(name) && shownBodyPath(kept, name) === undefined);
      if (missing.length === 0) return;
      for (const name of missing) asked.add(name);
      await mkdir(cache, { recursive: true, mode: 0o700 });
      await bodiesInCommit(file, commit, missing, (name, body) => writeBody(kept, name, body));
    },
  };
}
