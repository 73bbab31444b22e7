import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { summarise } from '../../../../src/experiments/figures/summary';
import { variationsOf } from '../../../../src/experiments/plan/grid';
import { itemSha256 } from '../../../../src/experiments/plan/runId';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { changedBetween } from '../../../../src/experiments/table/changedRows';
import { type OtherResults, tableWith } from '../../../../src/experiments/table/otherResults';
import { placedPlan } from '../../../../src/experiments/table/placedPlan';
import { ExperimentTable } from '../../../../src/experiments/table/table';
import { planExperiment, readResults } from '../../../support/atOnce';
import { rowOf, tableOf } from '../../../support/experiments/table';

const accuracy = [{ name: 'accuracy', tolerance: 0 }] as const;
const MODELS = ['one', 'two'];
const items = (texts: readonly string[]) => texts.map((text) => rowOf(text, 'cat'));
const table = (
  texts: readonly string[],
  result: (item: number, variation: number) => string,
  models = MODELS,
) =>
  tableOf({
    variations: variationsOf({ '/model': models }),
    items: items(texts),
    requestOf: (variation, { values }) =>
      createHash('sha256')
        .update(JSON.stringify([variation, values]))
        .digest('hex'),
    line: ({ item, variation }) => ({
      result: result(item, variation),
      item_sha256: itemSha256(items(texts)[item]!),
      cost: { amount: '0.01', currency: 'USD' },
    }),
  });
const asOther = (results: readonly ResultLine[], file = '/none/a.results.jsonl'): OtherResults => ({
  ...{ label: 'before', file },
  read: readResults(results.map((line) => JSON.stringify(line)).join('\n')),
});
const linesOf = (...of: Parameters<typeof table>) => [...table(...of).results.values()];

describe('A table with results of another time', () => {
  it('gives each row the earlier result of its own input, in any order of rows', async () => {
    const texts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (now, then) => {
        const { table: whole, columns } = await tableWith(
          table(now, () => 'cat'),
          [asOther(linesOf(then, (item, variation) => `${MODELS[variation]} ${then[item]}`))],
        );
        assert.deepEqual(
          columns.map(({ column, own }) => [column, own]),
          now.some((text) => then.includes(text))
            ? [
                [2, 0],
                [3, 1],
              ]
            : [],
        );
        for (const [row, text] of now.entries())
          for (const [column, model] of MODELS.entries()) {
            const found =
              columns.length === 0 ? [] : whole.runs(row, column + 2).map(({ line }) => line?.result);
            assert.deepEqual(found, then.includes(text) ? [`${model} ${text}`] : []);
            assert.equal(whole.runs(row, column)[0]?.line?.result, 'cat');
          }
      }),
    );
  });

  it('counts rows that became wrong and right, by input', async () => {
    const now = table(['a', 'b', 'c', 'd'], (item) => (item < 1 ? 'dog' : 'cat'));
    const before = linesOf(['x', 'd', 'c', 'b', 'a'], (item) => (item === 3 ? 'dog' : 'cat'));
    const { table: whole } = await tableWith(now, [asOther(before)]);
    assert.deepEqual(changedBetween(whole, accuracy, [0, 2]), { becameWrong: [0], becameRight: [1] });
    assert.deepEqual(
      [0, 1, 2, 3].map((column) => whole.against(column, 0)),
      [2, 3, undefined, undefined],
    );
  });

  it('compares a column with results of its own requests only, and shows others where there are none', async () => {
    const now = table(['a'], () => 'cat');
    const pairsWith = async (...models: string[]) => {
      const { columns, table: whole } = await tableWith(now, [asOther(linesOf(['a'], () => 'dog', models))]);
      return [columns.map(({ own }) => own), [0, 1].map((column) => whole.against(column, undefined))];
    };
    assert.deepEqual(await pairsWith('old'), [[undefined], [undefined, undefined]], 'a replaced model');
    assert.deepEqual(await pairsWith('two'), [[1], [undefined, 2]]);
    assert.deepEqual(await pairsWith('two', 'old'), [[1], [undefined, 2]]);
    assert.deepEqual(await pairsWith('old', 'older'), [
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const several = await tableWith(now, [asOther(linesOf(['a'], () => 'dog', ['old', 'older']))]);
    assert.deepEqual([several.table.against(2, 0), several.table.against(1, 0)], [0, 0]);
  });

  it('leaves the figures of the experiment unchanged', async () => {
    const inputs = ['a', 'bb', 'ccc', 'dddd'].map((text, at) => rowOf(text, ['1', '1.0', '2', '2'][at]));
    const of = (results: readonly (string | number)[]) =>
      tableOf({
        variations: [{}],
        items: inputs,
        line: ({ item }) => ({ result: results[item]!, item_sha256: itemSha256(inputs[item]!) }),
      });
    const own = of(['1', '2', '2', '1']);
    // Beside numbers, the texts 1 and 1.0 would be one label.
    const { table: whole } = await tableWith(own, [asOther([...of([1, 1, 2, 2]).results.values()])]);
    const metrics = [...accuracy, { name: 'macro_f1', tolerance: 0 }] as const;
    const [alone, beside] = await Promise.all([own, whole].map((one) => summarise(one, metrics)));
    assert.equal(whole.columns, 2);
    assert.deepEqual(beside!.columns[0], alone!.columns[0]);
  });

  it('keeps present costs apart from those of the other results', async () => {
    const now = table(['a', 'b'], () => 'cat');
    const { table: whole } = await tableWith(now, [asOther(linesOf(['a', 'b'], () => 'dog'))]);
    assert.equal(now.paid.size, 4);
    assert.equal(whole.paid.size, 8);
  });

  it('shows the latest of several results of other requests for an input', async () => {
    const line = (id: string, at: string, result: string) =>
      ({ ...linesOf(['a'], () => result, ['old'])[0]!, custom_id: id, started_at: at }) as ResultLine;
    const lines = [line('x', '2026-01-02', 'late'), line('y', '2026-01-01', 'early')];
    for (const order of [lines, lines.toReversed()]) {
      const { table: whole } = await tableWith(
        table(['a'], () => 'cat', ['one']),
        [asOther(order)],
      );
      assert.equal(whole.runs(0, 1)[0]?.line?.result, 'late');
    }
  });
});

