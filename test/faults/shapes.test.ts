import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readModel } from '../../src/contracts/model';
import { loadExperiment } from '../../src/experiments/file/load';
import { PathGlobs } from '../../src/intake/globs';
import { readRunResponse } from '../../src/readers/run';
import { readPattern } from '../../src/runFiles/pattern';
import { draftIn, problemsIn, readRunFile } from '../../src/runFiles/read';
import { smallImagesOf } from '../../src/worker/inWorker';
import { tellFigures } from '../support/figures';
import {
  KINDS,
  LENGTH,
  MOST_BYTES,
  MOST_HELD_MS,
  members,
  oneBit,
  rawAs,
  texts,
  unpacked,
  values,
} from './hostileShapes';

setFlagsFromString('--expose-gc');
/** Memory that one input left is not that of the next. */
const collectGarbage = runInNewContext('gc') as () => void;

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
    await writeFile(
      path.join(folder, 'rows.csv'),
      `a\n${Array.from({ length: 20 }, (_, at) => `${at}\n`).join('')}`,
    );
  });
  after(() => rm(folder, { recursive: true }));
  const load = (experiment: object | string) =>
    loadExperiment(
      path.join(folder, 'a.experiment.json'),
      typeof experiment === 'string' ? experiment : JSON.stringify(experiment),
      async () => contract,
    );
  const address = new URL('https://models.test/api/runs');

  const kinds: Readonly<Record<(typeof KINDS)[number], () => Generator<() => unknown>>> = {
    *'event streams and lines'() {
      for (const text of texts())
        for (const type of ['text/event-stream', 'application/x-ndjson', 'application/json'])
          yield () => readRunResponse(rawAs(type, text), address);
    },
    *patterns() {
      for (const text of texts()) {
        const globs = Array.from({ length: LENGTH / 500 }, (_, at) => text.slice(at * 500, at * 500 + 500));
        const path = text.slice(0, 4_000);
        yield () => new PathGlobs(globs).matches(path);
        yield () => new PathGlobs(globs.map((glob) => `{a,${glob}}*b`)).matches(path);
        yield () => readPattern(text)?.(path);
        yield () => readPattern(`(${text.slice(0, 200)}+)+$`)?.(text);
      }
      for (const pattern of [
        '(a+)+$',
        '(a|a)*b',
        '(.*){1,200}b',
        '((a{1,90}){1,90}){1,90}',
        'a?'.repeat(5_000),
      ])
        yield () => readPattern(pattern)?.('a'.repeat(LENGTH));
      for (const glob of ['*a', 'a**/', '**/a/', '[a-z]*'])
        yield () => new PathGlobs(Array(200).fill(`${glob.repeat(200)}b`)).matches('a/'.repeat(2_000));
    },
    *experiments() {
      for (const text of texts()) yield () => load(text);
      // The largest grids that are planned: of variations, and of runs.
      const ten = members(
        4,
        () => [...Array(10).keys()],
        (at) => `/input/${at}`,
      );
      yield () => load({ run: { model: 'm', input: {} }, vary: ten, repeats: 20 });
      yield () =>
        load({
          run: { model: 'm', input: {} },
          vary: ten,
          over: { rows: 'rows.csv', map: { '/input/a': 'a' } },
        });
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
        yield () => smallImagesOf([{ contentType: 'image/png', bytes: oneBit(width, height) }], 2_000);
    },
    *'unpacked bodies'() {
      for (const text of unpacked())
        for (const type of ['text/event-stream', 'application/x-ndjson', 'application/json', 'text/plain'])
          yield () => readRunResponse(rawAs(type, text), address);
    },
  };

  for (const kind of KINDS)
    it(`hold the host for no time that is noticed: ${kind}`, async () => {
      let [tried, longest, memory] = [0, 0, 0];
      for (const work of kinds[kind]()) {
        collectGarbage();
        longest = Math.max(longest, await longestTurn(work));
        memory = Math.max(memory, process.memoryUsage.rss());
        tried += 1;
      }
      assert.ok(tried > 2);
      const beyond = Number(longest > MOST_HELD_MS) + Number(memory > MOST_BYTES);
      const note = `held ${Math.round(longest)} ms, ${Math.round(memory / 2 ** 20)} MiB`;
      tellFigures({ case: `hostile ${kind}`, tried, lost: 0, doubled: 0, leaked: beyond, note });
      assert.equal(beyond, 0, note);
    });
});
