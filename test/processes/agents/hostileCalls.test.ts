import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { MOST_BYTES } from '../../../src/agents/answer';
import { callTool } from '../../../src/agents/callTool';
import { processHouse } from '../../../src/agents/processHouse';
import { toolNames } from '../../../src/agents/toolNames';
import { Works } from '../../../src/agents/works';
import { compareAmounts, timesAmount } from '../../../src/domain/amounts';
import { createServiceClient } from '../../../src/service/createClient';
import { openStore, storeFolder } from '../../../src/store/store';
import { type McpProgram, startMcp } from '../../support/agents/mcpClient';
import { cliProgram } from '../../support/programs';
import { disc } from '../../support/sandboxPictures';
import { type CountingService, countingService, PRICE } from './countingService';

const CALLS = 1_000;
const AT_ONCE = 50;
/** 80 runs. */
const GRANT = '0.80';
const KEY = 'mb-live-7Qx9Zt4LkRw2VbNc';
const SECRET = 'OUTSIDE-SECRET';
const HOURS = 3_600_000;

interface Call {
  readonly tool: string;
  readonly input: unknown;
  /** Hours by which the clock of the test's process is moved. */
  readonly clock: number;
  readonly place: 'here' | 'other';
}

const foreignPaths = [
  ...[
    '../outside/secret.png',
    '/etc/passwd',
    'link.png',
    'links/secret.png',
    '../../..',
    '/proc/self/root/etc/passwd',
  ],
  ...[
    'file:///etc/passwd',
    '\\\\server\\share\\x.png',
    'a.png\0',
    '~/.ssh/id_rsa',
    '../outside/out.experiment.json',
  ],
];
const ownPaths = [
  'a.png',
  './b.png',
  'texts.csv',
  '.',
  'out.run.json',
  'out.experiment.json',
  'ok.experiment.json',
];

/** Few keys, so that most calls are repeated ones. */
const key = fc.nat(120).map((n) => `key-${n}`);
const anyPath = fc.constantFrom(...foreignPaths, ...ownPaths);
const place = { scope: fc.constant('s'), model: fc.constant('image-similarity') };
const noWait = { wait_seconds: fc.constant(0) };

const paidText = key.chain((idempotency_key) =>
  fc.record({
    ...{ idempotency_key: fc.constant(idempotency_key), model: fc.constant('sentiment') },
    // The second text is another request under the same key.
    input: fc.constantFrom({ text: `${idempotency_key} one` }, { text: `${idempotency_key} two ${KEY}` }),
  }),
);
const foreignMedia = fc.record({
  ...{ idempotency_key: key, model: fc.constant('image-similarity') },
  input: fc.record({ image: fc.record({ media_ref: anyPath }) }),
});
const inputs = fc.oneof(
  { weight: 8, arbitrary: paidText.map((input) => ({ tool: 'run_model', input: input as unknown })) },
  { weight: 2, arbitrary: foreignMedia.map((input) => ({ tool: 'run_model', input: input as unknown })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ idempotency_key: key, file: anyPath, ...place })
      .map((input) => ({ tool: 'search_scope', input: input as unknown })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        idempotency_key: key,
        paths: fc.array(anyPath, { minLength: 1, maxLength: 3 }),
        ...place,
        ...noWait,
      })
      .map((input) => ({ tool: 'index_files', input: input as unknown })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      tool: fc.constantFrom('run_experiment', 'run_model'),
      input: fc.record({ idempotency_key: key, file: anyPath, ...noWait }) as fc.Arbitrary<unknown>,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      tool: fc.constantFrom('find_models', 'run_model', 'list_scopes', 'read_results'),
      input: fc.record({
        environment: fc.constantFrom('production', 'staging', 'Sandbox', '', '__proto__'),
        idempotency_key: key,
        model: fc.constant('sentiment'),
        input: fc.constant({ text: 'x' }),
      }) as fc.Arbitrary<unknown>,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      tool: fc.constantFrom(...toolNames),
      input: fc
        .constantFrom(
          ...[
            '{"__proto__":{"idempotency_key":"p","model":"sentiment","input":{"text":"x"}}}',
            '{"model":"sentiment","idempotency_key":"p","input":{"__proto__":{"text":"x"}}}',
            '{"constructor":{"prototype":{"x":1}}}',
            '{"handle":"../../../etc/passwd"}',
            '{"handle":"__proto__"}',
          ],
        )
        .map((text): unknown => JSON.parse(text)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      tool: fc.oneof(fc.constantFrom(...toolNames, '__proto__', 'constructor', 'toString'), fc.string()),
      input: fc.oneof(
        fc.jsonValue() as fc.Arbitrary<unknown>,
        fc.record({
          ...{
            model: fc.jsonValue(),
            input: fc.jsonValue(),
            idempotency_key: fc.jsonValue(),
            file: fc.jsonValue(),
          },
          ...{
            paths: fc.jsonValue(),
            handle: fc.jsonValue(),
            from: fc.jsonValue(),
            wait_seconds: fc.jsonValue(),
          },
        }) as fc.Arbitrary<unknown>,
      ),
    }),
  },
);

/** @returns generated calls, the same in every run; the clock ends the grant near their end */
function hostileCalls(): Call[] {
  const drawn = fc.sample(fc.tuple(inputs, fc.constantFrom('here', 'other'), fc.nat(99)), {
    numRuns: CALLS,
    seed: 43,
  });
  return drawn.map(([{ tool, input }, where, chance], at) => ({
    ...{ tool, input, place: where as Call['place'] },
    clock: at > CALLS * 0.9 ? (at % 2 === 0 ? 48 : -48) : chance < 10 ? -1 : 0,
  }));
}

