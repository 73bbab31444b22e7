import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { JudgeEntry } from '../../../../src/experiments/file/format';
import { type Judge, judgeOf } from '../../../../src/experiments/judges/judge';
import { type JudgeRuns, judgeRuns } from '../../../../src/experiments/judges/judgeRuns';
import { verdictsOf, verdictTexts } from '../../../../src/experiments/judges/verdicts';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { judgeDraft } from '../../../support/experiments/judgeDraft';
import { rowOf, tableOf } from '../../../support/experiments/table';

const rubric = (at = ''): JudgeEntry => ({ name: 'quality', judge: 'j', at, rubric: { from: 1, to: 5 } });
const pairs: JudgeEntry = { name: 'better', judge: 'j', pairwise: {} };

describe('The verdict of a judge', () => {
  /** Of one result: the answers to its requests. */
  async function verdictOf(
    judge: Judge,
    asked: readonly string[],
    answers: Readonly<Record<string, Partial<ResultLine>>>,
  ) {
    const lines = new Map(
      Object.entries(answers).map(([id, line]) => [
        id,
        { custom_id: id, variation: {}, state: 'finished', ...line } as ResultLine,
      ]),
    );
    const requests = new Map([[judge.metric.name, new Map([['0 a', asked]])]]);
    const verdicts = await verdictsOf(
      [judge],
      { requests } as Partial<JudgeRuns> as JudgeRuns,
      lines,
      '/none',
    );
    const { state, value, lines: own } = verdicts.get(judge.metric.name)!.get('0 a')!;
    return [state, value, own.map(({ custom_id: id }) => id).join()];
  }
  const answer = (result: Json) => ({ result });
  const failed = { state: 'failed' } as const;
  const unconfirmed = { state: 'unconfirmed' } as const;

  it('equals the score at the place of its answers', async () => {
    const judge = judgeOf(rubric('/score'), judgeDraft({}), undefined);
    assert.deepEqual(await verdictOf(judge, ['x'], { x: answer({ score: 4 }) }), ['judged', 4, 'x']);
    for (const result of [{ score: 6 }, { other: 4 }, 4] as Json[])
      assert.deepEqual(await verdictOf(judge, ['x'], { x: answer(result) }), ['unclear', undefined, 'x']);
    assert.deepEqual(await verdictOf(judge, ['x'], { x: failed }), ['failed', undefined, 'x']);
    assert.deepEqual(await verdictOf(judge, ['x'], { x: unconfirmed }), ['unconfirmed', undefined, 'x']);
    assert.deepEqual(await verdictOf(judge, ['x'], {}), ['missing', undefined, '']);
    assert.deepEqual(await verdictOf(judge, [], {}), ['missing', undefined, ''], 'no request could be made');
    const inFile = { result_file: 'none.results/gone.json' };
    assert.deepEqual(await verdictOf(judge, ['x'], { x: inFile }), ['unclear', undefined, 'x']);
  });

  it('needs both orders of a pair', async () => {
    const judge = judgeOf(pairs, judgeDraft({}), undefined);
    const of = (first: Partial<ResultLine> | undefined, swapped: Partial<ResultLine> | undefined) =>
      verdictOf(judge, ['a', 'b'], { ...(first && { a: first }), ...(swapped && { b: swapped }) });
    assert.deepEqual(await of(answer('A'), answer('B')), ['judged', 1, 'a,b']);
    assert.deepEqual(await of(answer('B'), answer('A')), ['judged', 0, 'a,b']);
    for (const [first, swapped] of ['A A', 'B B', 'tie A', 'B tie'].map((both) => both.split(' ')))
      assert.deepEqual(await of(answer(first!), answer(swapped!)), ['judged', 0.5, 'a,b']);
    assert.deepEqual(await of(answer('A'), undefined), ['missing', undefined, 'a']);
    assert.deepEqual(await of(answer('A'), answer('?')), ['unclear', undefined, 'a,b']);
    assert.deepEqual(await of(answer('?'), answer('B')), ['unclear', undefined, 'a,b']);
    assert.deepEqual(await of(failed, unconfirmed), ['unconfirmed', undefined, 'a,b']);
    assert.deepEqual(await of(answer('A'), failed), ['failed', undefined, 'a,b']);
  });

  it('warns of a judge that prefers a place, from a fifth of its pairs on', async () => {
    const judge = judgeOf(pairs, judgeDraft({}), undefined);
    /** @param both answers, of each pair in both orders */
    const textsOf = async (...both: readonly string[]) => {
      const lines = both.flatMap((answers, at) =>
        answers.split(' ').map((result, n): [string, ResultLine] => {
          return [`${at}${n}`, { variation: {}, state: 'finished', result } as ResultLine];
        }),
      );
      const asked = new Map(both.map((_, at) => [`${at} a`, [`${at}0`, `${at}1`]]));
      const requests = new Map([['better', asked]]);
      return verdictTexts([judge], await verdictsOf([judge], { requests } as never, new Map(lines), '/none'));
    };
    const won = ['A B', 'B A', 'tie tie', 'tie A'];
    assert.deepEqual(await textsOf(...won), []);
    assert.deepEqual(await textsOf('A A', ...won, 'A B'), []);
    assert.match((await textsOf('B B', ...won)).join(), /^“better” contradicted itself in 1 of 5 pairs/);
  });

  it('warns how many answers are not understood, and where they could be', () => {
    const judge = judgeOf(rubric(), judgeDraft({}), undefined);
    const texts = (...verdicts: readonly (readonly [state: string, result?: unknown])[]) =>
      verdictTexts(
        [judge],
        new Map([
          [
            'quality',
            new Map(
              verdicts.map(([state, result], at) => [`${at} a`, { state, lines: [{ result }] } as never]),
            ),
          ],
        ]),
      );
    const one = '1 answer of a judge is not understood, and not measured.';
    assert.deepEqual(texts(['judged', 4], ['failed']), []);
    assert.deepEqual(texts(['unclear', 'good'], ['judged', 4]), [one]);
    assert.deepEqual(texts(['unclear', { grade: 4, n: 9 }]), [
      one,
      '“quality”: set its "at" to "/grade", where its results have answers.',
    ]);
    assert.deepEqual(texts(['unclear', { grade: 4 }], ['unclear', { grade: 'good' }]), [
      '2 answers of judges are not understood, and not measured.',
    ]);
    assert.deepEqual(texts(['unclear', { grade: 4 }], ['judged', 4]), [one], 'some are read already');
  });
});