describe('A column of an experiment', () => {
  interface State {
    /** The request values of each column, in their order. */
    readonly columns: readonly { readonly model: string; readonly k: number }[];
    readonly rows: readonly string[];
    /** Values that all columns share are in "run" only, as before a second model is added. */
    readonly isShort: boolean;
    /** The names that the user has given to models. */
    readonly names: Readonly<Record<string, string>>;
  }
  const sends = fc.record({ model: fc.constantFrom('a', 'b', 'c'), k: fc.constantFrom(1, 2) });
  const step = fc.oneof(
    fc.record({ add: sends, at: fc.nat(5) }),
    fc.record({ remove: fc.nat(5) }),
    fc.record({ from: fc.nat(5), to: fc.nat(5) }),
    fc.record({ isShort: fc.boolean() }),
    fc.record({
      names: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'short'), {
        maxKeys: 3,
      }),
    }),
    fc.record({ rows: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function changed(state: State, one: Step): State {
    const columns = [...state.columns];
    if ('add' in one) {
      const isNew = columns.every(({ model, k }) => model !== one.add.model || k !== one.add.k);
      if (isNew) columns.splice(one.at, 0, one.add);
    } else if ('remove' in one) {
      if (columns.length > 1) columns.splice(one.remove % columns.length, 1);
    } else if ('from' in one) {
      const [moved] = columns.splice(one.from % columns.length, 1);
      columns.splice(one.to, 0, moved!);
    } else return { ...state, ...one };
    return { ...state, columns };
  }

  function tableIn({ columns, rows, isShort, names }: State): ExperimentTable {
    const [{ model, k }] = columns as [State['columns'][number]];
    const sharesModel = isShort && columns.every((one) => one.model === model);
    const sharesK = isShort && columns.every((one) => one.k === k);
    const variations = columns.map((one) => ({
      ...(!sharesK && { '/params/k': one.k }),
      ...(!sharesModel && { '/model': one.model }),
    }));
    const base = {
      model: sharesModel ? model : 'any',
      mode: 'execute',
      input: {},
      params: { k: sharesK ? k : 9 },
    };
    const inputs = { items: items(rows), faults: [], isText: true };
    const planned = planExperiment({ base, variations, items: inputs, repeats: 1, contracts: new Map() });
    const { plan } = placedPlan({ ...planned, labels: { '/model': names } }, new Map());
    const results = plan.runs.map(({ customId, serves: [place] }): ResultLine => {
      const { variation, item } = place!;
      const result = { ...columns[variation]!, row: rows[item]! };
      const item_sha256 = itemSha256(plan.items[item]!);
      const shared = { custom_id: customId, item: rows[item]!, item_sha256, repeat: 0, request_sha256: '' };
      return { ...shared, variation: variations[variation]!, state: 'finished', result };
    });
    const byId = new Map(results.map((line) => [line.custom_id, line]));
    return new ExperimentTable(plan, byId, { at: '', isText: true, failedIsWrong: true });
  }

  it('keeps its results however columns are added, removed, moved, renamed and spelled', async () => {
    const first: State = { columns: [{ model: 'a', k: 1 }], rows: ['x', 'y'], isShort: true, names: {} };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const states = [first];
        for (const one of steps) states.push(changed(states.at(-1)!, one));
        const now = states.at(-1)!;
        for (const then of states) {
          const { table: whole } = await tableWith(tableIn(now), [
            asOther([...tableIn(then).results.values()]),
          ]);
          const hasRow = then.rows.some((row) => now.rows.includes(row));
          for (const [column, sent] of now.columns.entries()) {
            const other = whole.plan.others!.pairs.get(column);
            const wasThere = then.columns.some(({ model, k }) => model === sent.model && k === sent.k);
            assert.equal(other !== undefined, wasThere && hasRow);
            for (const [row, name] of now.rows.entries())
              if (other !== undefined)
                assert.deepEqual(
                  whole.lines(row, other).map(({ result }) => result),
                  then.rows.includes(name) ? [{ ...sent, row: name }] : [],
                );
          }
        }
      }),
    );
  });
});

describe('Results of another time that are not all there', () => {
  it('count as missing without one of their files', async () => {
    const lines = linesOf(['a', 'b', 'c'], () => 'dog', ['one']);
    const withFiles = lines.map(
      (line, at): ResultLine => ({
        ...line,
        ...(at > 0 && { result_file: '../outside.txt' }),
        ...(at === 2 && { other_files: ['a.results/also.png'] }),
      }),
    );
    const of = async (results: readonly ResultLine[]) => {
      const brought: string[] = [];
      const bring = async (names: readonly string[]) => void brought.push(...names);
      const other = { ...asOther(results), bring };
      const { missing } = await tableWith(
        table(['a', 'b', 'c'], () => 'cat', ['one']),
        [other],
      );
      return [missing.get(other), brought];
    };
    assert.deepEqual(await of(lines), [undefined, []]);
    const names = ['../outside.txt', '../outside.txt', 'a.results/also.png'];
    assert.deepEqual(await of(withFiles), [2, names]);
  });
});
