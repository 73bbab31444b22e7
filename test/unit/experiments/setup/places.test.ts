import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readModel } from '../../../../src/contracts/model';
import type { Json } from '../../../../src/domain/json';
import { checkExperiment, loadExperiment } from '../../../../src/experiments/file/load';

const contractOf = async (slug: string) =>
  readModel(
    {
      ...{ slug, name: `Model ${slug}` },
      input_schema: { type: 'object', properties: { text: { type: 'string' } } },
      params_schema: {
        type: 'object',
        properties: slug === 'b' ? {} : { temperature: { type: 'number' } },
      } as Json,
    },
    slug,
  )!;

describe('The check of the places that an experiment fills', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-places-'));
    await writeFile(path.join(folder, 'rows.csv'), 'text\na\nb\n');
    await writeFile(path.join(folder, 'base.run.json'), JSON.stringify({ model: 'a', input: { tetx: 'x' } }));
  });
  after(() => rm(folder, { recursive: true }));

  const rows = (map: object) => ({ rows: 'rows.csv', map });
  const said = async (experiment: object) => {
    const file = path.join(folder, 'a.experiment.json');
    const text = JSON.stringify({ run: { model: 'a', input: {} }, ...experiment });
    const { problems } = await loadExperiment(file, text, contractOf);
    assert.deepEqual(await checkExperiment(file, text, contractOf), problems, 'an editor says the same');
    return problems.map(({ severity, pointer, message }) => `${severity} ${pointer}: ${message}`);
  };

  it('reports an error where one is both varied and mapped, or replaced by one around it', async () => {
    const over = rows({ '/input/text': 'text' });
    assert.deepEqual(await said({ vary: { '/input/text': ['x', 'y'] }, over }), [
      'error /vary/~1input~1text: /input/text is both varied and mapped: its varied values would never be sent. Remove one of both.',
    ]);
    assert.deepEqual(await said({ vary: { '/input/text': ['x'] }, over: rows({ '/input': 'text' }) }), [
      'error /vary/~1input~1text: /input/text is replaced by /input, so its values would never be sent. Remove one of both.',
    ]);
    assert.deepEqual(await said({ vary: { '/input': [{}] }, over }), []);
    assert.deepEqual(await said({ vary: { '/input/textual': ['x'] }, over }), [
      'warning /vary/~1input~1textual: Model a declares no field “textual”: it may have no effect.',
    ]);
  });

  it('names places that the model does not declare, with a proposal, in the run file too', async () => {
    assert.deepEqual(
      await said({ vary: { '/params/temprature': [0, 1] }, over: rows({ '/input/txet': 'text' }) }),
      [
        'warning /over/map/~1input~1txet: Model a declares no field “txet”: it may have no effect. Did you mean /input/text?',
        'warning /vary/~1params~1temprature: Model a declares no field “temprature”: it may have no effect. Did you mean /params/temperature?',
      ],
    );
    assert.deepEqual(await said({ run: { model: 'a', input: { txt: 'x' } } }), [
      'warning /run/input/txt: Model a declares no field “txt”: it may have no effect. Did you mean /input/text?',
    ]);
    assert.deepEqual(await said({ run: 'base.run.json' }), [
      'warning /run: Model a declares no field “tetx”: it may have no effect. Did you mean /input/text?',
    ]);
    assert.deepEqual(await said({ vary: { '/input': [{ text: 'x' }, { texd: 'x' }] } }), [
      'warning /vary/~1input: Model a declares no field “texd”: it may have no effect. Did you mean /input/text?',
    ]);
  });
});
