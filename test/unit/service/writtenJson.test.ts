import assert from 'node:assert/strict';
import { jsonText, readableText } from '../../../src/service/jsonText';
import { laidOut, readableBody } from '../../../src/service/laidOut';
import { LongText } from '../../../src/service/longText';

const written = async (value: unknown) => String((await jsonText(value)).text);
/** What stands at the place of a value in what is written. */
const at = async (value: unknown, pointer: string) => {
  const { text, from, to } = await jsonText(value, pointer);
  return String(text).slice(from, to);
};

describe('JSON that is written', () => {
  it('is laid out as the platform does it', async () => {
    for (const value of [
      ...[
        {},
        [],
        '',
        'a"\\\n',
        0,
        -0,
        1.5,
        Number.POSITIVE_INFINITY,
        true,
        null,
        [[]],
        [{}],
        { a: {} },
        { a: [] },
        [[], [1, [2]]],
      ],
      ...[
        { a: 1, b: [1, { c: 'd' }] },
        { '': 1 },
        { 'a"b': '"' },
        [undefined],
        { a: undefined },
        [null, { b: undefined }],
      ],
      ...[{ a: undefined, b: 1 }, { a: 1, b: undefined, c: 2 }, undefined],
    ])
      assert.equal(await written(value), JSON.stringify(value, null, 2) ?? 'null');
  });

  it('has the place of a value, from its first sign to its last', async () => {
    const value = { a: [1, { 'b/c': 'text', 'd~e': [] }], f: {}, '': null, a2: 'a' };
    for (const [pointer, expected] of [
      ['/a/0', 1],
      ['/a/1/b~1c', 'text'],
      ['/a/1/d~0e', []],
      ['/a/1', value.a[1]],
      ['/a', value.a],
      ['/f', {}],
      ['/', null],
      ['/a2', 'a'],
      ['', value],
    ] as const)
      assert.deepEqual(JSON.parse(await at(value, pointer)), expected, pointer);
    assert.equal(await at({ a: [7] }, '/a/0'), '7');
    assert.equal(await at({ a: [7] }, '/a'), '[\n    7\n  ]');
    for (const nowhere of ['/b', '/a/2', '/a/0/0', '/a/1/b', '/1', '/f/a'])
      assert.equal(await at(value, nowhere), '', nowhere);
    const { from, to } = await jsonText(value, '/nowhere');
    assert.deepEqual([from, to], [0, 0]);
  });

  it('has the place of one among others of the same name', async () => {
    const value = { x: { a: 1 }, a: { x: 2, a: 3 }, y: [[4], [5]] };
    assert.equal(await at(value, '/a/a'), '3');
    assert.equal(await at(value, '/a/x'), '2');
    assert.equal(await at(value, '/x/a'), '1');
    assert.equal(await at(value, '/y/1/0'), '5');
  });

  it('has a string of any length, whose place it knows too', async () => {
    for (const length of [2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1, 2 ** 17, 2 ** 17 + 1])
      for (const end of ['', '\u{1f600}', '\ud83d', '"', '\\']) {
        const value = { long: `${'x'.repeat(length - 1)}${end}${'y'.repeat(3)}`, next: [1] };
        assert.ok((await written(value)) === JSON.stringify(value, null, 2), `${length} ${end}`);
        assert.ok((await at(value, '/long')) === JSON.stringify(value.long), `${length} ${end}`);
        assert.equal(await at(value, '/next/0'), '1');
      }
    const astral = `x${'\u{1f600}'.repeat(2 ** 17)}`;
    assert.ok((await written([astral])) === JSON.stringify([astral], null, 2));
  });

  it('is in one line where it would be over 16 MB otherwise, and its places are right there', async () => {
    let deep: unknown = Array.from({ length: 70_000 }, () => 0);
    for (let depth = 0; depth < 120; depth++) deep = { a: deep };
    const value = { deep, next: ['b', { c: 1 }] };
    assert.ok((await written(value)) === JSON.stringify(value));
    assert.equal(await at(value, '/next'), '["b",{"c":1}]');
    assert.equal(await at(value, '/next/1/c'), '1');
    const short = 'x'.repeat(2 ** 24 - 10);
    assert.ok((await written([short])).startsWith('[\n  "x'), 'one that is just not longer');
    assert.ok((await written([short, 'y'.repeat(20)])).startsWith('["x'), 'one that is');
  });

  it('is in pieces that are short', async () => {
    const { text } = await jsonText(Array.from({ length: 60_000 }, (_, index) => `item ${index}`));
    assert.ok(text.pieces.length > 10);
    assert.ok(text.pieces.every(({ length }) => length < 2 ** 17));
  });

  it('is for people a text itself, and JSON otherwise', async () => {
    assert.equal(String(await readableText('a "text"\n')), 'a "text"\n');
    assert.equal(String(await readableText({ a: 1 })), '{\n  "a": 1\n}');
    assert.equal(String(await readableText(null)), 'null');
  });
});

