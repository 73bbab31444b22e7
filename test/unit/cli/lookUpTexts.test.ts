import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useResponseMappings } from '../../../src/domain/responseMapping';
import { callHere } from '../../support/commandLine';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';

describe('The texts of commands that look something up', () => {
  let service: FaultProxy;
  let folder: string;
  /** By path. */
  let responses: Readonly<Record<string, StubResponse>>;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-texts-'));
    service = await startFaultProxy({
      behind: ({ path: route }) =>
        responses[route.split('?')[0]!] ?? { status: 404, body: { error: { message: 'not found' } } },
    });
  });
  afterEach(async () => {
    useResponseMappings(() => undefined);
    await service.close();
    await rm(folder, { recursive: true });
  });
  const call = (...words: string[]) =>
    callHere([...words, '--base-url', service.url], { cwd: folder, apiKey: 'key' });

  it('describe models one below the other: title, price, three lines, fields', async () => {
    const properties = {
      text: { type: 'string', description: 'What to read. And more.' },
      kind: { enum: 'abcdefghi'.split('') },
    };
    const params = { type: 'object', properties: { top: { type: 'integer', default: 5 } } };
    responses = {
      '/api/marketplace/models/one': {
        body: {
          ...{ slug: 'one', name: 'The One', description: ' First.\nSecond.\r\nThird.\nFourth.\n' },
          price: { amount: '0.50', currency: 'USD', per: 'run' },
          ...{ input_schema: { type: 'object', required: ['text'], properties }, params_schema: params },
        },
      },
      '/api/marketplace/models/two': { body: { slug: 'two', name: 'two', modes: ['execute'] } },
    };
    const { code, out, err } = await call('describe', 'one', 'two');
    assert.deepEqual([code, err], [0, '']);
    const [one, two] = out.split('\n\ntwo\n');
    const lines = one!.split('\n');
    assert.deepEqual(lines.slice(0, 5), ['one (The One), $0.50 per run', 'First.', 'Second.', 'Third.', '']);
    assert.match(lines[5]!, /^execute( \((?!.*scope).*\))?:$/);
    const fields = lines.slice(6).map((line) => line.trim().split(/ {2,}/).join('; '));
    const kinds = '"a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | …';
    for (const field of ['input.text; required; string; What to read.', 'params.top; integer, default 5'])
      assert.ok(fields.includes(field), fields.join('\n'));
    assert.ok(fields.some((field) => field.startsWith('input.kind; ') && field.endsWith(`; ${kinds}`)));
    assert.equal(two, '\nexecute:\n  input  any JSON object\n');
  });

  it('tell a catalog without models from a list that is not understood, which ends with 3', async () => {
    const part =
      'The service’s response is not a list of models. Check the base URL. A response mapping can say how it is read.';
    const page = { headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' };
    for (const [response, code, text] of [
      [{ body: [] }, 0, 'No model matches.'],
      [{ body: { other: 'no list' } }, 3, part],
      [{ body: ['', 5, null] }, 3, part],
      [page, 3, part],
    ] as const) {
      responses = { '/api/marketplace/models': response };
      assert.deepEqual(await call('models'), { code, out: '', err: `${text}\n` });
      const asJson = await call('models', '--json');
      const listed = { models: [], ...(code !== 0 && { incomplete: part }) };
      assert.deepEqual([asJson.code, JSON.parse(asJson.out)], [code, listed]);
    }
  });

  it('quote the service where a status of success has an error instead of a list, and end with 3', async () => {
    responses = { '/api/marketplace/models': { body: { error: 'no key' } } };
    const err = 'The service failed (status 200). Service message: “no key”\n';
    for (const words of [['models'], ['models', '--json']])
      assert.deepEqual(await call(...words), { code: 3, out: '', err });
  });

  it('name the parts of a service that are read, their places, and the others', async () => {
    responses = {
      '/api/marketplace/models': { body: { models: [{ slug: 'one' }], total: 3 } },
      '/api/marketplace/models/one': {
        body: { slug: 'one', input_schema: { type: 'object', properties: { a: {} } } },
      },
      '/api/billing/wallet': { body: { guthaben: { ct: 1250 } } },
    };
    const { code, out } = await call('doctor');
    assert.equal(code, 3);
    assert.match(out, /models +1 models +by the usual names +The catalog has 3 models/);
    assert.match(out, /one +execute: declared \(\/input_schema\)/);
    assert.match(out, /wallet +not read/);
    const mapping = path.join(folder, 'm.responses.json');
    const wallet = { balance: '/guthaben/ct', unit: 'cents', currency: 'EUR' };
    await writeFile(mapping, JSON.stringify({ wallet }));
    const mapped = await call('doctor', '--model', 'one', '--responses', mapping);
    assert.equal(mapped.code, 0);
    assert.match(mapped.out, /wallet +€12\.50 +by your mapping: \{"balance":"\/guthaben\/ct"/);
    assert.match(mapped.err, /by the mapping of/);
  });

  it('show the balance with its status, and end with 3 where there is none', async () => {
    const balance = { amount: '12.50', currency: 'USD' };
    for (const [body, wanted] of [
      [{ balance }, { code: 0, out: '$12.50\n', err: '' }],
      [
        { balance, status: 'active' },
        { code: 0, out: '$12.50 (active)\n', err: '' },
      ],
      [
        {},
        {
          code: 3,
          out: '',
          err: 'The response to the wallet has no balance that can be read. A response mapping can say how it is read.\n',
        },
      ],
      [
        { balance: { amount: 1250, unit: 'widgets' } },
        {
          ...{ code: 3, out: '' },
          err: 'The balance was not understood. The service says: amount 1250, unit widgets\n',
        },
      ],
    ] as const) {
      responses = { '/api/billing/wallet': { body } };
      assert.deepEqual(await call('wallet'), wanted);
      const asJson = await call('wallet', '--json');
      assert.equal(asJson.code, wanted.code);
      const { balance: shown, words } = JSON.parse(asJson.out);
      assert.deepEqual(
        [shown === null, words !== undefined],
        [wanted.code === 3, wanted.err.includes('says')],
      );
    }
  });
});
