import { execFileSync } from 'node:child_process';
import { root } from '../support/paths';

/**
 * The lines of a file that are new or changed since a commit, as Stryker has them: `:3-5`. A file that the commit does
 * not have is one range without lines; of a deleted file, and one that only lost lines, there is none.
 */
export function changedLines(file: string, since: string): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (git('ls-tree', since, '--', file) === '') return [''];
  return rangesIn(git('diff', '--unified=0', '--relative', since, '--', file));
}

/** @param diff of one file, without context */
function rangesIn(diff: string): readonly string[] {
  return [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start = '1', count = '1']) =>
    count === '0' ? [] : [`:${start}-${Number(start) + Number(count) - 1}`],
  );
}
