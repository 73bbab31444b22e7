import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expectationsIn, readRunFile } from '../../../src/runFiles/read';
import { scanRunFile } from '../../../src/runFiles/scan';
import { nameAt } from '../../../src/runFiles/text';

/** Name and place of the expectations by the reader of whole files. */
function readWhole(text: string) {
  const file = readRunFile(text);
  const name = file.members?.name;
  const place = expectationsIn(file).length > 0 ? nameAt(file.root, '/expect') : undefined;
  const before = place && text.slice(0, place.offset).split('\n');
  return {
    name: typeof name === 'string' ? name : undefined,
    expect: place &&
      before && { line: before.length - 1, column: before.at(-1)!.length, length: place.length },
  };
}

const member = fc.constantFrom('expect', 'name', 'model', 'input', 'ex"pect');
const json = fc.oneof(
  fc.constantFrom(
    '[]',
    '[ ]',
    '[{}]',
    '[[]]',
    '[[], {"expect": []}]',
    '{}',
    '"expect"',
    '1',
    'null',
    '["name"]',
  ),
  fc.constantFrom('{"expect": [{}], "name": "inner"}', '// expect\n[/* ] */ {"status": "finished"}]'),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);
const anyText = fc
  .array(fc.tuple(member, json, fc.constantFrom('', '\n', ' /* "expect": [1] */ ')), { maxLength: 6 })
  .map(
    (members) =>
      `{${members.map(([name, value, space]) => `${space}${JSON.stringify(name)}: ${value}`).join(',')}\n}`,
  );

describe('The scan of a run file', () => {
  it('finds the same name and expectations as reading the whole file', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const scanned = scanRunFile(text);
        const whole = readWhole(text);
        assert.deepEqual(scanned.expect, whole.expect);
        if (whole.expect) assert.equal(scanned.name, whole.name);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\ue01x \n/*') }),
        (text) => void scanRunFile(`${text}"expect"`),
      ),
    );
    for (const open of ['[', '{"a":', '{"expect":['])
      assert.deepEqual(scanRunFile(`{"expect": ${open.repeat(80_000)}`).expect, undefined);
  });
});
