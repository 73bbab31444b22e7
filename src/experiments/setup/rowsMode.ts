import type { ModeContract, ModelContract } from '../../domain/model';
import { fieldsFor } from './columns';

/**
 * The mode that runs over rows of a table: the first one, `execute` before others, with a field that a cell can fill.
 * Modes that write or read a dataset are left out. Undefined: there is none.
 */
export function rowsMode(contract: ModelContract): ModeContract | undefined {
  return contract.modes
    .filter(({ vectorBacked }) => !vectorBacked)
    .sort((a, b) => Number(b.name === 'execute') - Number(a.name === 'execute'))
    .find((mode) => fieldsFor(mode).length > 0);
}
