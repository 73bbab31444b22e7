import type { Database, Row } from '../store/database';

/** The facts of an indexed item besides its vector. */
export interface ItemFacts {
  readonly id: string;
  readonly media_ref?: string;
  readonly filename?: string;
  readonly text?: string;
}

export interface DatasetName {
  readonly model: string;
  readonly scope: string;
}

/** A stored vector: `bytes` are little-endian 32-bit floats, `at` is in epoch milliseconds. */
interface StoredVector {
  readonly facts: ItemFacts;
  readonly bytes: Buffer;
  readonly at: number;
}

interface DatasetRow {
  readonly dataset: number;
  readonly dimensions: number;
  readonly items: number;
}

export function datasetRow(database: Database, { model, scope }: DatasetName): DatasetRow | undefined {
  const row = database.get('SELECT * FROM datasets WHERE model = ? AND scope = ?', model, scope);
  return (
    row && { dataset: Number(row.dataset), dimensions: Number(row.dimensions), items: Number(row.items) }
  );
}

/** Adds an item, or replaces the one of the same id, which keeps its position. */
export function putVector(database: Database, name: DatasetName, { facts, bytes, at }: StoredVector) {
  const dataset = datasetFor(database, name, bytes.length / 4);
  const item = JSON.stringify(facts.id);
  const values = [bytes, JSON.stringify(facts), Math.round(at)];
  const known = database.get('SELECT position FROM vectors WHERE dataset = ? AND item = ?', dataset, item);
  if (known !== undefined) {
    const sql = 'UPDATE vectors SET vector = ?, facts = ?, indexed_at = ? WHERE position = ?';
    database.run(sql, ...values, Number(known.position));
    return { isNew: false, position: Number(known.position) };
  }
  const sql = 'INSERT INTO vectors (dataset, item, vector, facts, indexed_at) VALUES (?, ?, ?, ?, ?)';
  return { isNew: true, position: database.run(sql, dataset, item, ...values) };
}

/** Vectors of a version with other descriptors cannot be compared: an empty dataset replaces them. */
function datasetFor(database: Database, name: DatasetName, dimensions: number): number {
  const known = datasetRow(database, name);
  if (known?.dimensions === dimensions) return known.dataset;
  if (known !== undefined) database.run('DELETE FROM datasets WHERE dataset = ?', known.dataset);
  const sql = 'INSERT INTO datasets (model, scope, dimensions) VALUES (?, ?, ?)';
  return database.run(sql, name.model, name.scope, dimensions);
}

/** Every vector of a dataset, oldest first. */
export function eachVector(
  database: Database,
  dataset: number,
  visit: (position: number, vector: Float32Array) => void,
): void {
  const sql = 'SELECT position, vector FROM vectors WHERE dataset = ? ORDER BY position';
  database.each(
    sql,
    ({ position, vector }) => visit(Number(position), floats(vector as Uint8Array)),
    dataset,
  );
}

export function itemAt(database: Database, position: number): { facts: ItemFacts; at: number } {
  const row: Row = database.get('SELECT facts, indexed_at FROM vectors WHERE position = ?', position)!;
  return { facts: JSON.parse(String(row.facts)) as ItemFacts, at: Number(row.indexed_at) };
}

/** Copied: a Float32Array over the bytes of a row might not be aligned. */
const floats = (bytes: Uint8Array) => new Float32Array(bytes.slice().buffer);
