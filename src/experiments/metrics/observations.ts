import { addAll } from '../../domain/many';

/**
 * Rows that ask for the same run are one observation: they have one outcome, which says no more of a model for being
 * there several times. Figures count each row; intervals and tests count each of these once.
 * @param runsOf the IDs of a row's runs that others may share; a row without any is an observation of its own
 * @param joined the value of an observation: lists of its rows, of nearly always one, would take much memory
 */
export function observations<T, Joined>(
  rows: readonly T[],
  runsOf: (row: T) => readonly string[],
  joined: (rows: readonly T[]) => Joined,
): Joined[] {
  if (rows.every((row) => runsOf(row).length === 0)) return rows.map((row) => joined([row]));
  const groups = new Set<Group<T>>();
  const byRun = new Map<string, Group<T>>();
  for (const row of rows) {
    const runs = runsOf(row);
    let group: Group<T> | undefined;
    for (const run of runs) {
      const other = byRun.get(run);
      if (other && group && other !== group) {
        // Two columns may share runs in different rows: the smaller group joins the larger.
        const [larger, smaller]: readonly Group<T>[] =
          other.runs.length > group.runs.length ? [other, group] : [group, other];
        addAll(larger!.rows, smaller!.rows);
        addAll(larger!.runs, smaller!.runs);
        for (const one of smaller!.runs) byRun.set(one, larger!);
        groups.delete(smaller!);
        group = larger;
      } else group ??= other;
    }
    group ??= { rows: [], runs: [] };
    group.rows.push(row);
    for (const run of runs) {
      if (byRun.get(run) !== group) group.runs.push(run);
      byRun.set(run, group);
    }
    groups.add(group);
  }
  return [...groups].map((group) => joined(group.rows));
}

interface Group<T> {
  readonly rows: T[];
  readonly runs: string[];
}

/**
 * How many independent rows tell as much as groups of these sizes, in each of which all rows are alike (L. Kish, "Survey
 * Sampling", 1965, section 8.2).
 */
export function effectiveCount(sizes: readonly number[]): number {
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  return rows ** 2 / sizes.reduce((sum, size) => sum + size ** 2, 0);
}
