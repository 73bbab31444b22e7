import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { ownOf } from '../../domain/value';
import type { Table } from '../../intake/table';
import { withMembers } from '../../runFiles/write';
import { comparesExpected, membersWithoutExpected } from '../file/askedMetrics';
import { EXPERIMENT_VERSION, type ExperimentFile } from '../file/format';
import { type RunObject, runOver, runWithout } from '../file/newExperiment';
import { type ColumnUses, guessColumns } from './columns';
import { metricsFor } from './metricsFor';
import { rowsMode } from './rowsMode';

type Members = Partial<Pick<ExperimentFile, 'run' | 'over' | 'expected' | 'metrics'>>;

/** The use of a table's column: a place in the run, the expected value, or none. */
export type ColumnUse = { readonly place: string } | 'expected' | 'none';

/**
 * An experiment of a model over the rows of a table, its columns guessed.
 * @param rows path relative to the experiment
 * @param own its run so far: its mode and other values stay. Missing: the model's initial values
 */
export function overRows(contract: ModelContract, rows: string, table: Table, own?: RunObject): Members {
  const mode = own ? modeOf(contract, own.mode ?? 'execute') : rowsMode(contract, table)?.mode;
  if (!mode) return own ? {} : { run: runOver(contract, 'execute', []) };
  const uses = guessColumns(mode, table);
  const places = Object.keys(uses.map);
  return {
    run: own ? runWithout(own, places) : runOver(contract, mode.name, places),
    ...usesAsMembers(rows, table, uses),
  };
}

function usesAsMembers(rows: string, table: Table, { map, expected }: ColumnUses): Members {
  return {
    over: { rows, map: { ...map } },
    ...(expected !== undefined && expectedIn(table, expected)),
  };
}

/** The column with the expected values, and metrics that suit them. */
function expectedIn({ rows }: Table, column: string): Members {
  const labels = rows.flatMap(({ values }) => ownOf(values, column) ?? []);
  return { expected: { column }, metrics: metricsFor(labels) };
}

/**
 * The text of an experiment in which a column has another use; comments and all else stay. A place has one column: the
 * one that it had is not used any more.
 */
export function withColumnUse(
  text: string,
  experiment: Pick<ExperimentFile, 'over' | 'expected' | 'metrics' | 'thresholds'>,
  table: Table,
  column: string,
  use: ColumnUse,
): string {
  const { over, expected, metrics } = experiment;
  if (!over || !('rows' in over)) return text;
  const others = Object.entries(over.map).filter(
    ([place, name]) => name !== column && !(typeof use === 'object' && place === use.place),
  );
  const map = Object.fromEntries([...others, ...(typeof use === 'object' ? [[use.place, column]] : [])]);
  const isExpected = expected !== undefined && 'column' in expected && expected.column === column;
  const next: Members | undefined =
    use === 'expected' ? (isExpected ? {} : withMetrics(expectedIn(table, column), metrics)) : undefined;
  return withMembers(text, {
    over: { ...over, map } as Json,
    ...(next as Record<string, Json | undefined> | undefined),
    // Measuring needs expected values.
    ...(isExpected && use !== 'expected' && membersWithoutExpected(experiment)),
  });
}

/** The metrics that the file has, and those that suit where none of them compares. */
function withMetrics(members: Members, known: ExperimentFile['metrics'] = []): Members {
  if (known.some(comparesExpected)) return { ...members, metrics: known };
  return { ...members, metrics: [...(members.metrics ?? []), ...known] };
}

/** A text with these members; an empty one becomes an experiment. */
export function withSetUp(text: string, members: Members): string {
  const begun = text.trim() === '' ? `{\n  "version": ${EXPERIMENT_VERSION}\n}\n` : text;
  return withMembers(begun, members as Record<string, Json | undefined>);
}
