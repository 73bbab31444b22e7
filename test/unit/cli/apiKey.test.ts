import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandWords, readApiKey } from '../../../src/cli/apiKey';
import { UsageError } from '../../../src/commands/usageError';
import { commandOnPath } from '../../../src/programs/startProgram';
import { trustWorkspaceWhen } from '../../../src/programs/trust';

const printing = (code: string) => `"${process.execPath}" -e '${code}'`;

describe('The key of the command line', () => {
  before(() => trustWorkspaceWhen(() => true));

  it('comes from --key-command, then the variable, then the command in a variable', async () => {
    const env = {
      MODEL_BENCH_API_KEY: 'of-the-variable',
      MODEL_BENCH_API_KEY_COMMAND: printing('console.log("of-the-command")'),
    };
    assert.equal(await readApiKey(printing('console.log(" of-the-flag ")'), env), 'of-the-flag');
    assert.equal(await readApiKey(undefined, env), 'of-the-variable');
    assert.equal(await readApiKey(undefined, { ...env, MODEL_BENCH_API_KEY: ' ' }), 'of-the-command');
    await assert.rejects(readApiKey(undefined, {}), /MODEL_BENCH_API_KEY.*--key-command/);
  });

  it('stays out of every message about a command that fails', async () => {
    for (const [code, reason] of [
      ['console.log("the-secret"); process.exit(3)', /exit code 3/],
      ['console.log("the-secret and more")', /more than a key/],
      ['console.log("the-secret\\nother")', /more than a key/],
      ['console.log("")', /printed no key/],
      ['console.log("the-secret".repeat(10000))', /failed/],
    ] as const)
      await assert.rejects(readApiKey(printing(code)), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /the-secret/);
        return true;
      });
    await assert.rejects(
      readApiKey('no-such-command-of-anyone x'),
      /“no-such-command-of-anyone” was not found/,
    );
    await assert.rejects(readApiKey('   '), /empty/);
  });

  it('comes from a command in an absolute folder of PATH, where a bare name could mean another', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-path-'));
    try {
      const [own, other] = ['own', 'other'].map((name) => path.join(folder, name));
      for (const one of [own!, other!]) await mkdir(one);
      await writeFile(path.join(own!, 'op.exe'), '', { mode: 0o755 });
      await mkdir(path.join(other!, 'op.exe'));
      const found = (name: string, folders: readonly string[]) =>
        commandOnPath(name, folders.join(path.delimiter));
      for (const name of ['op', 'op.exe'])
        assert.equal(await found(name, ['', '.', other!, own!]), path.join(own!, 'op.exe'));
      assert.equal(await found('op', ['', '.', path.relative(process.cwd(), own!), other!]), undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('comes from a command that runs without a shell', async () => {
    assert.equal(await readApiKey(`${printing('console.log(process.argv[1])')} "$HOME;ls|x"`), '$HOME;ls|x');
  });

  it('splits a command into words as a shell does, and expands nothing', () => {
    assert.deepEqual(commandWords('op read "op://a b/c" \'d "e"\' f\\g'), [
      'op',
      'read',
      'op://a b/c',
      'd "e"',
      'f\\g',
    ]);
    assert.deepEqual(commandWords('--a="b c"d ""'), ['--a=b cd', '']);
    assert.deepEqual(commandWords('"open'), ['"', 'open']);
  });
});
