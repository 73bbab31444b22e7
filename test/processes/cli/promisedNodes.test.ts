import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { gate } from '../../support/gate';
import { cliProgram } from '../../support/programs';
import { nodeOf } from '../../support/runtime/parts';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';

const LONG = 40;
const SHORT = 4;
/** Runs of the long one before its kill. */
const ANSWERED = 10;

for (const age of ['minimum', 'oldest'] as const)
  describe(`Experiments in terminals on the ${age} Node.js`, () => {
    let sandbox: TestSandbox;
    let service: FaultProxy;
    let folder: string;
    /** Until the kill, the long experiment gets no response to its later runs. */
    const { opened: killed, open: noteKill } = gate();
    let longRuns = 0;
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'promised-node-'));
      sandbox = await sandboxInProcess();
      service = await startFaultProxy({
        behind: sandbox.baseUrl,
        fault: ({ method, path: route, body }) => {
          if (method !== 'POST' || route !== '/api/runs' || !body.includes('long')) return undefined;
          return ++longRuns > ANSWERED ? { kind: 'hold', until: killed } : undefined;
        },
      });
    });
    after(async () => {
      await service.close();
      await sandbox.stop();
      await rm(folder, { recursive: true });
    });

    const sent = async () =>
      (await sandbox.ledger()).timeline.filter((one) => one.method === 'POST' && one.path === '/api/runs')
        .length;

    it('send each run once between them, when one ends early and the other is killed and restarted', async function () {
      // npm packs few old versions for systems other than Linux.
      const node = await nodeOf(age).catch(() => undefined);
      if (node === undefined) return this.skip();
      const cli = await cliProgram();
      for (const [name, count] of [
        ['long', LONG],
        ['short', SHORT],
      ] as const)
        await writeFile(
          path.join(folder, `${name}.experiment.json`),
          JSON.stringify({
            run: { model: 'slow-echo', input: {}, params: { seconds: 0 } },
            vary: { '/input/text': Array.from({ length: count }, (_, n) => `${name} ${n}`) },
          }),
        );
      const start = (name: string) => {
        const words = ['--base-url', service.url, '--max-cost', '5', '--state', 'state'];
        const child = spawn(node, [cli, 'experiment', `${name}.experiment.json`, ...words], {
          cwd: folder,
          env: { ...process.env, MODEL_BENCH_API_KEY: sandbox.apiKey },
        });
        let printed = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (data) => {
            printed += data;
          });
        const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }));
        return { child, ended };
      };
      const [long, short] = [start('long'), start('short')];
      const first = await short.ended;
      assert.equal(first.code, 0, first.printed);
      while (longRuns <= ANSWERED) await delay(10);
      long.child.kill('SIGKILL');
      await long.ended;
      noteKill();
      // Runs that were in flight are unconfirmed: exit code 3.
      const { code, printed } = await start('long').ended;
      assert.equal(code, 3, printed);
      // Killed between its record and its first byte, a run is unconfirmed without having left.
      assert.ok((await sent()) <= LONG + SHORT, printed);
      const lines = (await readFile(path.join(folder, 'long.results.jsonl'), 'utf8')).trim().split('\n');
      const states = new Map(
        lines.flatMap((line) => {
          const { custom_id: id, state } = JSON.parse(line) as { custom_id: string; state: string };
          return state === 'sent' ? [] : [[id, state] as const];
        }),
      );
      const unconfirmed = [...states.values()].filter((state) => state === 'unconfirmed').length;
      const all = await sent();
      tellFigures({
        case: `two terminals on the ${age} promised Node.js, one killed`,
        tried: LONG + SHORT,
        ...{ lost: LONG - states.size, doubled: Math.max(0, all - LONG - SHORT), leaked: 0 },
        note: `${unconfirmed} unconfirmed`,
      });
      assert.equal(states.size, LONG);
      // In flight, or with a response on its way to the disk.
      assert.ok(unconfirmed >= 1 && unconfirmed <= 8, printed);
    });
  });
