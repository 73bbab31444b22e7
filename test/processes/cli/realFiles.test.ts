import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encode } from 'jpeg-js';
import { callHere } from '../../support/commandLine';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0', 'latin1');
const WAV = Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1');
const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
const JPEG = encode({ width: 8, height: 8, data: new Uint8Array(256).fill(128) }).data;
const M4A = Buffer.from('\0\0\0\x1cftypM4A \0\0\x02\0M4A isommp42', 'latin1');
const WEBM = Buffer.from('\x1aE\xdf\xa3\x93\x42\x82\x84webm\x42\x87\x81\x02\x42\x85\x81\x02', 'latin1');

const completed = (output: unknown) => ({ body: { status: 'completed', cost: 0.01, output } });
const typed = (type: string, body: unknown): StubResponse => ({ headers: { 'content-type': type }, body });

/** A table and the response to its rows: the results by state, and the start of each or its file. */
const TABLES: readonly {
  readonly it: string;
  readonly rows?: string | Buffer;
  readonly response?: StubResponse;
  readonly more?: object;
  readonly code?: number;
  readonly sent?: readonly string[];
  readonly says?: RegExp;
  readonly kept?: RegExp;
}[] = [
  {
    it: 'fails a run whose error is called a picture',
    response: typed('image/png', '{"error":"CUDA out of memory"}'),
    code: 1,
    kept: /"state":"failed"/,
  },
  {
    it: 'fails a run that says something else in place of a sound',
    response: typed('audio/mpeg', '{"detail":"CUDA out of memory"}'),
    code: 1,
    kept: /"state":"failed".*CUDA out of memory/,
  },
  {
    it: 'keeps a web page that is called a picture as unconfirmed',
    response: typed('image/png', '<html><body>Sign in</body></html>'),
    code: 3,
    kept: /"state":"unconfirmed".*Sign in/,
  },
  {
    it: 'keeps a picture that is called text as a picture',
    response: typed('text/plain', PNG),
    kept: /"state":"finished".*"result_file":"[^"]+\.png"/,
  },
  {
    it: 'keeps a sound of no named type as a sound',
    response: typed('application/octet-stream', WAV),
    kept: /"state":"finished".*"result_file":"[^"]+\.wav"/,
  },
  ...Object.entries({
    mp3: { data: MP3.toString('base64') },
    png: { image: `data:application/octet-stream;base64,${PNG.toString('base64')}` },
    pdf: {
      document: `data:application/pdf;base64,${Buffer.from('%PDF-1.4\n1 0 obj<<>>').toString('base64')}`,
    },
  }).map(([ending, output]) => ({
    it: `makes a file of a ${ending} within JSON`,
    response: completed(output),
    kept: new RegExp(`"result_file":"[^"]+\\.${ending}"`),
  })),
  {
    it: 'takes the last of lines of JSON as the result',
    response: typed(
      'application/x-ndjson',
      '{"status":"running","progress":0.5}\n{"status":"completed","output":{"label":"z"},"cost":0.01}\n',
    ),
    kept: /"result":\{"label":"z"\}/,
  },
  {
    it: 'reads a box by its name',
    rows: 'text,label\nx,"{""x"":100,""y"":100,""width"":50,""height"":40}"\n',
    response: completed({ xywh: [100, 100, 50, 40] }),
    more: { expected: { column: 'label', at: '/xywh' }, metrics: ['iou'] },
    says: /1\.000 {2}n 1/,
  },
  {
    it: 'names the forms by which lists of boxes overlap more',
    rows: 'text,label\nx,"[10,20,40,60]"\n',
    response: completed({ box: [10, 20, 50, 80] }),
    more: { expected: { column: 'label', at: '/box' }, metrics: ['iou'] },
    says: /iou: .*two corners.*\n.*iou: .*"boxes": \{"result":"xyxy","expected":"xywh"\}/,
  },
  {
    it: 'measures boxes by the forms that are named',
    rows: 'text,label\nx,"[10,20,40,60]"\n',
    response: completed({ box: [10, 20, 50, 80] }),
    more: {
      expected: { column: 'label', at: '/box' },
      metrics: [{ metric: 'iou', boxes: { result: 'xyxy', expected: 'xywh' } }],
    },
    says: /1\.000 {2}n 1/,
  },
  {
    it: 'says that labels differ in the spelling of numbers alone',
    rows: 'text,label\n1,1.0\n2,2.0\n',
    says: /accuracy: 2 more would be right but for the spelling of numbers/,
  },
  {
    it: 'reads JSON that is not UTF-8, and says so',
    response: typed('application/json', Buffer.from('{"status":"completed","output":"café"}', 'latin1')),
    says: /not valid JSON: 1\..*Windows-1252/,
    kept: /"result":"café".*"odd_values":true/,
  },
  {
    it: 'says that labels differ in what nobody sees',
    rows: 'text,label\ncat,cat\ndog,dog\u200b\n',
    says: /accuracy: 1 more would be right but for width and unseen characters/,
  },
  { it: 'sends no blank rows', rows: 'text,label\na,a\nb,b\n,\n,\n', sent: ['a', 'b'], says: /1\.000/ },
  {
    it: 'reads quotes after a space',
    rows: 'id, text, label\n1, "hello", x\n2, "it said ""no"" ", y\n',
    sent: ['hello', 'it said "no" '],
  },
  { it: 'reads a table with two marks', rows: '\ufeff\ufeff"text","label"\n"hi","hi"\n', says: /1\.000/ },
  {
    it: 'refuses a table that is not UTF-8',
    rows: 'text,label\n\x1b$BF|K\\\x1b(B,x\n',
    code: 2,
    sent: [],
    says: /not UTF-8 text \(line 2\)/,
  },
  {
    it: 'refuses a pointer to a table',
    rows: `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`,
    code: 2,
    sent: [],
    says: /git lfs pull/,
  },
  {
    it: 'says that a label is a list',
    response: completed({ label: ['x', 'y'] }),
    says: /\/label is a list in all 1 results/,
  },
];