describe('A body for reading', () => {
  const of = async (body: string, type = 'application/json') => {
    const { text, isJson } = await readableBody(Buffer.from(body), type);
    return [String(text), isJson];
  };

  it('is laid out where it is JSON, with all its digits and names', async () => {
    assert.deepEqual(await of('{"a":12345678901234567890.10,"a":[ ]}'), [
      '{\n  "a": 12345678901234567890.10,\n  "a": []\n}',
      true,
    ]);
    assert.deepEqual(await of('[1]', 'text/plain'), ['[\n  1\n]', true]);
    assert.deepEqual(await of(' "a" '), ['"a"', true]);
  });

  it('is as it came where it is none, or of media', async () => {
    assert.deepEqual(await of('[1'), ['[1', false]);
    assert.deepEqual(await of('a  text'), ['a  text', false]);
    assert.deepEqual(await of(''), ['', false]);
    assert.deepEqual(await of('[1]', 'image/svg+xml'), ['[1]', false]);
  });

  it('is as it came where it would be over 16 MB with its lines', async () => {
    // Some 300 signs for each of them.
    const body = (lines: number) => `${'['.repeat(150)}${'0,'.repeat(lines)}0${']'.repeat(150)}`;
    const [longer, isJson] = await of(body(60_000));
    assert.ok(longer === body(60_000) && isJson);
    const [lines] = await of(body(50_000));
    assert.ok(String(lines).split('\n').length > 50_000);
  });

  it('is laid out over the ends of its pieces, and of the steps that it is read in', async () => {
    const value = Array.from({ length: 3000 }, (_, index) => ({
      [`a "${index}\\`]: [`[,]:{} ${index}`, {}, []],
    }));
    for (const space of [undefined, 1, '\t', '\r\n']) {
      const json = JSON.stringify(value, null, space as string);
      for (const length of [1000, 4095, 4096, 4097, 10_000]) {
        const pieces = json.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g'))!;
        assert.ok(
          String(await laidOut(new LongText(pieces))) === JSON.stringify(value, null, 2),
          `${space} ${length}`,
        );
      }
    }
  });
});

describe('A text in pieces', () => {
  it('is sliced as a string is', () => {
    const pieces = ['ab', '', 'cde', 'f', 'gh'];
    const [long, whole] = [new LongText(pieces), pieces.join('')];
    assert.equal(long.length, whole.length);
    for (let from = 0; from <= 10; from++)
      for (let to = 0; to <= 10; to++)
        assert.equal(long.slice(from, to), whole.slice(from, to), `${from} ${to}`);
    assert.deepEqual(
      [String(LongText.empty), LongText.empty.length, LongText.empty.slice(0, 5)],
      ['', 0, ''],
    );
  });

  it('is decoded a piece at a time, whatever stands where one ends', async () => {
    const MB = 2 ** 20;
    for (const sign of ['a', 'é', '€', '\u{1f600}'])
      for (const before of [MB - 3, MB - 2, MB - 1, MB]) {
        const text = `${'x'.repeat(before)}${sign}${'y'.repeat(5)}`;
        const long = await LongText.decoded(Buffer.from(text));
        assert.ok(String(long) === text);
        assert.ok(long.pieces.every(({ length }) => length <= MB));
      }
    assert.equal(
      String(await LongText.decoded(Buffer.from([0x61, 0xe2, 0x82]))),
      'a\ufffd',
      'one that is cut',
    );
    assert.equal(String(await LongText.decoded(Buffer.alloc(0))), '');
  });
});