describe('The requests to judges', () => {
  const llm = {
    ...{ slug: 'judge', id: 'judge', name: 'Judge', modesDeclared: false },
    modes: [
      {
        ...{ name: 'execute', vectorBacked: false },
        input: {
          schema: { type: 'object', properties: { prompt: { type: 'string', maxLength: 9 } } },
          origin: 'schema',
        },
        params: { schema: { type: 'object', properties: {} }, origin: 'schema' },
      },
    ],
  } as never;
  /** Two repeats of two columns; only the first row has finished in both. */
  const outputs: readonly (readonly (readonly (string | undefined)[])[])[] = [
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [
      ['e', undefined],
      [undefined, 'f'],
    ],
  ];
  const table = tableOf({
    items: [rowOf('one'), rowOf('three')],
    repeats: 2,
    line: ({ item, variation, repeat }) => {
      const result = outputs[item]![variation]![repeat];
      return result === undefined ? { state: 'failed' } : { result };
    },
  });
  const runsOf = (entry: JudgeEntry, prompt: string, of = table) =>
    judgeRuns({ judges: [judgeOf(entry, judgeDraft({ prompt }), llm)], base: judgeDraft({}) }, of, '/none');

  it('compare results of the same repeat', async () => {
    const { runs } = await runsOf(pairs, '{{output}}-{{other}}');
    assert.equal(runs.map(({ request }) => request.input.prompt).join(' '), 'c-a a-c d-b b-d');
  });

  it('name why a result cannot be judged: a value that is missing, or a request that the model rejects', async () => {
    const missing = await runsOf(rubric(), '{{output}} {{expected}}');
    assert.deepEqual(missing.problems, [
      'quality: A result or row has no text for {{expected}}, and is not judged.',
    ]);
    assert.deepEqual([missing.runs, missing.requests.get('quality')!.size], [[], 6]);
    const tooLong = await runsOf(rubric(), '{{output}} is too long');
    assert.equal(tooLong.runs.length, 0);
    assert.match(tooLong.problems.join(), /^quality: \/input\/prompt: /);
    const [request] = [...tooLong.requests.get('quality')!.values()][0]!;
    assert.ok(request, 'an earlier result of it is still one');
  });
});
