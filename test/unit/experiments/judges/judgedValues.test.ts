import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { RunDraft } from '../../../../src/domain/run';
import type { JudgeEntry } from '../../../../src/experiments/file/format';
import type { ExperimentItem } from '../../../../src/experiments/file/items';
import { expectedJudging } from '../../../../src/experiments/judges/expectedJudging';
import { judgeOf, judgeProblems } from '../../../../src/experiments/judges/judge';
import { expectedValue, inputValue, outputValue } from '../../../../src/experiments/judges/judgedValues';
import type { PlannedRun } from '../../../../src/experiments/plan/plan';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';

const draftOf = (input: object): RunDraft => ({
  ...{ model: 'judge', mode: 'execute', params: {} },
  input: input as RunDraft['input'],
});
const rubric: JudgeEntry = { name: 'quality', judge: 'j', rubric: { from: 1, to: 5 } };
const pairs = (baseline?: Readonly<Record<string, Json>>): JudgeEntry => ({
  ...{ name: 'better', judge: 'j', pairwise: { ...(baseline && { baseline }) } },
});

describe('The values that a judge sees', () => {
  const file = {
    path: '/a/cat.png',
    uri: 'file:///a/cat.png',
    filename: 'cat.png',
    sizeBytes: 1,
    sha256: '',
  };
  const media = { media_ref: file.uri, filename: 'cat.png' };
  const input = (values: Readonly<Record<string, Json>>, files: ExperimentItem['files'] = []) =>
    inputValue({ name: 'row 2', values, files }, draftOf({ prompt: 'the same' }));

  it('contain the only input unchanged, several by their names, and no address of a file', () => {
    assert.deepEqual(input({ '/input/text': 'a "b"' }), { text: 'a "b"' });
    assert.deepEqual(input({ '/input/size': 3 }), { text: '3' });
    assert.deepEqual(input({ '/input/text': 'a', '/input/images/0': media }, [file]), {
      ...{ text: '{"text":"a","images":"cat.png"}', file },
    });
    assert.deepEqual(input({ '/input/image': media }, [file]), { file });
    assert.deepEqual(input({ '/input/a': { media_ref: 'file:///x/dog.png' }, '/input/b': 1 }), {
      text: '{"a":"dog.png","b":1}',
    });
    assert.deepEqual(input({}), { text: 'the same' }, 'without rows the input of the run');
  });

  it('contain the expected value and the compared part of the result, where there are such', async () => {
    assert.deepEqual(
      ['cat', '', { a: 1 }, null, undefined].map((expected) => {
        const item = { name: 'row 2', values: {}, files: [] };
        return expectedValue(expected === undefined ? item : { ...item, expected });
      }),
      [{ text: 'cat' }, { text: '' }, { text: '{"a":1}' }, {}, {}],
    );
    const output = (line: object, at = '/label') =>
      outputValue({ variation: {}, ...line } as ResultLine, at, '/none.results.jsonl', true);
    assert.deepEqual(await output({ result: { label: ['a'] } }), { text: '["a"]' });
    assert.deepEqual(await output({ result: { other: 'a' } }), {});
    assert.deepEqual(await output({ result_file: 'none.results/gone.json' }), {});
    assert.deepEqual(
      await output({ result: `sha256:${'0'.repeat(64)}`, result_file: 'none.results/a.png' }, ''),
      {},
    );
  });
});

describe('A judge that can never judge', () => {
  const problems = (entry: JudgeEntry, prompt: string) =>
    judgeProblems(judgeOf(entry, draftOf({ prompt }), undefined), { variations: [{ '/model': 'a' }] });

  it('reports each wrong or missing placeholder, and a baseline that no column has', () => {
    assert.deepEqual(problems(rubric, '{{output}} {{expected}} {{input}}'), []);
    assert.deepEqual(problems(pairs({ '/model': 'a' }), '{{output}} {{other}}'), []);
    for (const [entry, prompt, wanted] of [
      [
        rubric,
        '{{output}} {{outptu}}',
        /^“\{\{outptu\}\}” is no placeholder\. Use \{\{input\}\}, \{\{output\}\}/,
      ],
      [rubric, '{{input}}', /lacks \{\{output\}\}/],
      [rubric, '{{output}} {{other}}', /\{\{other\}\} is for “pairwise” only/],
      [pairs(), '{{output}}', /lacks \{\{other\}\}/],
      [pairs({ '/model': 'b' }), '{{output}} {{other}}', /No column has the values of “baseline”/],
    ] as const) {
      const [first, ...others] = problems(entry, prompt);
      assert.match(first!, wanted);
      assert.deepEqual(others, []);
    }
  });
});

describe('The expected number of judges’ runs', () => {
  /** Two rows of three columns; both rows ask the third column for the same. */
  const places: readonly (readonly [id: string, ...serves: (readonly [column: number, row: number])[]])[] = [
    ['a0', [0, 0]],
    ['a1', [0, 1]],
    ['b0', [1, 0]],
    ['b1', [1, 1]],
    ['c', [2, 0], [2, 1]],
  ];
  const runs = places.map(
    ([customId, ...serves]) =>
      ({
        ...{ customId, repeat: 0 },
        serves: serves.map(([variation, item]) => ({ variation, item })),
      }) as Partial<PlannedRun> as PlannedRun,
  );
  const ofJudge = { ...runs[0]!, customId: 'a0-judge', judge: 'quality' };
  const variations = ['a', 'b', 'c'].map((model) => ({ '/model': model }));
  const expected = (entry: JudgeEntry, input: object, chosen: readonly string[]) => {
    const plan = { variations, runs: [...runs, ofJudge] } as never;
    const judges = [judgeOf(entry, draftOf(input), undefined)];
    const cells = runs.filter(({ customId }) => chosen.includes(customId));
    return expectedJudging({ judges, plan }, [...cells, ofJudge]).map(({ runs: count, media }) => [
      count,
      media,
    ]);
  };
  const all = runs.map(({ customId }) => customId);

  it('counts one for each run, or for each row where the expected value is in the prompt', () => {
    assert.deepEqual(expected(rubric, { prompt: '{{output}}' }, all), [[5, 0]]);
    assert.deepEqual(expected(rubric, { prompt: '{{output}} {{expected}}' }, all), [[6, 0]]);
    assert.deepEqual(expected(rubric, { image: { media_ref: '{{output}}' } }, ['a0', 'c']), [[2, 1]]);
    assert.deepEqual(expected(rubric, { prompt: '{{output}}' }, []), []);
  });
});
