import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { labelOf } from '../../../src/experiments/file/labels';
import { readExperiment } from '../../../src/experiments/file/read';
import { edited, labelled } from '../../../src/experiments/setup/edits';
import { columnName, columnTitles } from '../../../src/experiments/table/columnHead';

const textWith = (vary: object, labels?: object) =>
  `// kept\n${JSON.stringify({ run: { model: 'm', input: {} }, vary, ...(labels && { labels }) }, null, 2)}\n`;

const withLabel = (text: string, pointer: string, value: Json, name: string) =>
  edited(text, labelled(readExperiment(text).experiment!, pointer, value, name));

describe('The name of a value', () => {
  it('replaces the value in the names of columns only', () => {
    const variations = [
      { '/input/prompt': 'Translate {{text}}' },
      { '/input/prompt': 'In French: {{text}}' },
    ];
    const labels = { '/input/prompt': { 'Translate {{text}}': 'short' } };
    const { columns } = columnTitles({ variations, labels });
    assert.deepEqual(columns.map(columnName), ['prompt short', 'prompt In French: {{text}}']);
  });

  it('goes into the file in one edit, and leaves it with an empty name', () => {
    const value: fc.Arbitrary<Json> = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(value, fc.string(), (own, name) => {
        const text = textWith({ '/params/a': [own, 'other'] });
        const named = withLabel(text, '/params/a', own, name);
        const { experiment, problems } = readExperiment(named);
        assert.deepEqual(problems, []);
        const wanted = name.trim() === '' ? undefined : name.trim();
        const shown = labelOf(experiment!.labels, '/params/a', own);
        assert.equal(shown, wanted ?? (typeof own === 'string' ? own : JSON.stringify(own)));
        assert.ok(named.startsWith('// kept'));
        const back = readExperiment(withLabel(named, '/params/a', own, ' ')).experiment!;
        assert.deepEqual(back, readExperiment(text).experiment);
      }),
    );
  });

  it('gets a warning at its place where no column has the value', () => {
    const labels = { '/params/a': { '1': 'one', '3': 'three' }, '/params/c': { x: 'ex' } };
    const { problems } = readExperiment(textWith({ '/params/a': [1, 2] }, labels));
    assert.deepEqual(
      problems.map(({ pointer, severity }) => `${severity} ${pointer}`),
      ['warning /labels/~1params~1a/3', 'warning /labels/~1params~1c'],
    );
  });
});
