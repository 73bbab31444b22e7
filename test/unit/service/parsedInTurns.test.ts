import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonInTurns } from '../../../src/service/jsonInTurns';
import { parsedJson } from '../../../src/service/reading/records';
import { turnsOfOthers } from '../../support/turnsOfOthers';

const read = (text: string) => jsonInTurns(Buffer.from(text));
/** Against the parser of the platform. */
const compare = async (text: string) => {
  assert.deepEqual(await read(text), parsedJson(text), JSON.stringify(text.slice(0, 80)));
};
const list = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join();

describe('JSON that is parsed in turns', () => {
  it('is what the platform makes of it, and nothing where that makes nothing', async () => {
    const parts = [
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"__proto__"', '"constructor"', '\\', '\\u00', '\\"'],
      ...[
        '1',
        '-',
        '.',
        '0',
        '1e5',
        '1E+',
        '-0',
        '12345678901234567890',
        'true',
        'false',
        'nul',
        'null',
        ' ',
        '\n',
      ],
    ];
    const text = fc.oneof(
      fc.json({ maxDepth: 5 }),
      fc.array(fc.constantFrom(...parts), { maxLength: 10 }).map((all) => all.join('')),
    );
    await fc.assert(fc.asyncProperty(text, compare), { numRuns: 1500 });
  });

  it('has every kind of value, and white space wherever it may be', async () => {
    for (const text of [
      ...['{}', '[]', '""', '0', '-0', '1.5e-7', 'true', 'false', 'null', '[[],{}]', '{"a":{"b":[1]},"c":2}'],
      ...[' \t\r\n[ 1 , 2 ]\n ', '\n{ "a" : 1 , "b" : [ ] }\t', ' "x" ', '{"a":1,"a":2,"b":3}'],
      ...['{"":1}', '{"__proto__":{"x":1},"constructor":2}', '{"__proto__":1,"__proto__":2}'],
      ...[
        '"\\u00e9\\ud83d\\ude00\\n\\\\\\""',
        '"é€\u{1f600}"',
        '[1e400,-1e400,123456789012345,1234567890123456789]',
      ],
    ]) {
      await compare(text);
      assert.notEqual(await read(text), undefined, text);
    }
    const made = (await read('{"__proto__":{"x":1}}')) as object;
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    const own = (await read('{"__proto__":1}')) as Record<string, unknown>;
    const [descriptor] = Object.values(Object.getOwnPropertyDescriptors(own));
    assert.deepEqual(descriptor, { value: 1, enumerable: true, configurable: true, writable: true });
  });

  it('is nothing where something is missing, doubled or left over', async () => {
    for (const text of [
      ...[
        '',
        ' ',
        '[',
        '{',
        '"',
        '"a',
        '[1',
        '[1,',
        '[1,]',
        '[,1]',
        '[1 2]',
        '[1}',
        '{"a":1]',
        '1 2',
        '[] []',
        '{}x',
      ],
      ...[
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        '{,}',
        '{1:2}',
        '{a:1}',
        '{"a" 1}',
        '{"a":1 "b":2}',
        '{"a",1}',
        '{"a":1,2}',
      ],
      ...[
        'tru',
        'truex',
        'nul',
        'fals',
        'True',
        'nan',
        '[true1]',
        '+1',
        '.5',
        '1.',
        '01',
        '1e',
        '--1',
        '1-',
        'Infinity',
      ],
      ...['"\n"', '"\\x"', '"\\u12"', '"\\u12G4"', "'a'", '\u00a01', '\f1', '1\u0000', '\\'],
    ]) {
      assert.equal(await read(text), undefined, JSON.stringify(text));
      await compare(text);
    }
  });

  it('may begin with a mark of its byte order, as a whole', async () => {
    assert.deepEqual(await jsonInTurns(Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d])), []);
    for (const bytes of [
      [0xef, 0xbb, 0x5b, 0x5d],
      [0xef, 0xbb, 0xbe, 0x5b, 0x5d],
      [0xef, 0xba, 0xbf, 0x5b, 0x5d],
      [0xee, 0xbb, 0xbf, 0x5b, 0x5d],
      [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x31],
    ])
      assert.equal(await jsonInTurns(Buffer.from(bytes)), undefined, String(bytes));
    assert.equal(await jsonInTurns(Buffer.from([0x31, 0x32, 0x33])), 123);
  });

  it('keeps the digits of a long number', async () => {
    assert.deepEqual(await read('[12345678901234567890,9007199254740993,123456789012345]'), [
      '12345678901234567890',
      '9007199254740993',
      123456789012345,
    ]);
  });

  it('has strings of any length, whatever stands where their pieces end', async () => {
    const PIECE = 2 ** 16;
    for (const sign of ['\\u0041', '\\n', '\\\\', '\\"', 'é', '€', '\u{1f600}', '\\ud83d\\ude00'])
      for (let before = PIECE - 13; before <= PIECE + 3; before++) {
        const text = `"${'x'.repeat(before)}${sign}${'y'.repeat(20)}"`;
        assert.ok((await read(text)) === JSON.parse(text), `${sign} after ${before}`);
      }
    for (const sign of ['é', '€', '\u{1f600}', '\\u00e9']) {
      const text = `["${sign.repeat(3 * PIECE)}",{"${sign.repeat(PIECE)}":1}]`;
      assert.deepEqual(await read(text), JSON.parse(text));
    }
    assert.equal(await read(`"${'x'.repeat(2 * PIECE)}`), undefined);
    assert.equal(await read(`"${'x'.repeat(2 * PIECE)}\\x${'x'.repeat(2 * PIECE)}"`), undefined);
  });
});

