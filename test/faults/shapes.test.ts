import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import png from 'pngjs';
import { readModel } from '../../src/contracts/model';
import type { RawResponse } from '../../src/domain/response';
import { loadExperiment } from '../../src/experiments/file/load';
import { bodyContent } from '../../src/intake/bodyContent';
import { readRunResponse } from '../../src/readers/run';
import { draftIn, problemsIn, readRunFile } from '../../src/runFiles/read';
import { inWorker } from '../../src/worker/inWorker';
import { tellFigures } from '../support/figures';

/** Bytes of a text. */
const LENGTH = 100_000;
const MOST_HELD_MS = 500;
const MOST_BYTES = 500 * 2 ** 20;

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
];

/** Texts of units that are repeated, nested and mixed. */
function* texts(): Generator<string> {
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

const nested = (depth: number, unit: (inner: unknown) => unknown) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = unit(value);
  return value;
};
const members = (count: number, of: (at: number) => unknown, name = (at: number) => `a${at}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), of(at)]));

/** JSON values with many members, items, levels, and long names. */
function* values(): Generator<object> {
  yield members(LENGTH / 10, (at) => at);
  yield members(90, () => 'x'.repeat(LENGTH / 100));
  yield { properties: members(LENGTH / 60, () => ({ type: 'string', pattern: '(a+)+$' })), type: 'object' };
  yield { anyOf: Array.from({ length: LENGTH / 40 }, (_, at) => ({ required: [`a${at}`] })) };
  yield nested(90, (inner) => ({ a: inner })) as object;
  yield nested(90, (inner) => ({ allOf: [{ properties: { a: inner } }] })) as object;
  yield { ['/'.repeat(LENGTH / 2)]: 1 };
}

/** Processor time of the longest turn of some work, in milliseconds. */
async function longestTurn(work: () => unknown): Promise<number> {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, before, isDone] = [0, now(), false];
  const looking = (async () => {
    while (!isDone) {
      await turn();
      const time = now();
      longest = Math.max(longest, time - before);
      before = time;
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await looking;
  }
  return longest;
}

describe('Files and responses of any shape', () => {
  let folder: string;
  const contract = readModel({ slug: 'm', modes: { execute: { input_schema: { type: 'object' } } } }, 'm')!;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-shapes-'));
  });
  after(() => rm(folder, { recursive: true }));
  const load = (experiment: object | string) =>
    loadExperiment(
      path.join(folder, 'a.experiment.json'),
      typeof experiment === 'string' ? experiment : JSON.stringify(experiment),
      async () => contract,
    );
  const address = new URL('https://models.test/api/runs');

  const kinds: Readonly<Record<string, () => Generator<() => unknown>>> = {
    *'event streams and lines'() {
      for (const text of texts())
        for (const type of ['text/event-stream', 'application/x-ndjson', 'application/json'])
          yield () => readRunResponse(rawAs(type, text), address);
    },
    *experiments() {
      for (const text of texts()) yield () => load(text);
      for (const value of values()) {
        yield () =>
          load({ run: { model: 'm', input: value }, vary: { '/input/x': { from: 1, to: 10_000, step: 1 } } });
        yield () =>
          load({
            run: { model: 'm', input: {} },
            vary: members(
              90,
              (at) => (at < 4 ? [...Array(10).keys()] : [1]),
              (at) => `/input/${at}`,
            ),
            ...value,
          });
      }
      yield () =>
        load({ run: { model: 'm', input: {} }, vary: { [`/input${'/'.repeat(LENGTH / 2)}`]: [1, 2] } });
      yield () =>
        load({
          run: { model: 'm', input: {} },
          vary: members(
            13,
            () => [1, 2],
            (at) => `/input/${at}${'/'.repeat(LENGTH / 30)}`,
          ),
        });
    },
    *'run files'() {
      const read = (text: string) => () => {
        const file = readRunFile(text);
        return [problemsIn(file, contract), draftIn(file)];
      };
      for (const text of texts()) {
        yield read(text);
        yield read(
          JSON.stringify({ model: 'm', input: {}, expect: [{ at: text, matches: text, equals: 1 }] }),
        );
      }
      for (const value of values())
        yield read(JSON.stringify({ model: 'm', input: value, expect: [{ schema: value }] }));
    },
    *contracts() {
      for (const value of values()) yield () => readModel({ slug: 'm', input_schema: value }, 'm');
      for (const text of texts())
        yield () => readModel({ slug: 'm', description: text, input_schema: text }, 'm');
    },
    *pictures() {
      for (const [width, height] of [
        [1, 16_384],
        [4_096, 4_096],
        [512, 512],
      ] as const)
        yield () =>
          inWorker('smallImage', [{ contentType: 'image/png', bytes: oneBit(width, height) }], 2_000);
    },
  };

  for (const [kind, cases] of Object.entries(kinds))
    it(`hold the host for no time that is noticed: ${kind}`, async () => {
      let [tried, longest] = [0, 0];
      for (const work of cases()) {
        const held = await longestTurn(work);
        longest = Math.max(longest, held);
        tried += 1;
      }
      assert.ok(tried > 2);
      const memory = process.memoryUsage.rss();
      const beyond = Number(longest > MOST_HELD_MS) + Number(memory > MOST_BYTES);
      const note = `held ${Math.round(longest)} ms, ${Math.round(memory / 2 ** 20)} MiB`;
      tellFigures({ case: `hostile ${kind}`, tried, lost: 0, doubled: 0, leaked: beyond, note });
      assert.equal(beyond, 0, note);
    });
});

function rawAs(type: string, text: string): RawResponse {
  const bytes = Buffer.from(text);
  return { status: 200, headers: { 'content-type': type }, bytes, ...bodyContent(bytes, type) };
}

/** A black PNG of one bit a pixel: a few kilobytes that claim megabytes. */
function oneBit(width: number, height: number): Buffer {
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
