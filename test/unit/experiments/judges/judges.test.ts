import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json';
import type { ModelContract } from '../../../../src/domain/model';
import { metricProblems } from '../../../../src/experiments/file/askedMetrics';
import { readExperiment } from '../../../../src/experiments/file/read';
import { expectedJudging } from '../../../../src/experiments/judges/expectedJudging';
import { judgeOf, judgeProblems } from '../../../../src/experiments/judges/judge';
import { judgedKey } from '../../../../src/experiments/judges/judgedKey';
import { judgeRuns } from '../../../../src/experiments/judges/judgeRuns';
import { filledDraft, type JudgedValues, NoValue } from '../../../../src/experiments/judges/template';
import { readAnswer, verdictsOf } from '../../../../src/experiments/judges/verdicts';
import { agreementOf, kappaOf } from '../../../../src/experiments/metrics/agreement';
import type { JudgeRule } from '../../../../src/experiments/metrics/metrics';
import type { PlannedRun } from '../../../../src/experiments/plan/plan';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { resultText } from '../../../../src/experiments/results/results';
import { readResults } from '../../../support/atOnce';
import { judgeDraft } from '../../../support/experiments/judgeDraft';
import { rowOf, tableOf } from '../../../support/experiments/table';

const fill = (input: object, values: JudgedValues) => filledDraft(judgeDraft(input), values).input;

const contractOf = (properties: object, output?: object): ModelContract =>
  ({
    ...{ slug: 'llm', id: 'llm', name: 'LLM', modesDeclared: false },
    modes: [
      {
        ...{ name: 'execute', vectorBacked: false },
        input: { schema: { type: 'object', properties }, origin: 'schema' },
        params: { schema: { type: 'object', properties: {} }, origin: 'schema' },
        ...(output && { output: { schema: { type: 'object', properties: output }, origin: 'schema' } }),
      },
    ],
  }) as unknown as ModelContract;

describe('The run of a judge', () => {
  it('replaces each placeholder by its text once, for any text', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('{{output}}', '{{expected}}', '$&', '$1', '\\', '{{'));
    fc.assert(
      fc.property(text, text, (output, expected) => {
        const filled = fill(
          { prompt: ['{{output}}', 'a {{ expected }} b {{output}}'] },
          { output: { text: output }, expected: { text: expected } },
        );
        assert.deepEqual(filled, { prompt: [output, `a ${expected} b ${output}`] });
      }),
    );
  });

  it('takes files in media objects, and text elsewhere', () => {
    const file = { path: '/a.png', uri: 'file:///a.png', filename: 'a.png', sizeBytes: 1, sha256: 'a' };
    assert.deepEqual(fill({ image: { media_ref: '{{output}}' } }, { output: { file } }), {
      image: { media_ref: file.uri, filename: 'a.png' },
    });
    assert.throws(() => fill({ image: { media_ref: '{{output}}' } }, { output: { text: 'a' } }), NoValue);
    assert.throws(() => fill({ text: '{{output}}' }, { output: { file } }), NoValue);
    assert.throws(() => fill({ text: '{{expected}}' }, {}), NoValue);
  });
});

describe('The answer of a judge', () => {
  const rubric: JudgeRule = { kind: 'rubric', from: 1, to: 5 };
  const choices: JudgeRule = { kind: 'choices', scores: { polite: 1, rude: 0 } };
  const pair: JudgeRule = { kind: 'pairwise', first: 'A', second: 'B', tie: 'tie', baseline: {} };

  it('counts as a number of the range, or as exactly one of the labels', () => {
    for (const [rule, value, wanted] of [
      [rubric, 4, 4],
      [rubric, ' 4.5\n', 4.5],
      [rubric, '1', 1],
      [rubric, 5, 5],
      [choices, 'polite', 1],
      [choices, 'rude ', 0],
      [pair, 'A', 1],
      [pair, 'tie', 0.5],
    ] as const)
      assert.deepEqual(readAnswer(rule, value), wanted);
    const not = (rule: JudgeRule, ...values: readonly (Json | undefined)[]) => {
      for (const value of values) assert.equal(readAnswer(rule, value), undefined, JSON.stringify(value));
    };
    not(rubric, 0.9, '6', '4 of 5', { score: 4 }, undefined, true);
    not(choices, 'Polite', 'polite, not rude', 'constructor');
    not(pair, 'a', 'A or B');
  });
});

