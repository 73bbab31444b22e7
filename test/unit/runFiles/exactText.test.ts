import assert from 'node:assert/strict';
import { parseExactly } from '../../../src/domain/exactNumbers';
import { checkExpectations, type ExpectationOutcome } from '../../../src/runFiles/expectations';
import { expectationsIn, problemsIn, readRunFile } from '../../../src/runFiles/read';
import { parseText, textOfFile } from '../../../src/runFiles/text';

const file = (input: string, more = '') =>
  `{\n  "version": 1,\n  "model": "m",\n  "input": ${input}${more}\n}\n`;
const messages = (text: string) => problemsIn(readRunFile(text), undefined).map(({ message }) => message);

describe('The bytes of a run file', () => {
  it('cause one problem at the line of the editor when they are not UTF-8', () => {
    const bytes = Buffer.from(file('{ "text": "café" }'), 'latin1');
    const shown = ['Line 4: a character is not UTF-8. Save the file as UTF-8.'];
    assert.deepEqual(messages(textOfFile(bytes)), shown);
    assert.deepEqual(messages(bytes.toString('utf8')), shown);
    assert.deepEqual(messages(textOfFile(Buffer.from(file('{}'), 'utf16le'))), [
      'This file is not text. Save it as UTF-8.',
    ]);
  });
});

describe('A number of a run file', () => {
  it('causes a problem at its place when JavaScript would send another one', () => {
    for (const digits of ['12345678901234567890', '9007199254740993', '0.12345678901234567891', '-1e400']) {
      const read = readRunFile(file(`{ "a": [1, ${digits}] }`));
      const [problem, ...others] = problemsIn(read, undefined);
      assert.deepEqual(others, []);
      assert.equal(problem?.pointer, '/input/a/1');
      assert.ok(problem.message.startsWith(digits), problem.message);
      assert.equal(problem.severity, 'error');
    }
  });

  it('compares with a response by all its digits', () => {
    const passes = (expect: string, body: string) => {
      const read = readRunFile(file('{}', `,\n  "expect": [${expect}]`));
      assert.deepEqual(problemsIn(read, undefined), []);
      const response = parseExactly(body);
      const outcome: ExpectationOutcome = { state: 'finished', status: 200, result: response, response };
      return checkExpectations(expectationsIn(read), outcome).every(({ passed }) => passed);
    };
    const body = '{"id": 9007199254740993, "list": [12345678901234567890]}';
    for (const [check, expected] of [
      ['{ "at": "/id", "equals": 9007199254740993 }', true],
      ['{ "at": "/id", "equals": 9007199254740992 }', false],
      ['{ "at": "/id", "oneOf": [1, 9007199254740993] }', true],
      ['{ "at": "/id", "oneOf": [1, 9007199254740994] }', false],
      ['{ "at": "/list", "contains": 12345678901234567890 }', true],
      ['{ "at": "/list", "contains": 12345678901234567891 }', false],
      ['{ "at": "/id", "near": { "value": 9007199254740000, "tolerance": 1000 } }', true],
      ['{ "at": "/id", "schema": { "type": "integer", "minimum": 1 } }', true],
      ['{ "at": "/id", "schema": { "const": 9007199254740993 } }', true],
      ['{ "at": "", "schema": { "properties": { "id": { "type": "string" } } } }', true],
    ] as const)
      assert.equal(passes(check, body), expected, check);
  });
});

describe('The text of a run file', () => {
  it('names both lines of a member that is there twice, however deep', () => {
    const text = '{\n  "model": "m",\n  "input": { "a": 1,\n    "b": { "x": 1, "x": 2 } },\n  "input": {}\n}';
    assert.deepEqual(
      parseText(text).errors.map(({ message, place }) => [
        message,
        text.slice(place.offset, place.offset + place.length),
      ]),
      [
        ['Line 4: “x” is there already, in line 4. Remove one of them.', '"x"'],
        ['Line 5: “input” is there already, in line 3. Remove one of them.', '"input"'],
      ],
    );
    assert.equal(parseText('{"a": {"x": 1}, "b": {"x": 1}}').errors.length, 0);
  });

  it('names the line of each conflict of a merge, and no other problem of it', () => {
    const text = '{\n<<<<<<< HEAD\n  "model": "a"\n=======\n  "model": "b"\n>>>>>>> main\n}\n';
    assert.deepEqual(messages(text), [
      'Line 2: a conflict of a merge. Keep one side, and remove the lines <<<<<<<, ======= and >>>>>>>.',
    ]);
  });
});
