import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readModel } from '../../../src/contracts/model';
import { itemFaultText } from '../../../src/experiments/file/faultText';
import { checkExperiment, loadExperiment } from '../../../src/experiments/file/load';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const FILES: Readonly<Record<string, string | Buffer>> = {
  'good.png': PNG,
  'pointer.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
  'page.png': '<!doctype html><title>Sign in</title>',
  'text.png': 'not found',
  'empty.png': '',
  'photo.png': Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1'),
};
/** The message for an item of these files; undefined: it is sent. */
const SAID: Readonly<Record<string, RegExp | undefined>> = {
  'good.png': undefined,
  'pointer.png': /git lfs pull/,
  'page.png': /holds a web page/,
  'text.png': /holds text/,
  'empty.png': /is empty/,
  'photo.png': /is image\/jpeg, a type that this field does not take/,
};

const contractOf = async () =>
  readModel(
    {
      slug: 'm',
      input_schema: {
        type: 'object',
        properties: {
          image: { type: 'object', properties: { media_ref: { type: 'string' } }, accept: 'image/png' },
          n: { type: 'number' },
        },
      },
    },
    'm',
  )!;

describe('A file that an experiment names', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-named-'));
    for (const [name, content] of Object.entries(FILES)) await writeFile(path.join(folder, name), content);
  });
  after(() => rm(folder, { recursive: true }));

  const problems = async (experiment: object) => {
    const file = path.join(folder, 'a.experiment.json');
    const text = JSON.stringify({ run: { model: 'm', input: {} }, ...experiment });
    const { problems: found, loaded } = await loadExperiment(file, text, contractOf);
    if (found.length > 0) assert.deepEqual(await checkExperiment(file, text, contractOf), found);
    return [
      ...found.map(({ pointer, message }) => `${pointer} ${message}`),
      ...(loaded?.faults ?? []).map(itemFaultText),
    ];
  };
  const ways: Readonly<Record<string, readonly [place: string, experiment: (ref: string) => object]>> = {
    'its input': ['/run', (ref) => ({ run: { model: 'm', input: { image: { media_ref: ref } } } })],
    'a varied value': ['/vary/~1input~1image', (ref) => ({ vary: { '/input/image': [{ media_ref: ref }] } })],
    'a value of the whole input': [
      '/vary/~1input',
      (ref) => ({ vary: { '/input': [{ image: { media_ref: ref } }] } }),
    ],
    'an item': ['', (ref) => ({ over: { files: ref.slice(2), map: { '/input/image': 'file' } } })],
  };

  for (const [way, [place, experiment]] of Object.entries(ways))
    it(`follows the same rule as ${way}`, async () => {
      for (const name of Object.keys(FILES)) {
        const [problem, ...others] = await problems(experiment(`./${name}`));
        assert.deepEqual(others, [], name);
        const said = SAID[name];
        if (said === undefined) assert.equal(problem, undefined, name);
        else {
          assert.match(problem ?? '', said, name);
          assert.ok(problem!.startsWith(place), problem);
        }
      }
    });

  it('rejects numbers that would change, in values, ranges and inputs, with one problem', async () => {
    const file = path.join(folder, 'numbers.experiment.json');
    for (const [place, part] of [
      ['/vary/~1input~1n/1', '"vary":{"/input/n":[1,9007199254740993]}'],
      ['/vary/~1input~1n/to', '"vary":{"/input/n":{"from":9007199254740990,"to":9007199254740993,"step":1}}'],
      ['/run/input/n', '"run":{"model":"m","input":{"n":0.1234567890123456789}}'],
    ] as const) {
      const text = part.startsWith('"run"') ? `{${part}}` : `{"run":{"model":"m","input":{}},${part}}`;
      const { problems: found } = await loadExperiment(file, text, contractOf);
      assert.deepEqual(
        found.map(({ pointer }) => pointer),
        [place],
      );
      assert.match(found[0]!.message, /cannot be sent exactly/);
    }
  });
});
