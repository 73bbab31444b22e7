import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import { itemFaultText } from '../../../src/experiments/file/faultText';
import { loadExperiment } from '../../../src/experiments/file/load';
import { templateParts, UnreadableTemplate } from '../../../src/experiments/file/rowTemplate';
import { itemSha256 } from '../../../src/experiments/plan/runId';

const CONTRACT = readModel(
  {
    slug: 'm',
    modes: {
      execute: {
        input_schema: {
          type: 'object',
          properties: {
            prompt: { type: 'string' },
            system: { type: 'string' },
            left: { type: 'object', properties: { media_ref: { type: 'string' } } },
            right: { type: 'object', properties: { media_ref: { type: 'string' } } },
          },
        },
      },
    },
  },
  'm',
)!;

describe('A text of the run that names columns', () => {
  let folder: string;
  before(async () => {
    folder = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), 'templates-')));
  });
  after(() => fs.rm(folder, { recursive: true }));
  const loaded = async (
    files: Readonly<Record<string, string | Buffer>>,
    experiment: object,
    isKnown = true,
  ) => {
    for (const [name, text] of Object.entries(files)) await fs.writeFile(path.join(folder, name), text);
    const text = JSON.stringify({ run: { model: 'm', input: {} }, ...experiment });
    const found = await loadExperiment(
      path.join(folder, 'a.experiment.json'),
      text,
      async () => (isKnown ? CONTRACT : undefined),
      isKnown ? {} : { unknownModels: 'keep' },
    );
    return {
      problems: found.problems.map(({ pointer, message }) => `${pointer} ${message}`),
      faults: (found.loaded?.faults ?? []).map(itemFaultText),
      inputs: (found.loaded?.plan.runs ?? []).map(({ request }) => request.input),
      plan: found.loaded?.plan,
      identities: new Set(found.loaded?.inputs.map(itemSha256)),
    };
  };
  const over = (more: object = {}) => ({ rows: 'a.csv', map: {}, templates: ['/input/prompt'], ...more });

  it('takes the values of each row, for each template that is varied', async () => {
    const vary = {
      '/input/prompt': ['Translate “{{text}}” to {{ language }}.', '{{language}}: {{text}}', 'Nothing'],
    };
    const { problems, faults, plan } = await loaded(
      { 'a.csv': 'text,language,unused\nGuten Tag,French,1\n"{{language}}, $&",Dutch,2\n' },
      { vary, over: over() },
    );
    assert.deepEqual([problems, faults], [[], []]);
    // They run in a random order: see `randomOrder`.
    const byRow = plan!.runs.toSorted((a, b) => a.serves[0]!.item - b.serves[0]!.item);
    assert.deepEqual(
      byRow.map(({ request }) => request.input.prompt),
      [
        'Translate “Guten Tag” to French.',
        'French: Guten Tag',
        'Nothing',
        // The text of a cell is never read as a template.
        'Translate “{{language}}, $&” to Dutch.',
        'Dutch: {{language}}, $&',
      ],
      'equal requests are one run',
    );
  });

  it('keeps everything between its columns unchanged', () => {
    const text = fc.string().filter((one) => !one.includes('{{') && !one.endsWith('{'));
    const column = fc
      .string({ minLength: 1 })
      .map((one) => one.trim().normalize('NFC'))
      .filter((one) => one !== '' && !one.includes('}') && !one.startsWith('{'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, column)), text, (pairs, last) => {
        const template = pairs.map(([before, name]) => `${before}{{${name}}}`).join('') + last;
        assert.deepEqual(templateParts(template), [
          ...pairs.flatMap(([before, name]) => [before, { column: name }]),
          last,
        ]);
      }),
    );
    assert.deepEqual(templateParts('{{{{name}} and }}'), ['{{name}} and }}']);
    assert.deepEqual(templateParts('{"a": {"b": 1}}'), ['{"a": {"b": 1}}']);
    for (const wrong of ['{{', 'a {{b', '{{ }}'])
      assert.throws(() => templateParts(wrong), UnreadableTemplate);
  });

  it('keeps rows from being sent that lack its column or value', async () => {
    const run = { model: 'm', input: { prompt: 'About {{topic}}' } };
    const gone = await loaded({ 'a.csv': 'text\nx\n' }, { run, over: over() });
    assert.deepEqual(gone.inputs, []);
    assert.match(gone.faults.join(), /“topic”/);
    const blank = await loaded(
      { 'a.jsonl': '{"topic":"cats"}\n{"other":1}\n{"topic":null}\n' },
      { run, over: over({ rows: 'a.jsonl' }) },
    );
    assert.deepEqual(blank.inputs, [{ prompt: 'About cats' }]);
    assert.deepEqual(blank.faults.length, 2);
    assert.match(blank.faults[0]!, /^Line 2 .*“topic”/);
  });

  it('gets an error at its place when it cannot be read, is no text, or is also mapped', async () => {
    const problemsOf = async (experiment: object) =>
      (await loaded({ 'a.csv': 'text\nx\n' }, { over: over(), ...experiment })).problems.map(
        (one) => one.split(' ')[0],
      );
    assert.deepEqual(await problemsOf({ vary: { '/input/prompt': ['{{text}}', '{{text'] } }), [
      '/vary/~1input~1prompt/1',
    ]);
    assert.deepEqual(await problemsOf({ run: { model: 'm', input: { prompt: '{{}}' } } }), [
      '/run/input/prompt',
    ]);
    assert.deepEqual(await problemsOf({}), ['/over/templates/0']);
    assert.deepEqual(await problemsOf({ vary: { '/input/prompt': ['a', null] } }), ['/over/templates/0']);
    const mapped = { over: over({ map: { '/input/prompt': 'text' } }) };
    assert.deepEqual(await problemsOf({ ...mapped, run: { model: 'm', input: { prompt: 'a' } } }), [
      '/over/templates/0',
    ]);
  });

  it('gives a row its identity by the columns that it names, and the same runs without a contract', async () => {
    const run = { model: 'm', input: { prompt: 'About {{topic}}' } };
    const files = { 'a.csv': 'topic,other\ncats,1\ndogs,2\n' };
    const known = await loaded(files, { run, over: over() });
    const unknown = await loaded(files, { run, over: over() }, false);
    const ids = known.plan!.runs.map(({ customId }) => customId);
    assert.equal(ids.length, 2);
    assert.deepEqual(
      unknown.plan!.unsent.map(({ customId }) => customId),
      ids,
    );
    const otherOrder = await loaded({ 'a.csv': 'other,topic\n9,dogs\n8,cats\n' }, { run, over: over() });
    assert.deepEqual(new Set(otherOrder.plan!.runs.map(({ customId }) => customId)), new Set(ids));
    assert.deepEqual(otherOrder.identities, known.identities);
    const changed = await loaded({ 'a.csv': 'topic\ncats!\ndogs\n' }, { run, over: over() });
    assert.equal([...changed.identities!].filter((one) => known.identities!.has(one)).length, 1);
  });
});

