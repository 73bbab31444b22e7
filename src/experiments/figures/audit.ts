import { type Interval, wilsonInterval } from '../metrics/intervals';
import { rankedIds } from '../table/hitStrip';
import type { ExperimentTable } from '../table/table';
import { shownLine } from '../table/tableCell';

/** Oddities of an index, by searches with its own files. */
export interface AuditFinding {
  readonly kind: 'notItself' | 'neverFound' | 'hub' | 'duplicate';
  /** The files, by the names of queries or the IDs of hits; of near duplicates two each. */
  readonly files: readonly (readonly string[])[];
  /** Files that were looked at, and the interval of the share. */
  readonly n: number;
  readonly interval: Interval;
}

/** Queries that find a hub, as a multiple of those that find a hit on average. */
const HUB = 3;

/**
 * Files that are not their own first hit, that no other query finds, that too many find, and pairs that are each other's
 * first hit. Empty: no search of the column has hits.
 */
export function auditOf(table: ExperimentTable, column: number): AuditFinding[] {
  const queries = table.plan.items.flatMap(({ name, relevance }, row) => {
    const line = shownLine(table, table.finished(row, column));
    const ids = line && relevance ? rankedIds(table, line) : [];
    if (!relevance || ids.length === 0) return [];
    const keyOf = (id: string) => relevance.contentOf?.(id) ?? id;
    const others = ids.filter((id) => !relevance.isQuery(id));
    const isFirst = relevance.isQuery(ids[0]!);
    return [{ name, isFirst, key: relevance.query ?? name, others, hits: others.map(keyOf) }];
  });
  const foundBy = new Map<string, { readonly id: string; count: number }>();
  for (const { others, hits } of queries)
    for (const [at, key] of hits.entries()) {
      const hit = foundBy.get(key) ?? { id: others[at]!, count: 0 };
      foundBy.set(key, hit);
      hit.count += 1;
    }
  const counts = [...foundBy.values()];
  const most = (HUB * counts.reduce((sum, { count }) => sum + count, 0)) / Math.max(1, counts.length);
  const firstOf = new Map(queries.map(({ key, hits }) => [key, hits[0]]));
  const names = new Map(queries.map(({ key, name }) => [key, name]));
  const pairs = queries.flatMap(({ key, name, hits: [first] }) =>
    first !== undefined && key < first && firstOf.get(first) === key
      ? [[name, names.get(first) ?? first].sort()]
      : [],
  );
  const finding = (
    kind: AuditFinding['kind'],
    files: readonly (readonly string[])[],
    n: number,
    count = files.length,
  ): AuditFinding[] => (n === 0 ? [] : [{ kind, files, n, interval: wilsonInterval(count, n) }]);
  const named = (some: readonly { readonly name: string }[]) => some.map(({ name }) => [name]);
  return [
    ...finding('notItself', named(queries.filter(({ isFirst }) => !isFirst)), queries.length),
    ...finding('neverFound', named(queries.filter(({ key }) => !foundBy.has(key))), queries.length),
    ...finding(
      'hub',
      counts.filter(({ count }) => count > most).map(({ id }) => [id]),
      counts.length,
    ),
    ...finding('duplicate', pairs, queries.length, 2 * pairs.length),
  ];
}
