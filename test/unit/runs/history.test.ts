import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type History, openHistory } from '../../../src/runs/history/history';
import type { RunRecord } from '../../../src/runs/history/record';

function run(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    environment: 'staging',
    baseUrl: 'https://models.test',
    modelName: 'Echo',
    source: 'panel',
    draft: { model: 'echo', mode: 'execute', input: { text: id }, params: {} },
    attachments: [],
    startedAt: 1_000,
    state: 'finished',
    ...more,
  };
}

const body = (text: string) => ({ bytes: Buffer.from(text), contentType: 'application/json' });

describe('The history of runs', () => {
  let folder: string;
  let opened: History[];
  let limit: number;
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'history-'));
    opened = [];
    limit = 200;
  });
  afterEach(async () => {
    await Promise.all(opened.map((history) => history.close()));
    await fs.rm(folder, { recursive: true });
  });
  const open = async (more: { maxResultBytes?: number; maxTotalBytes?: number } = {}) => {
    const history = await openHistory(folder, { limit: () => limit, log: () => undefined, ...more });
    opened.push(history);
    return history;
  };
  const files = () => fs.readdir(join(folder, 'results')).catch(() => []);

  it('gives a run and its result back after a restart, newest first', async () => {
    const first = await open();
    await first.put(run('a', { startedAt: 1 }), body('{"a":1}'));
    await first.put(run('b', { startedAt: 2 }));
    await first.close();
    const second = await open();
    assert.deepEqual(
      second.runs.map((kept) => kept.id),
      ['b', 'a'],
    );
    assert.equal(Buffer.from((await second.result('a'))!).toString(), '{"a":1}');
    assert.equal(await second.result('b'), undefined);
  });

  it('replaces a run by its later record', async () => {
    const history = await open();
    await history.put(run('a', { state: 'running' }));
    await history.put(run('a', { state: 'finished', cost: { amount: '0.01' } }));
    assert.equal(history.runs.length, 1);
    assert.equal(history.get('a')?.state, 'finished');
  });

  it('cuts a copy at its bound and says so', async () => {
    const history = await open({ maxResultBytes: 4 });
    const kept = await history.put(run('a'), body('123456'));
    assert.deepEqual(kept.result, {
      file: 'a',
      contentType: 'application/json',
      sizeBytes: 6,
      truncated: true,
    });
    assert.equal(Buffer.from((await history.result('a'))!).toString(), '1234');
  });

  it('drops the oldest runs over the limit with their files, and none that is under way', async () => {
    limit = 3;
    const history = await open();
    await history.put(run('going', { startedAt: 0, state: 'running' }));
    for (let n = 1; n <= 5; n++) await history.put(run(`r${n}`, { startedAt: n }), body(`${n}`));
    assert.deepEqual(
      history.runs.map((kept) => kept.id),
      ['r5', 'r4', 'r3', 'going'],
    );
    assert.deepEqual((await files()).sort(), ['r3', 'r4', 'r5']);
  });

  it('still reads the run of an indexing job that an early version recorded', async () => {
    let history = await open();
    await history.put(run('by hand', { startedAt: 1 }));
    await history.put(run('of a job', { startedAt: 2, source: 'indexing' }));
    await history.close();
    history = await open();
    assert.deepEqual(
      history.runs.map((kept) => kept.id),
      ['of a job', 'by hand'],
    );
  });

  it('lets the oldest copies go when all together are too large, and keeps their records', async () => {
    const history = await open({ maxTotalBytes: 10 });
    for (let n = 1; n <= 3; n++) await history.put(run(`r${n}`, { startedAt: n }), body('12345'));
    assert.deepEqual((await files()).sort(), ['r2', 'r3']);
    assert.equal(history.runs.length, 3);
    assert.equal(history.get('r1')?.result, undefined);
  });

  it('survives a torn last line and a line that is no record', async () => {
    const history = await open();
    await history.put(run('a'));
    await history.close();
    await fs.appendFile(join(folder, 'runs.jsonl'), '{"nonsense":1}\n{"run":{"id":"torn","envir');
    const again = await open();
    assert.deepEqual(
      again.runs.map((kept) => kept.id),
      ['a'],
    );
    await again.put(run('b', { startedAt: 2_000 }));
    assert.deepEqual(
      (await open()).runs.map((kept) => kept.id),
      ['b', 'a'],
    );
  });

  it('never writes outside its folder, whatever an id says', async () => {
    const history = await open();
    await history.put(run('../../outside'), body('x'));
    assert.equal((await files()).length, 1);
    assert.match((await files())[0]!, /^[0-9a-f]{64}$/);
  });

  it('shows one window what another recorded and deleted', async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all([one.put(run('a', { startedAt: 1 })), two.put(run('b', { startedAt: 2 }))]);
    await one.refresh();
    await two.refresh();
    assert.deepEqual(
      [one, two].map((history) => history.runs.map((kept) => kept.id)),
      [
        ['b', 'a'],
        ['b', 'a'],
      ],
    );
    await one.delete(['a']);
    await two.put(run('a', { message: 'a late record' }));
    await two.refresh();
    assert.deepEqual(
      two.runs.map((kept) => kept.id),
      ['b'],
    );
  });

  it('tells of what another window did without being asked', async () => {
    const [one, two] = [await open(), await open()];
    const told = new Promise<readonly RunRecord[]>((resolve) => one.onDidChange(resolve));
    await two.put(run('a'));
    assert.deepEqual(
      (await told).map((kept) => kept.id),
      ['a'],
    );
  });

  it('leaves a run of another window that is open alone', async () => {
    const one = await open();
    await one.put(run('a', { state: 'running', sentAt: 1_000 }));
    assert.equal((await open()).get('a')?.state, 'running');
  });

  it('makes a run unknown when its window was closed under it', async () => {
    const one = await open();
    await one.put(run('a', { state: 'running', sentAt: 1_000 }));
    await one.close();
    const kept = (await open()).get('a');
    assert.equal(kept?.state, 'unknown');
    assert.match(kept?.message ?? '', /may have been executed and billed/);
  });

  const child = async () => {
    const process = fork(join(import.meta.dirname, '../../support/historyChild.ts'), [folder], {
      execArgv: ['--import', 'tsx'],
    });
    await once(process, 'message');
    return {
      async kill() {
        process.kill('SIGKILL');
        await once(process, 'exit');
      },
    };
  };
  const makeOld = async (session: string) => {
    const longAgo = new Date(Date.now() - 60_000);
    await fs.utimes(join(folder, 'sessions', `${session}.lock`), longAgo, longAgo);
  };

  it('makes a run unknown as soon as its process was killed', async () => {
    const window = await child();
    const history = await open();
    assert.equal(history.get('killed')?.state, 'running');
    await window.kill();
    await history.refresh();
    assert.equal(history.get('killed')?.state, 'unknown');
  });

  it('leaves a run alone whose window lives and was too busy, or asleep, to touch its lock', async () => {
    const window = await child();
    const history = await open();
    const { session } = history.get('killed')!;
    for (let look = 0; look < 3; look++) {
      await makeOld(session!);
      await history.refresh();
      assert.equal(history.get('killed')?.state, 'running');
    }
    await window.kill();
  });

  it('does not believe a process number for ever that may belong to another program by now', async () => {
    const history = await open();
    // Held by this very process, which is alive, and never touched again: a session file of one long gone.
    await fs.mkdir(join(folder, 'sessions', 'gone.lock'), { recursive: true });
    await fs.writeFile(
      join(folder, 'sessions', 'gone.holder'),
      JSON.stringify({ pid: process.pid, host: hostname() }),
    );
    await makeOld('gone');
    const line = JSON.stringify({ run: { ...run('a', { state: 'running', sentAt: 1 }), session: 'gone' } });
    await fs.appendFile(join(folder, 'runs.jsonl'), `${line}\n`);
    await history.refresh();
    assert.equal(history.get('a')?.state, 'running');
    for (let look = 0; look < 10; look++) await history.refresh();
    assert.equal(history.get('a')?.state, 'unknown');
  });

  it('keeps the same runs whatever two windows do in whatever order, also over a tidying restart', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({ window: fc.nat(1), id, deletes: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const place = await fs.mkdtemp(join(tmpdir(), 'history-'));
        const settings = { limit: () => 200, log: () => undefined };
        const windows = [await openHistory(place, settings), await openHistory(place, settings)] as const;
        const expected = new Set<string>();
        const deleted = new Set<string>();
        for (const { window, id, deletes } of steps) {
          if (deletes) {
            await windows[window]!.delete([id]);
            expected.delete(id);
            deleted.add(id);
          } else {
            await windows[window]!.put(run(id));
            if (!deleted.has(id)) expected.add(id);
          }
        }
        await Promise.all(windows.map((history) => history.close()));
        const after = await openHistory(place, settings);
        const ids = after.runs.map((kept) => kept.id).sort();
        await after.close();
        await fs.rm(place, { recursive: true });
        assert.deepEqual(ids, [...expected].sort());
      }),
      { numRuns: 12 },
    );
  });

  it('stays small on disk when one run is recorded over and over', async () => {
    const history = await open();
    for (let n = 0; n < 300; n++) await history.put(run('a', { message: `step ${n}` }));
    await history.close();
    await open();
    const text = await fs.readFile(join(folder, 'runs.jsonl'), 'utf8');
    assert.equal(text.split('\n').filter((line) => line.includes('"run"')).length, 1);
  });
});
