import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../support/paths';
import type { Tally } from '../../support/run/tally';

/** An act with a wait that held before its test; the second test runs only if the first one failed by itself. */
const unawaited = `describe('A page', () => {
  it('opens', () => { globalThis.modelBenchWaits.act = { what: 'click', held: ['a row'], isSettled: false }; });
  it('closes', () => {});
});`;
const passing = "it('passes', () => {});";
const hooks = `exports.mochaHooks = {
  afterEach() { if (this.currentTest.title === 'closes') throw new Error('not closed'); },
};`;

describe('The counts of a suite', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-tally-'));
    await writeFile(path.join(folder, 'unawaited.test.cjs'), unawaited);
    await writeFile(path.join(folder, 'passing.test.cjs'), passing);
    await writeFile(path.join(folder, 'hooks.cjs'), hooks);
  });
  after(() => rm(folder, { recursive: true }));

  for (const [how, options] of [
    ['in one process', []],
    ['in a process for each file', ['--parallel', '--jobs', '2']],
  ] as const)
    it(`name the file of an unawaited act and of a failed hook of all files, ${how}`, async () => {
      const tally = path.join(folder, `${options.length}.json`);
      const support = path.join(root, 'test/support');
      const args = [
        ...['--import', 'tsx', path.join(root, 'node_modules/mocha/bin/mocha.js')],
        ...['--reporter', path.join(support, 'run/reporter.ts'), ...options],
        ...['--require', path.join(support, 'evidence.ts'), '--require', path.join(folder, 'hooks.cjs')],
        ...[path.join(folder, 'unawaited.test.cjs'), path.join(folder, 'passing.test.cjs')],
      ];
      const { MODEL_BENCH_WAITS: _, ...rest } = process.env;
      const env = { ...rest, MODEL_BENCH_TALLY: tally, MODEL_BENCH_ROOT: folder };
      await new Promise((resolve) => execFile(process.execPath, args, { cwd: root, env }, resolve));
      const { failures, byFile, passed } = JSON.parse(await readFile(tally, 'utf8')) as Tally;
      assert.deepEqual(
        failures.map(({ file, title }) => [file, title]),
        [
          ['unawaited.test.ts', 'A page opens'],
          ['unawaited.test.ts', '"after each" hook: afterEach for "closes"'],
        ],
      );
      assert.equal(byFile['unawaited.test.ts']?.failed, 2);
      assert.equal(passed, 2);
    });
});
