import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type ExperimentSetup, NOTHING_VARIED } from '../../../../src/domain/experimentSetup';
import type { Json } from '../../../../src/domain/json';
import type { RunDraft } from '../../../../src/domain/run';
import { variationsOf } from '../../../../src/experiments/grid';
import { globOf } from '../../../../src/experiments/newExperiment';
import { readExperiment } from '../../../../src/experiments/read';
import { metricsFor, SetupIncomplete, setUpMembers } from '../../../../src/experiments/setup/members';
import { misfitText } from '../../../../src/experiments/setup/misfit';
import { setupText } from '../../../../src/experiments/setup/size';
import { PathGlobs } from '../../../../src/intake/globs';
import { planExperiment } from '../../../support/atOnce';
import { modelOf } from '../../../support/runPage';

const draft: RunDraft = {
  model: 'try-me',
  mode: 'execute',
  input: { text: 'hello', images: [{ media_ref: 'file:///a.png' }] },
  params: { k: 3 },
};
const setup = (changes: Partial<ExperimentSetup>): ExperimentSetup => ({ ...NOTHING_VARIED, ...changes });
const membersOf = (changes: Partial<ExperimentSetup>, folder = '/photos') =>
  setUpMembers(draft, setup(changes), folder);
const uri = (path: string) => pathToFileURL(path).href;

describe('An experiment from a run panel', () => {
  it('becomes the members of an experiment, without the varied values in its run', () => {
    const members = membersOf({
      vary: { '/params/k': { from: 1, to: 3, step: 1 }, '/input/text': { values: ['a', 'b'] } },
      models: [{ slug: 'other', name: 'Other' }],
      over: {
        kind: 'files',
        folder: uri('/photos/my [photos]'),
        globs: ['**/*.png'],
        map: { '/input/images/0': 'file' },
        folderIsLabel: true,
      },
      at: '/label',
      repeats: 2,
      sample: 5,
    });
    assert.deepEqual(members, {
      run: { model: 'try-me', input: { images: [] } },
      vary: {
        '/model': ['try-me', 'other'],
        '/params/k': { from: 1, to: 3, step: 1 },
        '/input/text': ['a', 'b'],
      },
      over: { files: `${globOf('my [photos]')}/**/*.png`, map: { '/input/images/0': 'file' } },
      repeats: 2,
      sample: { inputs: 5 },
      expected: { folder: true, at: '/label' },
    });
    const { files } = members.over as { files: string };
    assert.ok(new PathGlobs([files]).matches('my [photos]/x/y.png'));
    assert.ok(!new PathGlobs([files]).matches('my p/x/y.png'));
  });

  it('reads back the same, for any varied fields', () => {
    const name = fc.string().map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'));
    const pointer = fc
      .tuple(fc.constantFrom('input', 'params'), name)
      .map(([part, key]) => `/${part}/${key}`);
    const values = fc.array(
      fc.json().map((json) => JSON.parse(json) as Json),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        fc.dictionary(pointer, values, { maxKeys: 3 }),
        fc.uniqueArray(fc.string(), { maxLength: 3 }),
        fc.integer({ min: 1, max: 1000 }),
        (vary, slugs, repeats) => {
          const members = membersOf({
            vary: Object.fromEntries(Object.entries(vary).map(([at, values]) => [at, { values }])),
            models: slugs.map((slug) => ({ slug, name: slug })),
            repeats,
          });
          const { problems, experiment } = readExperiment(JSON.stringify({ version: 1, ...members }));
          assert.deepEqual(problems, []);
          const count = Object.values(vary).reduce((product, { length }) => product * length, 1);
          assert.equal(
            variationsOf(experiment!.vary).length,
            count * (slugs.length === 0 ? 1 : slugs.length + 1),
          );
        },
      ),
    );
  });

  it('runs the panel’s values: each in the place of the field', () => {
    const contract = modelOf(
      { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: true },
      { type: 'object', properties: { k: { type: 'integer' } } },
    );
    const { run, vary } = membersOf({ vary: { '/params/k': { values: [1, 2] } } });
    const base = { mode: 'execute', params: {}, ...(run as object) } as RunDraft;
    const { runs: cells, problems } = planExperiment({
      base,
      variations: variationsOf(vary),
      items: { items: [{ name: '', values: {}, files: [] }], faults: [], isText: false },
      repeats: 1,
      contracts: new Map([['try-me', contract]]),
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      cells.map(({ request }) => [request.input.text, request.params]),
      [
        ['hello', { k: 1 }],
        ['hello', { k: 2 }],
      ],
    );
  });

  it('names missing parts before it is complete', () => {
    for (const [changes, said] of [
      [{ vary: { '/params/k': { values: [] } } }, /k: add a value/],
      [{ vary: { '/params/k': { from: 1, to: '', step: 1 } } }, /enter numbers/],
      [{ vary: { '/params/k': { from: 1, to: 3, step: 0 } } }, /step must be more than 0/],
      [{ vary: { '/params/k': { from: 3, to: 1, step: 1 } } }, /below/],
      [{ over: { kind: 'rows', file: uri('/photos/a.csv'), columns: ['t'], map: {} } }, /Choose a field/],
      [{ repeats: 0 }, /how often/],
      [{ repeats: 1.5 }, /how often/],
      [{ sample: 0 }, /how many inputs/],
    ] as const)
      assert.throws(
        () => membersOf(changes as Partial<ExperimentSetup>),
        (error) => error instanceof SetupIncomplete && said.test(error.message),
      );
  });

  it('chooses metrics by the expected values', () => {
    assert.deepEqual(metricsFor(['en', 'de', 'en']), ['accuracy', 'macro_f1']);
    assert.deepEqual(metricsFor(['0', '1', '1']), ['accuracy', 'macro_f1']);
    assert.deepEqual(metricsFor(Array.from({ length: 30 }, (_, at) => `${at / 7}`)), ['absolute_error']);
    assert.deepEqual(metricsFor(['short', 'a'.repeat(200)]), ['edit_distance']);
  });
});

