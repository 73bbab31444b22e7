import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import type { RawResponse } from '../../../src/domain/response';
import { bodyJson } from '../../../src/intake/bodyContent';
import { readSummary } from '../../../src/readers/catalog';
import { readError } from '../../../src/readers/error';
import { readList } from '../../../src/readers/list';
import { readRunResponse } from '../../../src/readers/run';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';
import { readWallet } from '../../../src/readers/wallet';
import { ServiceError } from '../../../src/service/errors';
import { messageOf } from '../../../src/wording/errors';
import { readActivity, readUsage } from '../../support/atOnce';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { REQUEST, testClient } from '../../support/serviceClient';
import { sourceOf } from '../../support/uploadSource';

const ASKED = new URL('https://models.example.com/api/runs');
const NAMES = [
  ...'slug,name,modes,execute,index,input_schema,inputSchema,params,type,properties,results,items,data,next,links,status'.split(
    ',',
  ),
  ...'state,output,error,errors,detail,message,id,run_id,balance,currency,cents,amount,pricing,price,examples,upload_url'.split(
    ',',
  ),
  ...'headers,media_ref,release,cost (,price[,$ref,$defs,metrics,fee\\,__proto__,constructor,toString'.split(
    ',',
  ),
];

/** JSON of any shape, rich in the names that the readers look for. */
const likelyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1e21, 1.5, '', '#/%5F%5Fproto%5F%5F/x'],
      ...'string object array USD 12.50 /x https://a.example/y succeeded queued'.split(' '),
      ...'__proto__ constructor toString'.split(' '),
    ),
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  ),
})).value;

function rawOf(body: unknown, status = 200, contentType = 'application/json'): RawResponse {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const headers = { 'content-type': contentType };
  return { status, contentType, headers, bytes, json: bodyJson(bytes, contentType) };
}

const ofEveryObject = Reflect.ownKeys(Object.prototype);

/** Whether a value consists of data alone: a lookup by an inherited name returns functions. */
function isData(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  return (
    value !== Object.prototype &&
    [...(value instanceof Map ? value.values() : Object.values(value))].every(isData)
  );
}

