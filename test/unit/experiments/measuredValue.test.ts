import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { childPointer } from '../../../src/domain/pointer';
import { getAt } from '../../../src/domain/value';
import { summarise } from '../../../src/experiments/figures/summary';
import { writeBody } from '../../../src/experiments/files/bodies';
import { readCompared, readMeasured } from '../../../src/experiments/results/comparedFiles';
import { comparingOf, measuredValue, UNREADABLE } from '../../../src/experiments/results/measuredValue';
import { bodyName, keptResult } from '../../../src/experiments/results/resultBody';
import { ExperimentTable } from '../../../src/experiments/table/table';
import { readResults } from '../../support/atOnce';
import { rowOf, tableOf } from '../../support/experiments/table';

const raw = { json: {}, bytes: new Uint8Array(), contentType: 'application/json' } as never;

const vector = Array.from({ length: 4_000 }, (_, at) => at / 7);
const long = fc.constantFrom<Json>(
  vector,
  'x'.repeat(30_000),
  Array.from({ length: 300 }, (_, at) => ({
    label: `label ${at}`,
    scores: [at, at / 3],
    note: 'n'.repeat(60),
  })),
);
const anything: fc.Arbitrary<Json> = fc.oneof(
  long,
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json),
  fc.dictionary(fc.string(), fc.oneof(long, fc.string(), fc.integer()), { maxKeys: 4 }),
  fc.array(fc.oneof(long, fc.dictionary(fc.constantFrom('a', 'a/b', '~'), fc.oneof(long, fc.integer()))), {
    maxLength: 4,
  }),
);

/** Some places of a value, of parts that are there and of others that are not. */
function placesIn(value: Json, pointer = ''): string[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value).slice(0, 5) : [];
  return [
    pointer,
    childPointer(pointer, 'none'),
    ...members.flatMap(([name, member]) => placesIn(member, childPointer(pointer, name))),
  ];
}