describe('The number of runs', () => {
  const prices = {
    contracts: new Map(),
    baseUrl: 'https://models.test',
    estimates: {
      of: ({ model }: { model: string }) => ({
        ...{ runs: 0, costFrom: 0 },
        ...(model === 'free' ? {} : { published: { amount: '0.002', currency: 'USD' } }),
      }),
    },
  };

  it('comes with the cost, and with the models that have no price', () => {
    const models = ['b', 'free'].map((slug) => ({ slug, name: slug }));
    const over = {
      kind: 'files' as const,
      folder: uri('/photos'),
      globs: ['*.png'],
      map: { '/input/image': 'file' as const },
    };
    const members = membersOf({ vary: { '/params/k': { values: [1, 2, 3, 4] } }, models, over, repeats: 2 });
    assert.equal(
      setupText(draft, members, { all: 50, distinct: 50 }, prices, 'en'),
      '3 models × 4 values × 50 files × 2 repeats = 1,200 runs, about $1.60; 1 model has no published price',
    );
    const sampled = membersOf({ vary: { '/params/k': { values: [1, 2] } }, sample: 3, over });
    assert.equal(
      setupText(draft, sampled, { all: 50, distinct: 50 }, prices, 'en'),
      '2 values × 3 of 50 files = 6 runs, about $0.012',
    );
    const equal = membersOf({ over });
    assert.equal(
      setupText(draft, equal, { all: 60, distinct: 57 }, prices, 'en'),
      '60 files = 57 runs, since equal ones are run once, about $0.11',
    );
  });

  it('equals the product of the varied values, over the inputs of the sample', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 });
    fc.assert(
      fc.property(
        counts,
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        (values, items, repeats, sample) => {
          const vary = Object.fromEntries(
            values.map((count, at) => [
              `/params/p${at}`,
              { values: Array.from({ length: count }, (_, n) => n) },
            ]),
          );
          const over = {
            kind: 'rows' as const,
            file: uri('/photos/a.csv'),
            columns: ['t'],
            map: { '/input/text': 't' },
          };
          const text = setupText(
            draft,
            membersOf({ vary, repeats, sample, over }),
            { all: items, distinct: items },
            prices,
            'en',
          );
          const inputs = Math.min(items, sample ?? items);
          const runs = values.reduce((product, count) => product * count, inputs * repeats);
          assert.match(text, new RegExp(`= ${runs.toLocaleString('en')} runs?, about`));
        },
      ),
    );
  });
});

describe('Another model', () => {
  const text = (properties: object, required: string[] = []) => ({
    ...modelOf({ type: 'object', properties, required, additionalProperties: false } as never),
    slug: 'other',
  });
  const own = modelOf({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  } as never);
  const run = { ...draft, input: { text: 'hello' }, params: {} };

  it('fits when it accepts the same input as the panel’s, even before any is entered', () => {
    const same = text({ text: { type: 'string' } }, ['text']);
    assert.equal(misfitText(same, own, run), undefined);
    assert.equal(misfitText(same, own, { ...run, input: {} }), undefined);
  });

  it('leads to a reason if it does not fit', () => {
    assert.match(misfitText(text({ prompt: { type: 'string' } }, ['prompt']), own, run)!, /^input\/\w+: .+/);
    const search = { ...own, modes: [{ ...own.modes[0]!, name: 'search' }] };
    assert.match(misfitText(search, own, run)!, /no mode “execute”/);
  });
});