describe('JSON of which there is too much', () => {
  const isRead = async (text: string) => (await read(text)) !== undefined;

  it('is that of 201 lists and objects in one another', async () => {
    const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
    const inner = (depth: number) => `{"a":1,"b":${nested('[', ']', depth)}}`;
    for (const [most, of] of [
      [200, (depth: number) => nested('[', ']', depth)],
      [199, (depth: number) => `{"a":${nested('[', ']', depth)}}`],
      [199, inner],
      [100, (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`],
    ] as const)
      assert.deepEqual([await isRead(of(most)), await isRead(of(most + 1))], [true, false], of(3));
    assert.ok(await isRead(`[${list(500, () => '[[]]')}]`), 'beside one another');
  });

  it('is that of a number of 10,001 digits', async () => {
    const digits = (count: number) => '1'.repeat(count);
    for (const of of [digits, (count: number) => `[${digits(count)}]`])
      assert.deepEqual([await isRead(of(10_000)), await isRead(of(10_001))], [true, false]);
  });

  it('is that of a name of more than a million letters', async () => {
    const named = (length: number) => `{"${'n'.repeat(length)}":1}`;
    assert.deepEqual([await isRead(named(2 ** 20)), await isRead(named(2 ** 20 + 1))], [true, false]);
    assert.ok(await isRead(`"${'n'.repeat(2 ** 20 + 1)}"`), 'a string is no name');
  });

  it('is that of a million of white space at a stretch', async () => {
    const spaced = (count: number) => `[${' '.repeat(count)}1]`;
    assert.deepEqual([await isRead(spaced(2 ** 20 - 1)), await isRead(spaced(2 ** 20))], [true, false]);
    assert.ok(await isRead(`[${' '.repeat(2 ** 19)}1${' '.repeat(2 ** 19)},${' '.repeat(2 ** 19)}2]`));
  });

  it('is that of 10,000 names beyond the first thousand of each object', async () => {
    const names = (count: number, of = 'n') => list(count, (at) => `"${of}${at}":0`);
    assert.deepEqual([await isRead(`{${names(11_000)}}`), await isRead(`{${names(11_001)}}`)], [true, false]);
    const more = (count: number) => `[{${names(6000)}},{${names(6000 + count)}}]`;
    assert.deepEqual([await isRead(more(0)), await isRead(more(1))], [true, false]);
    assert.ok(await isRead(`[${list(12, () => `{${names(1000)}}`)}]`), 'many small ones');
    assert.ok(await isRead(`{${list(12_000, () => '"a":0')},"b":1}`), 'the same name again');
    assert.ok(await isRead(`[${list(12_000, () => '0')}]`), 'a list has no names');
  });

  it('is that of more than two million values', async () => {
    assert.equal(await isRead(`[${'0,'.repeat(1_999_999)}0]`), false);
  });
});

describe('While JSON is parsed', () => {
  for (const [what, text] of Object.entries({
    'many values': () => `[${'{"a":1},'.repeat(150_000)}0]`,
    'one long string': () => `"${'x\\n'.repeat(4_000_000)}"`,
    'one long name of many': () => `{"a":"${'x\\n'.repeat(4_000_000)}"}`,
  }))
    it(`everything else has its turn: ${what}`, async () => {
      const body = Buffer.from(text());
      const { result, turns } = await turnsOfOthers(() => jsonInTurns(body));
      assert.notEqual(result, undefined);
      assert.ok(turns > 4, `${turns} turns`);
    });
});