describe('any response', () => {
  it('reads without a crash and stays complete, for any JSON', () => {
    fc.assert(
      fc.property(likelyJson, fc.constantFrom(200, 201, 202, 303, 400, 500), (json, status) => {
        const raw = rawOf(json, status);
        const read: unknown[] = [
          readList(raw.json, raw.headers)?.items.map(readSummary),
          readModel(raw.json, 'asked'),
          readUploadTicket(raw.json),
          readMediaRef(raw.json),
        ];
        const said = readError(raw).serviceMessage;
        assert.ok(
          said === undefined ||
            (said.length <= 300 && !said.includes('[object Object]') && !said.includes('undefined')) ||
            JSON.stringify(json).includes('undefined'),
        );
        const run = readRunResponse(raw, ASKED);
        assert.equal(run.raw.bytes, raw.bytes);
        if (run.followUrl !== undefined) assert.equal(new URL(run.followUrl).origin, ASKED.origin);
        const wallet = readWallet(raw);
        read.push(run, readUsage(raw.json), readActivity(raw.json, raw.headers), wallet);
        assert.ok(isData(read), 'something that every object has was taken for a word of the service');
        assert.deepEqual(Reflect.ownKeys(Object.prototype), ofEveryObject);
        if (wallet.wallet !== undefined) assert.match(wallet.wallet.balance.amount, /^-?\d+(\.\d+)?$/);
      }),
      {
        numRuns: Number(process.env.MODEL_BENCH_FAULTS_BODIES ?? 3_000),
        // A record with an own "toString" cannot be made a text.
        examples: [
          { slug: { amount: '', slug: { toString: null } } },
          { items: [], more: { toString: null } },
          { success: { toString: null } },
          { balance: { units: '1', nanos: { toString: null } } },
          { upload_id: 'u', upload_url: 'https://a.example/y', headers: { a: [{ toString: null }] } },
          { slug: 'a', inputs: [{ name: 'x', type: 'string', location: { toString: null } }] },
        ].map((body): [unknown, number] => [body, 200]),
      },
    );
  });

  it('counts as no JSON and stays complete when it is nested extremely deep', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"data":', '}'],
      ['{"error":', '}'],
      ['{"items":[', ']}'],
    ] as const) {
      const deep = (times: number) => rawOf(`${open.repeat(times)}"]}"${close.repeat(times)}`);
      const raw = deep(20_000);
      assert.equal(raw.json, undefined);
      assert.equal(readRunResponse(raw, ASKED).raw.bytes.length, raw.bytes.length);
      assert.equal(readRunResponse(raw, ASKED).recognised, false);
      const bearable = deep(90);
      assert.notEqual(bearable.json, undefined);
      readList(bearable.json, {});
      readModel(bearable.json, 'asked');
      readError(bearable);
      readUsage(bearable.json);
      readActivity(bearable.json);
    }
    assert.deepEqual(rawOf(`["${'['.repeat(1000)}\\""]`).json, [`${'['.repeat(1000)}"`]);
  });

  it('reads an outcome and its cost of up to 1,000 levels, and leaves a deeper one in its bytes', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      for (const levels of [1_000, 1_001]) {
        const output = `${open.repeat(levels - 1)}"[{"${close.repeat(levels - 1)}`;
        const raw = rawOf(`{"status":"completed","cost":0.01,"output":${output}}`);
        const { state, cost, raw: kept } = readRunResponse(raw, ASKED);
        const read = levels === 1_000 ? ['finished', '0.01'] : ['unclear', undefined];
        assert.deepEqual([state, cost?.amount], read);
        assert.ok(Buffer.from(kept.bytes).includes(output));
      }
  });

  describe('over the wire', () => {
    let proxy: FaultProxy;
    let response: StubResponse = {};
    before(async () => {
      proxy = await startFaultProxy({ behind: () => response });
    });
    after(() => proxy.close());

    const typed = (type: string, body: StubResponse['body']) => ({ headers: { 'content-type': type }, body });
    const bodies: [string, StubResponse][] = [
      ['HTML', typed('text/html', '<!doctype html><title>Sign in</title><h1>Sign in</h1>')],
      ['broken JSON', typed('application/json', '{"models": [')],
      ['nothing', {}],
      ['random bytes', typed('application/octet-stream', Buffer.from([0, 255, 1, 254]))],
      ['text', typed('text/plain', 'hello')],
      ['a number', typed('application/json', '42')],
      ['false gzip', { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }],
      ['no content', { status: 204 }],
    ];
    for (const [what, how] of bodies)
      it(`ends every call in a value or a ServiceError, its body kept: ${what}`, async () => {
        response = how;
        const client = testClient(proxy.url);
        const run = await client.run(REQUEST);
        const sent = Buffer.from((how.body as string | Buffer | undefined) ?? '');
        assert.deepEqual(Buffer.from(run.raw.bytes), sent);
        assert.equal(run.recognised, what === 'text' || what === 'a number');
        const [page] = await collect(client.listModels());
        assert.deepEqual(page && Buffer.from(page.unrecognised?.bytes ?? 'missing'), sent);
        const wallet = await client.wallet();
        assert.deepEqual(Buffer.from(wallet.raw.bytes), sent);
        for (const call of [
          client.getModel('m'),
          client.upload(sourceOf('a', 'image/png', Buffer.from('x'))),
        ])
          await assert.rejects(call, (error) => {
            assert.ok(error instanceof ServiceError && error.kind === 'unreadableResponse', String(error));
            assert.deepEqual(Buffer.from(error.details.raw?.bytes ?? 'missing'), sent);
            assert.doesNotMatch(messageOf(error), /undefined|\[object/);
            return true;
          });
        client.close();
      });
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
