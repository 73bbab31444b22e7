import type { ModeContract, ModelContract } from '../../domain/model';
import type { Table } from '../../intake/table';
import { fieldsFor, guessColumns, openFields } from './columns';

/** Columns fill all required fields of the mode; cells could fill them; or it requires more, such as a file. */
const FITS = ['columns', 'cells', 'more'] as const;

/** How a model runs over the rows of a table. */
export interface RowsMode {
  readonly mode: ModeContract;
  readonly fit: (typeof FITS)[number];
}

/**
 * The mode that runs over rows of a table: the one that fits best, and of these `execute` before others. Modes that
 * write or read a dataset are left out. Undefined: no mode has a field that a cell can fill.
 */
export function rowsMode(
  contract: ModelContract,
  table: Pick<Table, 'columns' | 'rows'>,
): RowsMode | undefined {
  return contract.modes
    .filter((mode) => !mode.vectorBacked && fieldsFor(mode).length > 0)
    .map((mode) => ({ mode, fit: fitOf(mode, table) }))
    .sort(
      (a, b) =>
        FITS.indexOf(a.fit) - FITS.indexOf(b.fit) ||
        Number(b.mode.name === 'execute') - Number(a.mode.name === 'execute'),
    )[0];
}

function fitOf(mode: ModeContract, table: Pick<Table, 'columns' | 'rows'>): RowsMode['fit'] {
  const open = openFields(mode);
  if (open.some(({ kind }) => kind === 'media' || kind === 'mediaList')) return 'more';
  const { map } = guessColumns(mode, table);
  const isFilled = Object.keys(map).length > 0 && open.every(({ pointer }) => Object.hasOwn(map, pointer));
  return isFilled ? 'columns' : 'cells';
}
