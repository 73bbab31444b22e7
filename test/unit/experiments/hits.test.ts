import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { auditOf } from '../../../src/experiments/figures/audit';
import { summarise } from '../../../src/experiments/figures/summary';
import { loadExperiment } from '../../../src/experiments/file/load';
import { readGrades } from '../../../src/experiments/file/relevance';
import { checkThresholds } from '../../../src/experiments/gate/thresholds';
import { hitRule, measureHits, type Relevance } from '../../../src/experiments/metrics/hits';
import { hitJudgementsIn, qrelsText } from '../../../src/experiments/results/hitJudgements';
import { comparingOf } from '../../../src/experiments/results/measuredValue';
import { figureWords } from '../../../src/experiments/table/figureTexts';
import { placedId } from '../../../src/intake/imageIds';
import { tableOf } from '../../support/experiments/table';

const asHits = (ids: readonly string[]): Json => ({
  results: ids.map((id, rank) => ({ id, score: 1 - rank / 100 })),
});

describe('Metrics of hits', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'hits-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text, 'latin1');
    }
  };

  /** The figures of the experiment in its folder, where each item has these hits. */
  const figures = async (experiment: object, resultOf: (name: string) => Json) => {
    const text = JSON.stringify({
      run: { model: 'm', mode: 'search', scope: 's', input: {} },
      ...experiment,
    });
    const file = path.join(folder, 'a.experiment.json');
    const { loaded, problems } = await loadExperiment(file, text, async () => undefined, {
      unknownModels: 'keep',
    });
    const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    if (!loaded)
      return { errors, table: undefined, values: {}, text: '', columns: [], metrics: [], items: [] };
    const { plan, metrics } = loaded;
    const table = tableOf({
      variations: plan.variations,
      items: plan.items,
      comparing: comparingOf(loaded.experiment),
      line: ({ item }) => ({ result: resultOf(plan.items[item]!.name) }),
    });
    const { columns } = await summarise(table, metrics);
    const own = columns[0]!.metrics;
    return {
      errors,
      table,
      columns,
      metrics,
      items: plan.items,
      text: metrics.flatMap((metric, at) => figureWords(metric, own[at]!, '', 'en')).join('; '),
      values: Object.fromEntries(metrics.map(({ name }, at) => [name, own[at]?.measured?.value])),
    };
  };

  const near = (
    values: Readonly<Record<string, number | undefined>>,
    wanted: Readonly<Record<string, number>>,
  ) => {
    for (const [name, value] of Object.entries(wanted))
      assert.ok(
        Math.abs((values[name] ?? Number.NaN) - value) < 1e-4,
        `${name} ${values[name]}, not ${value}`,
      );
  };

  const QRELS = [
    ...['q1 a 2', 'q1 b 1', 'q1 c 0', 'q1 d 1', 'q1 h 2', 'q2 e 1', 'q2 f 0', 'q3 g 3', 'q3 a 1', 'q4 z 1'],
  ].map((line) => line.split(' '));
  const GRADED: Readonly<Record<string, string>> = { q1: 'caxby', q2: 'efxyw', q3: 'xywvg', q4: '' };
  const MEASURED = ['ndcg@5', 'recall@5', 'mrr', 'hit@1', { metric: 'hit', k: 5 }, 'precision@5'];

  it('agree with trec_eval on graded judgements, of BEIR or TREC, where a query without hits counts 0', async () => {
    const beir = ['query-id\tcorpus-id\tscore', ...QRELS.map((line) => line.join('\t'))].join('\n');
    const trec = QRELS.map(([query, hit, grade]) => `${query} 0 ${hit} ${grade}`).join('\r\n');
    for (const qrels of [beir, trec]) {
      await write({ qrels, 'queries.csv': 'id,text\nq1,one\nq2,two\nq3,three\nq4,four\nq5,not judged\n' });
      const { values, text, columns } = await figures(
        {
          over: { rows: 'queries.csv', map: { '/input/text': 'text' } },
          expected: { qrels: 'qrels', column: 'id' },
          metrics: MEASURED,
        },
        (name) => asHits([...(GRADED[`q${Number(name.slice(4)) - 1}`] ?? '')]),
      );
      near(values, {
        ...{ 'ndcg@5': 0.4308, 'recall@5': 0.5, mrr: 0.425 },
        ...{ 'hit@1': 0.25, 'hit@5': 0.75, 'precision@5': 0.2 },
      });
      const [ndcg] = columns[0]!.metrics;
      assert.deepEqual([ndcg!.measured!.count, ndcg!.blank], [4, 1]);
      near({ judged: ndcg!.measured!.hits!.judged }, { judged: 0.3 });
      assert.match(text, /30\.0% of the hits are judged/);
    }
  });

  const FOLDERS: Readonly<Record<string, readonly string[]>> = {
    ...{ a1: ['a2', 'b1', 'a3'], a2: ['a1', 'a3', 'b2'], a3: ['b3', 'b1', 'a1'] },
    ...{ b1: ['b2', 'b3', 'a1'], b2: ['a2', 'b1', 'b3'], b3: ['a3', 'a1', 'a2'] },
  };
  const inFolder = (name: string) => `${name[0]}/${name}.png`;
  const searched = (name: string) => FOLDERS[path.posix.basename(name, '.png')] ?? [];
  const over = { files: '*/*.png', map: { '/input/image': 'file' } };
  const byFolder = { over, expected: { folder: true } };
  const PNG = (text: string) => `\x89PNG\r\n\x1a\n${text}`;
  const pictures = () =>
    write(Object.fromEntries(Object.keys(FOLDERS).map((name) => [inFolder(name), PNG(name)])));

  it('leave the query out, which would make the first hit always right', async () => {
    await pictures();
    const metrics = ['hit@1', 'hit@3', 'precision@3', 'mrr', 'ndcg@3'];
    const found = (name: string) => asHits([name, ...searched(name).map(inFolder)]);
    const {
      values,
      text,
      columns,
      items,
      metrics: measured,
    } = await figures({ ...byFolder, metrics }, found);
    near(values, { 'hit@1': 0.5, 'hit@3': 0.8333, 'precision@3': 0.5, mrr: 0.6389, 'ndcg@3': 0.6533 });
    assert.match(text, /without the query itself/);
    const left = items.map(({ name, relevance }) =>
      measureHits(hitRule('hit@1')!, [name, ...searched(name).map(inFolder)], {
        ...relevance!,
        isQuery: () => false,
      }),
    );
    assert.ok(
      left.every(({ value }) => value === 1),
      'with the query left in',
    );
    const gate = checkThresholds([{ metric: 'hit@1', operator: '>=', value: 0.9 }], {
      ...{ names: ['m'], placeOf: () => '', table: { plan: {} }, locale: 'en' },
      ...{ metrics: measured, summary: { columns } },
    });
    assert.deepEqual(
      gate.map(({ passed, figures: one }) => [passed, one?.value, one?.n]),
      [[false, 0.5, 6]],
    );
  });

  it('agree with trec_eval on shares of all right hits, where these are listed', async () => {
    await pictures();
    const lines = Object.keys(FOLDERS).flatMap((name) =>
      Object.keys(FOLDERS).map((hit) => `${inFolder(name)} 0 ${inFolder(hit)} ${Number(hit[0] === name[0])}`),
    );
    await write({ qrels: lines.join('\n') });
    const { values } = await figures(
      { over, expected: { qrels: 'qrels' }, metrics: ['recall@3', 'ndcg@3'] },
      (name) => asHits([name, ...searched(name).map(inFolder)]),
    );
    near(values, { 'recall@3': 0.75, 'ndcg@3': 0.6533 });
  });

  it('know the query by its content, leave out files that are alone, and name fewer hits and repeated ones', async () => {
    await pictures();
    await write({ 'a/copy.png': PNG('a1'), 'c/alone.png': PNG('c') });
    const { columns, text } = await figures({ ...byFolder, metrics: ['precision@3'] }, (name) =>
      asHits(name === 'a/a1.png' ? ['a/copy.png', 'b/b1.png', 'b/b1.png'] : ['a/a2.png', 'a/a1.png']),
    );
    await rm(path.join(folder, 'a/copy.png'));
    await rm(path.join(folder, 'c'), { recursive: true });
    assert.equal(columns[0]!.metrics[0]!.blank, 1);
    assert.match(text, /measured to 2 of 3 hits/);
    assert.match(text, /returned a hit twice in 1 result/);
  });

  it('follow the judgements of people beside the experiment before the labels, for a query and a hit by their contents', async () => {
    await pictures();
    const sha = (name: string) =>
      createHash('sha256')
        .update(Buffer.from(PNG(name), 'latin1'))
        .digest('hex');
    const judged = (grade: number | '?' | null, at: number, by = 'a', more: object = {}) =>
      JSON.stringify({
        query: sha('a3'),
        hit: 'elsewhere/b3.png',
        hit_sha256: sha('b3'),
        grade,
        by,
        judged_at: new Date(at).toISOString(),
        ...more,
      });
    const hit = async (...lines: string[]) => {
      await write({ 'a.qrels.jsonl': `${lines.join('\n')}\n` });
      const { values } = await figures({ ...byFolder, metrics: ['hit@1'] }, (name) =>
        asHits([name, ...searched(name).map(inFolder)]),
      );
      return Object.values<number | undefined>(values)[0]!;
    };
    near({ none: await hit('no line') }, { none: 0.5 });
    near({ right: await hit(judged(2, 1)) }, { right: 0.6667 });
    near({ back: await hit(judged(2, 1), judged(null, 2)) }, { back: 0.5 });
    near({ older: await hit(judged(0, 2), judged(2, 1)) }, { older: 0.5 });
    near({ unclear: await hit(judged('?', 1)) }, { unclear: 0.5 });
    near({ others: await hit(judged(0, 2), judged(1, 1, 'b')) }, { others: 0.6667 });
    await rm(path.join(folder, 'a.qrels.jsonl'));
  });

  it('follow people alone without labels, and leave out queries that they have found nothing for', async () => {
    await pictures();
    const line = {
      query: '',
      name: 'a/a1.png',
      hit: 'a/a2.png',
      grade: 3,
      judged_at: '2026-01-01T00:00:00Z',
    };
    const query = createHash('sha256')
      .update(Buffer.from(PNG('a1'), 'latin1'))
      .digest('hex');
    const text = `${JSON.stringify({ ...line, query })}\n`;
    await write({ 'a.qrels.jsonl': text });
    const own = { over, expected: { qrels: 'a.qrels.jsonl' }, metrics: ['hit@1', 'ndcg@3'] };
    const found = (name: string) => asHits([name, ...searched(name).map(inFolder)]);
    const { values, columns } = await figures(own, found);
    near(values, { 'hit@1': 1, 'ndcg@3': 1 });
    assert.deepEqual([columns[0]!.metrics[0]!.measured!.count, columns[0]!.metrics[0]!.blank], [1, 5]);
    const judgements = hitJudgementsIn(text);
    assert.equal(qrelsText(judgements, 'trec'), 'a/a1.png\t0\ta/a2.png\t3\n');
    const beir = readGrades(qrelsText(judgements, 'beir'));
    assert.deepEqual([beir.grades.get('a/a1.png')!.get('a/a2.png'), beir.faults], [3, []]);
    await rm(path.join(folder, 'a.qrels.jsonl'));
  });

  it('name the oddities of an index: files that miss themselves, that none finds, hubs and near duplicates', async () => {
    await pictures();
    const found = (name: string) =>
      asHits(name === 'a/a1.png' ? ['b/b1.png', name] : [name, ...searched(name).map(inFolder), 'a/a1.png']);
    const { table } = await figures({ ...byFolder, metrics: ['hit@1'] }, found);
    const audit = Object.fromEntries(auditOf(table!, 0).map(({ kind, files, n }) => [kind, [files, n]]));
    assert.deepEqual(audit, {
      notItself: [[['a/a1.png']], 6],
      neverFound: [[], 6],
      hub: [[], 6],
      duplicate: [[['a/a3.png', 'b/b3.png']], 6],
    });
    const pair = await figures({ ...byFolder, metrics: ['hit@1'] }, (name) =>
      asHits([name, name === 'a/a1.png' ? 'a/a2.png' : 'a/a1.png']),
    );
    const [, never, hub, duplicate] = auditOf(pair.table!, 0);
    assert.deepEqual(never!.files.flat(), ['a/a3.png', 'b/b1.png', 'b/b2.png', 'b/b3.png']);
    assert.deepEqual([hub!.files, hub!.n], [[], 2]);
    assert.deepEqual(
      duplicate!.files.map((files) => files.toSorted()),
      [['a/a1.png', 'a/a2.png']],
    );
  });

  it('know the label of a file outside of the workspace by its name and place', async () => {
    await pictures();
    const id = (name: string) =>
      placedId(`${name}.png`, pathToFileURL(path.join(folder, inFolder(name))).href);
    const { values, text } = await figures({ ...byFolder, metrics: ['hit@1'] }, (name) =>
      asHits([id(path.posix.basename(name, '.png')), ...searched(name).map(id)]),
    );
    near(values, { 'hit@1': 0.5 });
    assert.match(text, /without the query itself/);
  });

  it('judge no hit of another indexer, whose ids name no known folder, and name the judged share', async () => {
    await pictures();
    const { values, text } = await figures({ ...byFolder, metrics: ['precision@3'] }, (name) =>
      asHits([name, 'bucket/17', ...searched(name).slice(0, 2).map(inFolder)]),
    );
    near(values, { 'precision@3': 0.3333 });
    assert.match(text, /66\.7% of the hits are judged/);
    // Another way to name the query is no right hit.
    const elsewhere = (name: string) => `/ci/${name.replace('.png', '')}`;
    const renamed = await figures({ ...byFolder, metrics: ['hit@1'] }, (name) =>
      asHits([elsewhere(name), ...searched(name).map(inFolder).map(elsewhere)]),
    );
    near(renamed.values, { 'hit@1': 0.5 });
  });

  it('fail with a sentence where a result has no hits, and a label is no record', async () => {
    await pictures();
    const noHits = await figures({ ...byFolder, metrics: ['hit@1'] }, () => ({ label: 'a' }));
    assert.match(noHits.text, /^hit@1: not measured, since the result has no list of hits in all 6 results/);
    const atList = { folder: true, at: '/results' };
    const list = await figures({ over, expected: atList, metrics: ['contains'] }, (name) => asHits([name]));
    assert.match(list.text, /^contains: not measured, since the result is a list in all 6 results/);
    const recall = await figures({ ...byFolder, metrics: ['recall@5'] }, () => null);
    assert.match(recall.errors.join(), /needs a list of them: use "qrels"/);
  });

  it('lie between 0 and 1, and are 1 only where the first hits are the best', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    const grades = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(ids, grades, fc.integer({ min: 1, max: 6 }), (hits, judged, k) => {
        const right = Object.values(judged).filter((grade) => grade > 0);
        right.sort((a, b) => b - a);
        const relevance: Relevance = {
          gradeOf: (id) => judged[id],
          isQuery: () => false,
          total: right.length,
          best: (most) => right.slice(0, most),
        };
        const of = (name: string, list = hits) => measureHits(hitRule(name)!, list, relevance).value;
        const gained = hits.slice(0, k).map((id) => judged[id] ?? 0);
        const best = Array.from({ length: k }, (_, at) => right[at] ?? 0);
        for (const name of [`hit@${k}`, `precision@${k}`, `recall@${k}`, `ndcg@${k}`, 'mrr']) {
          const value = of(name);
          assert.ok(value >= 0 && value <= 1 + 1e-12, `${name} ${value}`);
          assert.equal(of(name, [...hits, ...hits]), value, 'a second time counts once');
        }
        const unknown = { ...relevance, total: 0, best: () => [] };
        for (const name of [`recall@${k}`, `ndcg@${k}`])
          assert.ok(measureHits(hitRule(name)!, hits, unknown).value <= 1 + 1e-12, 'of more than are known');
        const isBest = right.length > 0 && best.every((grade, at) => grade === (gained[at] ?? 0));
        assert.equal(Math.abs(of(`ndcg@${k}`) - 1) < 1e-12, isBest);
        assert.equal(of(`precision@${k}`) === 1, gained.length === k && gained.every((grade) => grade > 0));
      }),
    );
  });

  it('name the lines of a file that are no judgements', () => {
    const { grades, faults } = readGrades('query-id\tcorpus-id\tscore\nq\ta b\t1.0\nq\tc\thigh\n');
    assert.deepEqual([...grades.get('q')!], [['a b', 1]]);
    assert.equal(readGrades('q 0 a 0.5\n').faults.length, 1, 'no head');
    assert.deepEqual(
      faults.map((fault) => 'line' in fault && fault.line),
      [3],
    );
  });
});