describe('The value that is measured', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'measured-'));
    file = path.join(folder, 'a.results.jsonl');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  let count = 0;
  /** A result as a line of the file, with its long parts in a file of its own. */
  const lineOf = async (output: Json) => {
    const id = `run-${++count}`;
    const kept = keptResult({ output, raw })!;
    const [body] = kept.files;
    const name = body && bodyName('a.results', 'row 1', id, body.extension);
    if (body) await writeBody(file, name!, body.bytes);
    const line = {
      ...{ custom_id: id, state: 'finished', result: kept.result, result_without: kept.result_without },
      ...{ result_sha256: kept.result_sha256, result_file: name },
    };
    assert.ok(JSON.stringify(line).length < 20_000, 'lines stay short');
    return readResults(`${JSON.stringify(line)}\n`).results[0]!;
  };

  it('equals the value at its place of the whole result, at any length', async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.nat(), async (output, chosen) => {
        const places = placesIn(output);
        const at = places[chosen % places.length]!;
        const line = await lineOf(output);
        assert.equal(await readCompared(file, [line], at), 0);
        const wanted = getAt(JSON.parse(JSON.stringify(output)) as Json, at);
        assert.deepEqual(measuredValue(line, at), wanted, at);
      }),
      { numRuns: 150 },
    );
  });

  it('stays unmeasured while its file is missing, with a message', async () => {
    const table = tableOf({
      items: [rowOf('one', 'yes'), rowOf('two', 'yes')],
      line: ({ item }) => (item === 0 ? { result: 'yes' } : { result_file: 'a.results/gone.txt' }),
    });
    assert.equal(await readCompared(file, table.results.values(), ''), 2);
    const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;
    const [before] = (await summarise(table, metrics)).columns;
    const { measured, unreadable, items } = before!.metrics[0]!;
    assert.deepEqual([measured?.value, measured?.count, unreadable, items], [1, 1, 1, 2]);
    await writeBody(file, 'a.results/gone.txt', new TextEncoder().encode('no'));
    assert.equal(await readCompared(file, table.results.values(), ''), 0);
    // A new reading makes a table of its own, as after each change of a file.
    const again = new ExperimentTable(table.plan, table.results, table.comparing);
    const [after] = (await summarise(again, metrics)).columns;
    assert.deepEqual([after!.metrics[0]!.measured?.value, after!.metrics[0]!.measured?.count], [0.5, 2]);
  });

  it('comes whole from a file of text, as a mark of the content from other bytes, and from no failed run', async () => {
    const kinds = { 'a.txt': 'a cat', 'b.png': '\x89PNG', 'c.png': '\x89PNG', 'd.png': '\x89PNg' };
    const lines = Object.entries(kinds).map(async ([name, content]) => {
      await writeBody(file, `a.results/${name}`, Buffer.from(content, 'latin1'));
      const line = { custom_id: name, state: 'finished', result_file: `a.results/${name}` };
      return readResults(`${JSON.stringify(line)}\n`).results[0]!;
    });
    const read = await Promise.all(lines);
    const failed = { ...read[0]!, state: 'failed' as const };
    await readMeasured(file, [...read, failed], { ...comparingOf(undefined), checked: ['/label'] });
    const [text, picture, same, other] = read.map((line) => measuredValue(line, ''));
    assert.equal(text, 'a cat');
    assert.match(String(picture), /^sha256:/);
    assert.deepEqual([same === picture, other === picture], [true, false]);
    for (const line of read) assert.equal(measuredValue(line, '/label'), undefined, 'they have no parts');
    assert.equal(measuredValue(failed, ''), UNREADABLE);
  });

  it('comes from the line for a label beside a vector, before any file is read', async () => {
    const line = await lineOf({
      label: 'cat',
      embedding: vector,
      more: [{ score: 0.5, text: 'x'.repeat(20_000) }],
    });
    const values = ['/label', '/more/0/score', '/embedding', ''].map((at) => measuredValue(line, at));
    assert.deepEqual(values, ['cat', 0.5, UNREADABLE, UNREADABLE]);
  });

  it('becomes unreadable for an invalid file, or one in another place', async () => {
    await writeBody(file, 'a.results/broken.json', new TextEncoder().encode('{"a":'));
    await writeFile(path.join(folder, 'other.json'), '{"a":1}');
    for (const name of ['a.results/broken.json', '../a.json', 'other.json', 'a.results/../other.json']) {
      const line = { custom_id: name, state: 'finished', result_file: name };
      const [read] = readResults(`${JSON.stringify(line)}\n`).results;
      assert.equal(await readCompared(file, [read!], '/a'), 1);
      assert.equal(measuredValue(read!, '/a'), UNREADABLE, name);
    }
  });

  it('comes from the place that the experiment names for a model or a check, and text in tables but not in JSON lines', () => {
    const at = { m: '/own', other: '/label' };
    const of = (more: object) => comparingOf({ run: { model: 'm' }, ...more } as never);
    const [plain, named] = [of({}), of({ expected: { column: 'a', at }, failed: 'unmeasured' })];
    assert.deepEqual([plain.at, plain.isText, plain.failedIsWrong], ['', true, true]);
    assert.deepEqual([named.at, named.failedIsWrong], ['/own', false]);
    assert.deepEqual(of({ expected: { at }, vary: { '/model': ['m'] } }).at, at);
    assert.equal(of({ run: 'a.run.json', expected: { at } }).at, '/own', 'the only model is not named');
    for (const [rows, isText] of Object.entries({ 'a.csv': true, 'a.jsonl': false, 'a.NDJSON': false }))
      assert.equal(of({ over: { rows } }).isText, isText, rows);
    const checks = [{ hitsContain: 'x' }, { contains: 'x' }, { at: '/b', equals: 1 }, { maxMs: 5 }];
    const checked = of({ expected: { at: '/a' }, metrics: checks.map((check) => ({ check })) }).checked;
    assert.deepEqual(checked, ['', '/a', '/b']);
  });
});
