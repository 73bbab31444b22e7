import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { DataProblem } from '../../../src/sandbox/store/dataProblem';
import { eventually } from '../../support/eventually';
import { sandboxInChild, sandboxInProcess } from '../../support/sandbox';
import { call, run } from '../../support/sandboxCalls';

type Target = Parameters<typeof run>[0];

const index = (sandbox: Target, ids: readonly string[], text = 'Buy milk.') =>
  run(sandbox, {
    model: 'text-similarity',
    mode: 'index',
    scope: 's',
    input: { texts: ids.map((id) => ({ id, text })) },
  });
const search = (sandbox: Target, text = 'Buy milk.') =>
  run(sandbox, {
    model: 'text-similarity',
    mode: 'search',
    scope: 's',
    input: { text },
    params: { top_k: 100 },
  });
const balance = async (sandbox: Target) =>
  (await call(sandbox, 'GET', '/api/billing/wallet')).body.balance as string;

describe("the sandbox's database", () => {
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
    file = join(dataDir, 'sandbox.db');
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('replaces the vector of an id that is indexed again, before and after a restart', async () => {
    const first = await sandboxInProcess({ dataDir });
    await index(first, ['a', 'b'], 'first');
    assert.equal((await search(first, 'second')).body.output.searched, 2);
    const again = await index(first, ['b', 'c'], 'second');
    assert.deepEqual(
      (({ added, replaced, total_in_scope }) => ({ added, replaced, total_in_scope }))(again.body.output),
      { added: 1, replaced: 1, total_in_scope: 3 },
    );
    const found = (await search(first, 'second')).body.output;
    assert.deepEqual(
      found.results.map(({ id, text, score }: Record<string, unknown>) => [id, text, score === 1]),
      [
        ['b', 'second', true],
        ['c', 'second', true],
        ['a', 'first', false],
      ],
    );
    await first.stop();
    const second = await sandboxInProcess({ dataDir });
    assert.deepEqual((await search(second, 'second')).body.output, found);
    await second.stop();
  });

  it('changes and charges nothing when the disk is full', async () => {
    const { sandbox, stop } = await sandboxInProcess({ dataDir });
    await index(sandbox, ['kept']);
    const before = (await search(sandbox)).body.output;
    const money = await balance(sandbox);
    const pages = Number(sandbox.database.get('PRAGMA page_count')?.page_count);
    sandbox.database.get(`PRAGMA max_page_count = ${pages + 3}`);
    const many = Array.from({ length: 100 }, (_, i) => `new ${i}`);
    const response = await index(sandbox, many);
    assert.equal(response.status, 507);
    assert.match(response.body.error.message, /disk is full.*Nothing was changed or charged/);
    assert.deepEqual((await search(sandbox)).body.output.results, before.results);
    sandbox.database.get('PRAGMA max_page_count = 1000000');
    assert.equal(await balance(sandbox), (Number(money) - 0.0005).toFixed(4)); // the search
    assert.equal((await index(sandbox, many)).body.output.total_in_scope, 101);
    await stop();
  });

  it('contains every item of every charged run and no other after kills at any time', async () => {
    const kills = fc.sample(fc.integer({ min: 0, max: 150 }), { numRuns: 6, seed: 20261122 });
    let [sent, answered] = [0, 0];
    for (const ms of kills) {
      const child = await sandboxInChild({ dataDir });
      const sending = (async () => {
        for (; child.child.exitCode === null; answered++) await index(child, [`a${sent++}`, `b${sent++}`]);
      })().catch(() => undefined);
      await eventually(() => answered > 0);
      await delay(ms);
      child.child.kill('SIGKILL');
      if (child.child.signalCode === null) await once(child.child, 'exit');
      await sending;
    }
    const { sandbox, stop } = await sandboxInProcess({ dataDir });
    const facts = sandbox.database.get(
      `SELECT (SELECT micros FROM wallet) AS micros, (SELECT sum(micros) FROM runs) AS charged,
        (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM vectors) AS vectors,
        (SELECT sum(items) FROM datasets) AS items,
        (SELECT count(*) FROM runs, json_each(ids) WHERE json_quote(value) IN (SELECT item FROM vectors)) AS owned`,
    )!;
    assert.ok(Number(facts.runs) > 0);
    assert.equal(Number(facts.micros) + Number(facts.charged), 10_000_000);
    assert.equal(facts.vectors, 2 * Number(facts.runs));
    assert.equal(facts.items, facts.vectors);
    assert.equal(facts.owned, facts.vectors);
    await stop();
  });

  it('moves aside when it is damaged, byte for byte, and the sandbox starts with a new one', async () => {
    const first = await sandboxInProcess({ dataDir });
    for (let i = 0; i < 20; i++)
      await index(
        first,
        Array.from({ length: 20 }, (_, item) => `${i} ${item}`),
      );
    await first.stop();
    const whole = await readFile(file);
    const { size } = await stat(file);
    const damages = [
      { at: 0, bytes: 100 },
      { at: 4096, bytes: 4096 },
      { at: size - 8192, bytes: 4096 },
      { at: 0, bytes: size },
    ];
    for (const { at, bytes } of damages) {
      const damaged = Buffer.from(whole);
      damaged.fill(0x5a, at, at + bytes);
      await writeFile(file, damaged);
      const { sandbox, stop } = await sandboxInProcess({ dataDir });
      assert.equal(await balance(sandbox), '10.0000', `damaged at ${at}`);
      assert.equal(sandbox.apiKey, first.apiKey);
      assert.deepEqual(await readFile(sandbox.setAside!), damaged);
      await stop();
    }
    assert.equal(
      (await readdir(dataDir)).filter((name) => name.includes('.damaged-')).length,
      damages.length,
    );
    // The line by which the window learns of it.
    await writeFile(file, Buffer.alloc(5000, 0x5a));
    const child = await sandboxInChild({ dataDir });
    assert.match(String(child.ready.setAside), /sandbox\.damaged-.*\.db$/);
    await child.stop();
  });

  it('admits one process at a time', async () => {
    const first = await sandboxInProcess({ dataDir });
    await assert.rejects(
      sandboxInProcess({ dataDir }),
      (error) => error instanceof DataProblem && error.kind === 'locked',
    );
    assert.equal((await index(first, ['a'])).status, 200);
    await first.stop();
  });
});