/** A file, the types that the model takes, and whether it is sent. */
const FILES: readonly [name: string, bytes: Buffer, types: readonly string[], refused?: RegExp][] = [
  ['gray.jpg', JPEG, ['image/jpg', 'image/png']],
  ['bare.mp3', MP3, ['audio/mp3', 'audio/x-wav']],
  ['tone.m4a', M4A, ['audio/mp3', 'audio/x-m4a']],
  ['voice.webm', WEBM, ['audio/*']],
  [
    '._gray.jpg',
    Buffer.from('\0\x05\x16\x07\0\x02\0\0Mac OS X        ', 'latin1'),
    ['image/*'],
    /macOS notes/,
  ],
  ['zeros.png', Buffer.alloc(64), ['image/*'], /holds only zeros/],
];

describe('Files and responses of real work', () => {
  let folder: string;
  let service: FaultProxy;
  let respond: (text: string) => StubResponse;
  let types: readonly string[];
  let catalog: unknown;
  let sent: string[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-real-files-'));
    [sent, types] = [[], []];
    respond = (text) => completed({ label: text });
    service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        if (route.endsWith('/upload/init'))
          return { body: { upload_url: `${service.url}/up`, upload_id: 'u' } };
        if (route.endsWith('/upload/complete')) return { body: { media_ref: 'ref' } };
        const file = { type: 'object', properties: { media_ref: { type: 'string' } }, accept: types };
        const properties = { text: { type: 'string' }, file };
        if (route === '/api/marketplace/models') return { body: catalog };
        if (route !== '/api/runs')
          return { body: { slug: 'm', input_schema: { type: 'object', properties } } };
        const { input } = JSON.parse(body.toString()) as { input: { text?: string } };
        sent.push(input.text ?? JSON.stringify(input));
        return respond(input.text ?? '');
      },
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const put = (name: string, value: object | string) =>
    writeFile(
      path.join(folder, name),
      typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
    );
  const call = (...words: string[]) =>
    callHere([...words, '--base-url', service.url, '--state', 'state'], { cwd: folder, apiKey: 'key' });

  for (const { it: title, rows = 'text,label\nx,x\n', response, more, code = 0, ...wanted } of TABLES)
    it(title, async () => {
      if (response) respond = () => response;
      await put('rows.csv', rows);
      await put('try.experiment.json', {
        run: { model: 'm', input: {} },
        over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
        expected: { column: 'label', at: '/label' },
        metrics: ['accuracy'],
        ...more,
      });
      const done = await call('experiment', 'try.experiment.json', '--max-cost', '5', '--fetch-media');
      assert.equal(done.code, code, done.out + done.err);
      if (wanted.says) assert.match(done.out + done.err, wanted.says);
      if (wanted.sent) assert.deepEqual(sent.sort(), wanted.sent);
      if (wanted.kept)
        assert.match(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'), wanted.kept);
    });

  for (const [name, bytes, taken, refused] of FILES)
    it(`${refused ? 'refuses' : 'sends'} ${name} where the model takes ${taken.join(' and ')}`, async () => {
      types = taken;
      await put(name, bytes);
      await put('try.run.json', { model: 'm', input: { file: { media_ref: `./${name}` } } });
      const { code, out, err } = await call('run', 'try.run.json');
      assert.deepEqual([code, sent.length], refused ? [2, 0] : [0, 1], out + err);
      if (refused) assert.match(err, refused);
    });

  it('names a pointer of Git LFS in place of any file that it reads, and sends nothing', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    const files = ['p.run.json', 'p.experiment.json', 'try.results.jsonl', 'p.txt', 'map.json'];
    for (const name of files) await put(name, pointer);
    const run = { model: 'm', input: {} };
    await put('try.experiment.json', { run, vary: { '/input/text': ['a'] } });
    await put('over.experiment.json', { run, over: { files: '*.txt', map: { '/input/text': 'text' } } });
    for (const words of [
      ['run', 'p.run.json'],
      ...['p', 'try', 'over'].map((name) => ['experiment', `${name}.experiment.json`, '--max-cost', '5']),
      ['run', 'p.run.json', '--responses', 'map.json'],
    ]) {
      const { code, out, err } = await call(...words);
      assert.equal(code, 2, out + err);
      assert.match(out + err, /git lfs pull/, words.join(' '));
    }
    assert.deepEqual(sent, []);
  });

  it('takes names in any case for a pattern, and gives away no place of a photograph in a report', async () => {
    types = ['image/*'];
    const place = Buffer.from('\xff\xe1\0\x10Exif\0\0Invented', 'latin1');
    const photo = Buffer.concat([JPEG.subarray(0, 2), place, JPEG.subarray(2)]);
    for (const name of ['IMG_1.JPG', 'b.jpg']) await put(name, Buffer.concat([photo, Buffer.from(name)]));
    await put('try.experiment.json', {
      run: { model: 'm', input: {} },
      over: { files: '*.jpg', map: { '/input/file': 'file' } },
    });
    const { code, out, err } = await call(
      ...['experiment', 'try.experiment.json', '--max-cost', '5', '--report', 'r.html'],
    );
    assert.deepEqual([code, sent.length], [0, 2], out + err);
    const report = await readFile(path.join(folder, 'r.html'), 'utf8');
    const pictures = [...report.matchAll(/data:image\/jpeg;base64,([\w+/=]+)/g)];
    assert.equal(pictures.length, 2);
    for (const [, base64 = ''] of pictures)
      assert.ok(!Buffer.from(base64, 'base64').includes('Invented'), 'a place');
  });

  it('ends with an error where a catalog of status 200 says that it failed', async () => {
    catalog = { success: false, message: 'catalog is rebuilding', models: [] };
    const { code, err } = await callHere(['models', '--base-url', service.url], {
      cwd: folder,
      apiKey: 'key',
    });
    assert.equal(code, 3);
    assert.match(err, /catalog is rebuilding/);
  });

  for (const [results, code, shown] of [
    [{ results: [{ image_id: 'a.png' }, { image_id: 'b.jpg' }] }, 0, /1 +a\.png\n2 +b\.jpg/],
    [{ _shards: { total: 3, successful: 0, failed: 3 }, hits: { hits: [] } }, 3, /No list of hits/],
  ] as const)
    it(`${code === 0 ? 'lists hits without scores' : 'lists no hits where none was looked for'}`, async () => {
      types = ['image/*'];
      respond = () => ({ body: { status: 'completed', ...results } });
      await put('q.png', PNG);
      const done = await callHere(
        ['search', 'q.png', '--scope', 's', '--model', 'm', '--base-url', service.url],
        { cwd: folder, apiKey: 'key' },
      );
      assert.equal(done.code, code, done.err);
      assert.match(done.out + done.err, shown);
    });
});