describe('Files that cells of a table name', () => {
  let folder: string;
  const PNG = (text: string) => Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${text}`, 'latin1');
  beforeEach(async () => {
    folder = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), 'media-')));
    await fs.mkdir(path.join(folder, 'photos'));
    for (const name of ['a', 'b']) await fs.writeFile(path.join(folder, `photos/${name}.png`), PNG(name));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));
  const load = async (table: string) => {
    await fs.writeFile(path.join(folder, 'a.csv'), table);
    const over = {
      rows: 'a.csv',
      map: { '/input/prompt': 'question' },
      media: { '/input/left': 'left', '/input/right': 'right' },
    };
    const text = JSON.stringify({ run: { model: 'm', input: {} }, over });
    return loadExperiment(path.join(folder, 'a.experiment.json'), text, async () => CONTRACT);
  };

  it('become several inputs of one row, each known by its content', async () => {
    const table = 'question,left,right\nSame?,photos/a.png,photos/b.png\nAlone?,photos/a.png,\n';
    const { loaded, problems } = await load(table);
    assert.deepEqual([problems, loaded!.faults], [[], []]);
    const names = loaded!.plan.runs.map(({ request: { input } }) =>
      ['left', 'right'].map((field) => (input as Record<string, { filename?: string }>)[field]?.filename),
    );
    assert.deepEqual(names, [
      ['a.png', 'b.png'],
      ['a.png', undefined],
    ]);
    assert.equal(loaded!.plan.items[0]!.files.length, 2);
    const ids = loaded!.plan.runs.map(({ customId }) => customId);
    await fs.rename(path.join(folder, 'photos/b.png'), path.join(folder, 'photos/c.png'));
    const moved = await load(table.replace('b.png', 'c.png'));
    assert.equal(moved.loaded!.plan.runs[1]!.customId, ids[1]);
    await fs.writeFile(path.join(folder, 'photos/a.png'), PNG('changed'));
    const changed = (await load(table.replace('b.png', 'c.png'))).loaded!.plan.runs;
    assert.ok(changed.every(({ customId }) => !ids.includes(customId)));
  });
});