describe('Cohen’s kappa', () => {
  // J. Cohen (1960), table 2, also the example of his paper of 1968, of 200 diagnoses. Rows: the first rater.
  const counts = ['88 14 18', '10 40 10', '2 6 12'].map((row) => row.split(' ').map(Number));
  const diagnoses = counts.flatMap((row, a) =>
    row.flatMap((count, b) => Array.from({ length: count }, () => [a, b] as const)),
  );

  it('equals the published value of nominal ratings', () => {
    const { kappa, count, same } = agreementOf(diagnoses, false);
    assert.equal(kappa!.toFixed(3), '0.492');
    assert.deepEqual([count, same], [200, 140]);
  });

  it('equals the published value with the weights of that example', () => {
    const weights = ['0 1 3', '1 0 6', '3 6 0'].map((row) => row.split(' ').map(Number));
    assert.equal(kappaOf(diagnoses, (a, b) => weights[a]![b]!)!.toFixed(3), '0.348');
  });

  it('lies between −1 and 1, and is 1 for equal ratings that differ among the results', () => {
    const rating = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(rating, rating), { maxLength: 30 }), fc.boolean(), (pairs, isScale) => {
        const { kappa } = agreementOf(pairs, isScale);
        if (kappa !== undefined) assert.ok(kappa >= -1 - 1e-9 && kappa <= 1);
        const same = agreementOf(
          pairs.map(([a]) => [a, a] as const),
          isScale,
        );
        assert.equal(same.kappa, new Set(pairs.map(([a]) => a)).size > 1 ? 1 : undefined);
        const turned = agreementOf(
          pairs.map(([a, b]) => [b, a] as const),
          isScale,
        );
        assert.ok(Math.abs((turned.kappa ?? 0) - (kappa ?? 0)) < 1e-9);
      }),
    );
  });
});

describe('The file of an experiment with judges', () => {
  const problems = (judge: object, more: object = {}) =>
    readExperiment(
      JSON.stringify({
        run: { model: 'm' },
        metrics: [{ name: 'a', judge: 'j.run.json', ...judge }],
        ...more,
      }),
    ).problems.map(({ pointer }) => pointer);

  it('accepts a rubric, choices or pairs, and thresholds of them', () => {
    const thresholds = { a: '>= 0.5' };
    assert.deepEqual(problems({ rubric: { from: 1, to: 5 } }, { thresholds }), []);
    assert.deepEqual(problems({ choices: { good: 1, bad: 0 }, at: '/label', output: '/text' }), []);
    assert.deepEqual(problems({ pairwise: { baseline: { '/model': 'm' } } }), []);
    assert.deepEqual(problems({ judge: { model: 'j', input: { text: '{{output}}' } }, pairwise: {} }), []);
  });

  it('names the place of each problem', () => {
    assert.deepEqual(problems({}), ['/metrics/0']);
    assert.deepEqual(problems({ rubric: { from: 1, to: 5 }, pairwise: {} }), ['/metrics/0']);
    assert.deepEqual(problems({ rubric: { from: 5, to: 1 } }), ['/metrics/0/rubric']);
    assert.deepEqual(problems({ choices: { good: 1 } }), ['/metrics/0/choices']);
    assert.deepEqual(problems({ pairwise: { first: 'B' } }), ['/metrics/0/pairwise']);
  });
});

describe('The lines of judges’ runs', () => {
  it('round-trip through the file, apart from the results of the grid', () => {
    const line = fc.record(
      {
        custom_id: fc.stringMatching(/^[0-9a-f]{24}-(?:judge|0)$/),
        variation: fc.constant({}),
        item: fc.string(),
        judge: fc.string(),
        repeat: fc.constant(0),
        request_sha256: fc.string(),
        state: fc.constantFrom('finished' as const, 'failed' as const),
        result: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
        started_at: fc.constant('2026-01-01T00:00:00.000Z'),
      },
      {
        requiredKeys: ['custom_id', 'variation', 'item', 'repeat', 'request_sha256', 'state'],
        noNullPrototype: true,
      },
    );
    const lines = fc.uniqueArray(line, { selector: ({ custom_id: id }) => id });
    fc.assert(
      fc.property(lines, (all) => {
        const { results, judging, unreadable } = readResults(all.map(resultText).join(''));
        const [ofGrid, ofJudges] = [false, true].map((isJudge) =>
          all.filter(({ custom_id: id }) => id.endsWith('-judge') === isJudge),
        );
        assert.deepEqual([results, judging, unreadable], [ofGrid, ofJudges, []]);
      }),
    );
    const sent = { custom_id: `${'a'.repeat(24)}-judge`, state: 'sent', started_at: 'x', sender: 'b' };
    assert.equal(readResults(`${JSON.stringify(sent)}\n`).judging[0]?.state, 'unconfirmed');
  });
});

