import assert from 'node:assert/strict';
import fc from 'fast-check';
import { guessColumns } from '../../../../src/experiments/setup/columns';
import { modelOf } from '../../../support/runPage';

const modeOf = (input: Record<string, object>, params: Record<string, object> = {}, required?: string[]) =>
  modelOf(
    { type: 'object', properties: input, required: required ?? Object.keys(input) },
    { type: 'object', properties: params },
  ).modes[0]!;
const tableOf = (columns: readonly string[], ...rows: readonly (readonly string[])[]) => ({
  columns,
  rows: rows.map((cells, at) => ({
    line: at + 2,
    values: Object.fromEntries(columns.map((name, column) => [name, cells[column] ?? ''])),
  })),
});
const text = { type: 'string' };

describe('The columns of a table', () => {
  it('serve one existing field each, under any names', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'text',
        'Text',
        'label',
        'expected',
        'constructor',
        '__proto__',
        'top_k',
        '/',
        '~1',
        '',
      ),
      fc.string(),
    );
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, names, (columns, fields) => {
        const mode = modeOf(Object.fromEntries(fields.map((field) => [field, text])));
        const table = tableOf(columns, columns, columns);
        const { map, expected } = guessColumns(mode, table);
        const used = [...Object.values(map), ...(expected === undefined ? [] : [expected])];
        assert.equal(new Set(used).size, used.length);
        for (const column of used) assert.ok(columns.includes(column));
        assert.ok(Object.keys(map).every((pointer) => pointer.startsWith('/input/')));
      }),
    );
  });
});
