import { crc32, deflateSync } from 'node:zlib';
import png from 'pngjs';
import type { RawResponse } from '../../src/domain/response';
import { bodyContent } from '../../src/intake/bodyContent';

/** Of work in the host. Each has a process of its own: V8 keeps the memory of one for the next. */
export const KINDS = [
  ...(['event streams and lines', 'patterns', 'experiments', 'run files'] as const),
  ...(['contracts', 'pictures', 'unpacked bodies'] as const),
] as const;

/** Bytes of a text. */
export const LENGTH = 100_000;
export const MOST_HELD_MS = 500;
export const MOST_BYTES = 500 * 2 ** 20;

const UNITS = [
  '* - ',
  '_*',
  '- > ',
  '*a',
  '>',
  '[a]',
  '{"a":',
  '[',
  ':\n',
  '{}\n',
  'data: a\n\n',
  'data: a\n',
  '/a',
  '**/',
  '\\',
  '"',
  'é',
  '\u0000',
  // Of a script without spaces, of another font, and of none.
  'ก',
  '日',
  '\u0378',
];

/** Texts of units that are repeated, nested and mixed. */
export function* texts(): Generator<string> {
  for (const [at, unit] of UNITS.entries()) {
    const next = UNITS[(at + 1) % UNITS.length]!;
    const many = Math.floor(LENGTH / unit.length);
    yield unit.repeat(many);
    yield unit.repeat(many / 2) +
      [...unit]
        .reverse()
        .join('')
        .repeat(many / 2);
    yield (unit + next).repeat(LENGTH / (unit.length + next.length));
  }
}

/** Bodies of four megabytes, which are a few kilobytes when packed. */
export function* unpacked(): Generator<string> {
  const many = (unit: string) => unit.repeat(4_000_000 / unit.length);
  const data = (value: string) => `data: ${value}\n\n`;
  for (const unit of UNITS) yield many(unit);
  for (const [before, unit, after] of [
    ['[', '{},', ''],
    ['[', '1,', ''],
    ['', '[', ']'],
    ['', '{"a":', '1'],
    ['', '{"a":NaN,', ''],
    ['', '{"a":"b', ''],
  ] as const) {
    yield many(data(before + unit.repeat(400) + after.repeat(400)));
    yield many(data(before + unit + after));
  }
  yield `[${many('{"status":1,"id":"a"},')}1]`;
  yield JSON.stringify({ error: many('a \n'), status: many('failed ') });
}

const nested = (depth: number, unit: (inner: unknown) => unknown) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = unit(value);
  return value;
};
export const members = (count: number, of: (at: number) => unknown, name = (at: number) => `a${at}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), of(at)]));

/** JSON values with many members, items, levels, and long names. */
export function* values(): Generator<object> {
  yield members(LENGTH / 10, (at) => at);
  yield members(90, () => 'x'.repeat(LENGTH / 100));
  yield { properties: members(LENGTH / 60, () => ({ type: 'string', pattern: '(a+)+$' })), type: 'object' };
  yield { anyOf: Array.from({ length: LENGTH / 40 }, (_, at) => ({ required: [`a${at}`] })) };
  yield nested(90, (inner) => ({ a: inner })) as object;
  yield nested(90, (inner) => ({ allOf: [{ properties: { a: inner } }] })) as object;
  yield { ['/'.repeat(LENGTH / 2)]: 1 };
}

/** Schemas of many or long choices and defaults. */
export function* choices(): Generator<object> {
  yield { enum: Array.from({ length: LENGTH / 10 }, (_, at) => `a${at}`) };
  yield { enum: ['x'.repeat(LENGTH / 2), 'y'.repeat(LENGTH / 2)] };
  yield { type: 'array', items: { enum: Array.from({ length: LENGTH / 20 }, (_, at) => `a${at}`) } };
  yield { oneOf: Array.from({ length: LENGTH / 40 }, (_, at) => ({ const: at, title: `a${at}` })) };
  yield { type: 'array', default: Array.from({ length: LENGTH / 10 }, (_, at) => at) };
  yield { type: 'object', default: members(LENGTH / 10, (at) => at) };
}

/** A response with this text. */
export function rawAs(type: string, text: string): RawResponse {
  const bytes = Buffer.from(text);
  return { status: 200, headers: { 'content-type': type }, bytes, ...bodyContent(bytes, type) };
}

/** A black PNG of one bit a pixel: a few kilobytes that claim megabytes. */
export function oneBit(width: number, height: number): Buffer {
  const bytes = png.PNG.sync.write(new png.PNG({ width: 1, height: 1 }), { colorType: 0 });
  const head = Buffer.from(bytes.subarray(0, 33));
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head[24] = 1;
  head[25] = 0;
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    withSum(head.subarray(0, 8), 'IHDR', head.subarray(16, 29)),
    withSum(Buffer.alloc(0), 'IDAT', data),
    withSum(Buffer.alloc(0), 'IEND', Buffer.alloc(0)),
  ]);
}

function withSum(before: Buffer, type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([before, length, named, sum]);
}
