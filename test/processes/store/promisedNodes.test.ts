import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';
import { nodeOf } from '../../support/runtime/parts';

const FULL = process.env.MODEL_BENCH_FAULTS === 'full';

/**
 * SQLite and its binding differ from one Node.js to the next: the oldest has neither numbered parameters nor an index of
 * texts, and SQLite up to 3.50 deletes the log of a process that has lost its locks. The one of the oldest VS Code lies
 * between it and the newest, which runs everything else.
 */
const NODES = {
  minimum: 'oldest Node.js that the command line promises',
  ...(FULL && { oldest: 'Node.js of the oldest VS Code' }),
} as const;

/** Several processes, killed ones, and a job that is killed and resumed: they depend on SQLite. */
const ON_SQLITE = [
  ...['processes/store/kills', 'processes/store/together'],
  ...['unit/store/changesAndLeases', 'unit/store/database'],
].map((name) => `test/${name}.test.ts`);

/** Those, and every other test of the store: the workflow also runs them on each promised Node.js. */
const FILES = [
  ...globSync('test/{unit,processes}/store/*.test.ts', { cwd: root }).filter(
    (file) => path.resolve(root, file) !== import.meta.filename,
  ),
  'test/unit/jobs/plainRuns.test.ts',
];

for (const [age, name] of Object.entries(NODES))
  describe(`The store in the ${name}`, () => {
    it('passes its tests', async function () {
      // npm packs few old versions for systems other than Linux.
      const node = await nodeOf(age as keyof typeof NODES).catch(() => undefined);
      if (node === undefined || node === process.execPath) return this.skip();
      const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
      const files = FULL ? FILES : [...ON_SQLITE, 'test/unit/jobs/plainRuns.test.ts'];
      const args = ['--import', 'tsx', mocha, '--reporter', 'dot', '--timeout', '600000', ...files];
      const env = {
        ...process.env,
        MODEL_BENCH_FAULTS_KILLS: '8',
        MODEL_BENCH_FAULTS_TOGETHER_ROUNDS: FULL ? '40' : '20',
      };
      const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          printed += data;
        });
      const [code] = await once(child, 'close');
      assert.equal(code, 0, printed);
      assert.match(printed, /\d{2,} passing/);
    });
  });