describe('A thousand hostile calls of agents', () => {
  let folder: string;
  let service: CountingService;
  let other: McpProgram;
  const { now } = Date;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mb-hostile-')));
    await prepareFolder(folder);
    service = await countingService();
    other = await startMcp(
      await cliProgram(),
      ['--base-url', service.url, '--state', path.join(folder, 'state'), '--max-cost', GRANT],
      { cwd: path.join(folder, 'root'), apiKey: KEY, name: 'agent' },
    );
    // Its first use of the store gives the grant.
    await other.call('list_scopes');
  });
  after(async () => {
    Date.now = now;
    await other.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('pay at most the grant and no key twice, read no file outside, and answer without the key', async () => {
    const client = createServiceClient({
      ...{ environment: 'command line', baseUrl: service.url, apiKey: async () => KEY },
      network: { env: {} },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    });
    const reports = path.join(folder, 'state', 'agents');
    const house = processHouse({
      ...{ client, key: KEY, reports, roots: [path.join(folder, 'root')] },
      openStore: () => openStore(storeFolder(path.join(folder, 'state'))),
      fetchesMedia: false,
    });
    const session = { house, works: new Works(reports), agent: 'agent' };
    const texts: string[] = [];
    const calls = hostileCalls();
    const workers = Array.from({ length: AT_ONCE }, async () => {
      for (let call = calls.shift(); call; call = calls.shift()) {
        const { tool, input, clock } = call;
        if (call.place === 'other' && typeof input === 'object' && input !== null && !Array.isArray(input)) {
          const answer = await other
            .call(tool, input as Record<string, unknown>)
            .catch((error: unknown) => ({ text: String(error) }));
          texts.push(answer.text);
          continue;
        }
        Date.now = () => now() + clock * HOURS;
        const { text } = await callTool(session, tool, input, new AbortController().signal);
        assert.ok(Buffer.byteLength(text) <= MOST_BYTES);
        texts.push(text);
      }
    });
    await Promise.all(workers);
    Date.now = now;
    const { agentGrants } = await house.store();
    const isWorking = () => agentGrants.calls({ limit: 5_000 }).some(({ state }) => state === 'running');
    while (isWorking()) await new Promise((resolve) => setTimeout(resolve, 20));

    assert.equal(texts.length, CALLS);
    const runs = service.runs();
    assert.ok(runs.length >= 20, `${runs.length} runs were paid`);
    assert.ok(compareAmounts(timesAmount(PRICE, runs.length), GRANT) <= 0, `${runs.length} runs were paid`);
    const keys = runs.flatMap(({ input }) =>
      typeof input.text === 'string' ? input.text.split(' ')[0]! : [],
    );
    assert.deepEqual(repeated(keys), []);
    assert.deepEqual(
      repeated(runs.flatMap(({ input }) => (input.image_ids as string[] | undefined) ?? [])),
      [],
    );
    const secret = hashOf(disc(201, 11, 12));
    for (const { path: asked, body } of service.received) {
      assert.ok(!body.includes(SECRET), asked);
      assert.notEqual(hashOf(body), secret, asked);
    }
    for (const text of texts) {
      assert.ok(!text.includes(SECRET) && !text.includes('root:x:'), text);
      assert.ok(!text.includes(KEY) && !text.includes(Buffer.from(KEY).toString('base64')), text);
      const mark = /<(service-data-[\da-f]{12})>\n/.exec(text)?.[1];
      if (mark !== undefined) assert.equal(text.split(mark).length, 3, text);
    }
    assert.ok(texts.some((text) => text.includes('[API key removed]')));
    assert.ok(texts.some((text) => /Needs approval/.test(text)));
    // A clock that was set back does not bring the grant back.
    const late = await callTool(
      session,
      'run_model',
      { model: 'sentiment', input: { text: 'late' }, idempotency_key: randomUUID() },
      new AbortController().signal,
    );
    assert.match(late.text, /has ended/);
    assert.equal(service.runs().length, runs.length);
    client.close();
    await house.close();
  });
});

function repeated(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A folder of agents, and one beside it that they must not read. */
async function prepareFolder(folder: string): Promise<void> {
  const [root, outside] = ['root', 'outside'].map((name) => path.join(folder, name)) as [string, string];
  await mkdir(root);
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret.png'), disc(201, 11, 12));
  await writeFile(path.join(outside, 'secret.csv'), `text\n${SECRET}\n`);
  for (const [name, shade] of [
    ['a.png', 20],
    ['b.png', 220],
  ] as const)
    await writeFile(path.join(root, name), disc(shade, 50, 50));
  await writeFile(path.join(root, 'texts.csv'), 'text\nexperiment-one\nexperiment-two\n');
  await symlink('../outside/secret.png', path.join(root, 'link.png'));
  await symlink('../outside', path.join(root, 'links'));
  const experiment = (csv: string) =>
    JSON.stringify({
      ...{ run: { model: 'sentiment', input: {} }, over: { csv, map: { '/input/text': 'text' } } },
    });
  await writeFile(path.join(root, 'ok.experiment.json'), experiment('texts.csv'));
  for (const place of [root, outside])
    await writeFile(path.join(place, 'out.experiment.json'), experiment('../outside/secret.csv'));
  const media = { image: { media_ref: '../outside/secret.png' } };
  await writeFile(
    path.join(root, 'out.run.json'),
    JSON.stringify({ model: 'image-similarity', input: media, environment: 'command line' }),
  );
}