describe('The names of metrics', () => {
  const judge = (name: string) => ({ name, judge: 'j', rubric: { from: 1, to: 5 } });
  const placesOf = (...metrics: Parameters<typeof metricProblems>[0]) =>
    metricProblems(metrics).map(({ pointer }) => pointer);

  it('differ, since figures and thresholds know metrics by their names', () => {
    assert.deepEqual(placesOf('accuracy', 'exact', judge('quality')), []);
    assert.deepEqual(placesOf('json_equal', { metric: 'json_equal', tolerance: 0.1 }), ['/metrics/1']);
    assert.deepEqual(placesOf('accuracy', judge('accuracy')), ['/metrics/1']);
    assert.deepEqual(placesOf(judge('accuracy'), 'accuracy'), ['/metrics/0']);
    assert.deepEqual(placesOf(judge('score')), ['/metrics/0'], 'people give scores');
  });
});

describe('The runs of judges', () => {
  const rubric = { name: 'quality', judge: 'j', rubric: { from: 1, to: 5 } } as const;
  const pairs = { name: 'better', judge: 'j', pairwise: {} } as const;
  const judgesOf = (contract: ModelContract | undefined) => [
    judgeOf(rubric, judgeDraft({ prompt: '{{input}} {{output}} {{expected}}' }), contract),
    judgeOf(pairs, judgeDraft({ prompt: '{{output}} or {{other}}' }), contract),
  ];
  const judgedTable = (outputs: readonly (readonly string[])[]) =>
    tableOf({
      variations: [{ '/model': 'a' }, { '/model': 'b' }],
      items: outputs.map((_, at) => rowOf('x'.repeat(at + 1), `expected ${at % 2}`)),
      line: ({ item, variation }) => ({ result: outputs[item]![variation], started_at: 't' }),
    });
  const runsOf = async (outputs: readonly (readonly string[])[], contract: ModelContract | undefined) => {
    const judges = judgesOf(contract);
    const table = judgedTable(outputs);
    return {
      judges,
      table,
      runs: await judgeRuns({ judges, base: judgeDraft({}) }, table, '/none.results.jsonl'),
    };
  };
  const llm = { ...contractOf({ prompt: { type: 'string' } }), slug: 'judge' };
  const outputs = fc.array(fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.constantFrom('p', 'q', 's')), {
    minLength: 1,
    maxLength: 6,
  });

  it('contain the row, its result and its expected value; of pairs both orders, beside the baseline', async () => {
    const { runs, table } = await runsOf(
      [
        ['p', 'q'],
        ['r', 'p'],
      ],
      llm,
    );
    assert.deepEqual(
      runs.runs.map(({ judge, request: { input }, serves }) => [
        ...[judge, input.prompt, serves.map(({ item, variation }) => `${item}${variation}`).join(' ')],
      ]),
      [
        ['quality', 'x p expected 0', '00'],
        ['quality', 'x q expected 0', '01'],
        ['quality', 'xx r expected 1', '10'],
        ['quality', 'xx p expected 1', '11'],
        ['better', 'q or p', '01'],
        ['better', 'p or q', '01'],
        ['better', 'p or r', '11'],
        ['better', 'r or p', '11'],
      ],
    );
    const first = judgedKey(table.runs(0, 1)[0]!.customId, 0);
    assert.deepEqual(
      runs.requests.get('better')!.get(first),
      runs.runs.slice(4, 6).map(({ customId }) => customId),
    );
    assert.deepEqual([runs.requests.get('better')!.size, runs.problems], [2, []]);
  });

  it('count at most as many as were expected, where all results differ', async () => {
    const places = fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(places, async (chosen) => {
        const { runs, judges, table } = await runsOf(
          Array.from({ length: 4 }, (_, row) => [`p ${row}`, `q ${row}`]),
          llm,
        );
        const cells = chosen.map((at) => table.plan.runs[at]!) as unknown as PlannedRun[];
        const isAbout = ({ judge, serves: [place] }: PlannedRun) =>
          cells.some(
            ({ serves: [one] }) =>
              one!.item === place!.item && (judge === 'better' || one!.variation === place!.variation),
          );
        const plan = { ...table.plan, base: judgeDraft({}) } as never;
        const expected = expectedJudging({ judges, plan }, cells).map((one) => one.runs);
        const own = ['quality', 'better'].map(
          (name) => runs.runs.filter((one) => one.judge === name && isAbout(one)).length,
        );
        assert.deepEqual(expected, own);
      }),
      { numRuns: 20 },
    );
  });

  it('count each row of a run where rows expect something', () => {
    const shared = {
      customId: 'a',
      repeat: 0,
      serves: [0, 1].map((item) => ({ variation: 0, item })),
    } as never;
    const of = (text: string) => {
      const judges = [judgeOf(rubric, judgeDraft({ text }), undefined)];
      return expectedJudging({ judges, plan: { runs: [shared] } as never }, [shared])[0]!.runs;
    };
    assert.deepEqual([of('{{output}}'), of('{{output}} {{expected}}')], [1, 2]);
  });

  it('leave out rows that are gone, and results that have not finished', async () => {
    const table = tableOf({
      items: [{ ...rowOf('gone', 'e'), isGone: true } as never, rowOf('here', 'e')],
      line: ({ variation }) => (variation === 0 ? { result: 'p', started_at: 't' } : { state: 'failed' }),
    });
    const judges = judgesOf(llm);
    const { runs } = await judgeRuns({ judges, base: judgeDraft({}) }, table, '/none.results.jsonl');
    assert.deepEqual(
      runs.map(({ request }) => request.input.prompt),
      ['here p e'],
    );
  });

  it('need the result, the other one in pairs, and a column of the baseline', () => {
    const apart = { ...pairs, pairwise: { baseline: { '/model': 'z' } } };
    for (const [entry, text, wanted] of [
      [rubric, '{{output}}', /^$/],
      [rubric, '{{input}}', /^The run of the judge lacks {{output}}, the result to judge\.$/],
      [rubric, '{{output}} {{other}}', /^{{other}} is for “pairwise” only\.$/],
      [rubric, '{{output}} {{othr}}', /^“{{othr}}” is no placeholder\. Use {{input}}, .*{{other}}\.$/],
      [pairs, '{{output}} {{other}}', /^$/],
      [pairs, '{{output}}', /^The run of the judge lacks {{other}}, the result to compare with\.$/],
      [apart, '{{output}} {{other}}', /^No column has the values of “baseline”\.$/],
    ] as const) {
      const judge = judgeOf(entry, { ...judgeDraft({}), params: { list: [{ text }] } }, undefined);
      const variations = [{ '/model': 'a' }, { '/model': 'b' }];
      assert.match(judgeProblems(judge, { variations }).join(' '), wanted, text);
    }
  });

  it('ask once for each content, and again for another result', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, async (all) => {
        const { runs } = await runsOf(all, llm);
        const ids = runs.runs.map(({ customId }) => customId);
        assert.equal(new Set(ids).size, ids.length);
        const graded = all.flatMap((row, at) => row.map((output) => `${at} ${output}`));
        const compared = all.flatMap(([a, b]) => [`${b} ${a}`, `${a} ${b}`]);
        assert.equal(ids.length, new Set(graded).size + new Set(compared).size);
        const [first, ...others] = all;
        const changed = await runsOf([[first![0], 'another'], ...others], llm);
        const added = changed.runs.runs.filter(({ customId }) => !ids.includes(customId));
        assert.ok(added.every(({ request }) => JSON.stringify(request).includes('another')));
        // Of other rows, one may have asked for the same.
        assert.ok(added.length > 0 && added.length <= 3, 'one grade, and both orders');
      }),
    );
  });

  it('give the same judgements with and without the contract of the judge', async () => {
    const answer = fc.constantFrom('1', '5', 'A', 'B', 'tie', 'none of these');
    await fc.assert(
      fc.asyncProperty(outputs, fc.array(answer, { minLength: 60, maxLength: 60 }), async (all, answers) => {
        const known = await runsOf(all, llm);
        const lines = new Map(
          known.runs.runs.map(({ customId }, at): [string, ResultLine] => [
            customId,
            {
              ...{ custom_id: customId, variation: {}, item: '', repeat: 0, request_sha256: '' },
              ...{ state: 'finished', result: answers[at]! },
            },
          ]),
        );
        assert.ok(lines.size > 0);
        const unknown = await runsOf(all, undefined);
        assert.deepEqual(unknown.runs.runs, []);
        const verdicts = ({ judges, runs }: typeof known) => verdictsOf(judges, runs, lines, '/none');
        assert.deepEqual(await verdicts(unknown), await verdicts(known));
      }),
    );
  });
});
