import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NotStarted, startProgram } from '../../../src/programs/startProgram';
import { trustWorkspaceWhen } from '../../../src/programs/trust';

async function outputOf(child: ChildProcess, input = ''): Promise<string> {
  let text = '';
  child.stdout?.on('data', (piece) => (text += piece));
  child.stderr?.on('data', (piece) => (text += piece));
  child.stdin?.end(input);
  await once(child, 'close');
  return text.trim();
}

describe('The start of a program', () => {
  const before = { folder: process.cwd(), path: process.env.PATH };
  let workspace: string;
  /** A folder of PATH, which every user has. */
  let bin: string;
  beforeEach(async () => {
    trustWorkspaceWhen(() => true);
    workspace = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-hostile-')));
    bin = path.join(workspace, '..', `${path.basename(workspace)}-bin`);
    await mkdir(bin);
    process.chdir(workspace);
  });
  afterEach(async () => {
    process.chdir(before.folder);
    process.env.PATH = before.path;
    await rm(workspace, { recursive: true });
    await rm(bin, { recursive: true });
  });
  const program = async (folder: string, name: string, output: string) => {
    await writeFile(path.join(folder, name), `#!/bin/sh\necho ${output}\n`);
    await chmod(path.join(folder, name), 0o755);
  };

  it('rejects every program before the workspace is trusted', async () => {
    trustWorkspaceWhen(() => false);
    await assert.rejects(startProgram(process.execPath, ['--version']), (error) => {
      assert.ok(error instanceof NotStarted);
      assert.equal(error.reason, 'untrusted');
      assert.match(error.message, /Trust the workspace/);
      return true;
    });
  });

  it('finds programs in absolute folders of PATH only, never in the current folder', async () => {
    for (const name of ['node.cmd', 'python3.exe', 'python3', 'node', 'own-tool'])
      await program(workspace, name, 'hostile');
    await program(bin, 'python3', 'from-path');
    process.env.PATH = ['', '.', 'sub', bin, path.dirname(process.execPath), before.path].join(
      path.delimiter,
    );
    assert.equal(await outputOf(await startProgram('python3', [])), 'from-path');
    assert.equal(await outputOf(await startProgram('node', ['-p', '1 + 1'])), '2');
    await assert.rejects(
      startProgram('own-tool', []),
      (error) => error instanceof NotStarted && error.reason === 'notFound',
    );
  });

  it('runs in a private empty folder, which is gone afterwards', async () => {
    await writeFile(path.join(workspace, 'file'), '');
    const script = 'console.log(process.cwd(), fs.readdirSync(".").length, fs.statSync(".").mode & 0o777)';
    const [folder = '', entries, mode] = (
      await outputOf(await startProgram(process.execPath, ['-e', script]))
    ).split(' ');
    assert.ok(!folder.startsWith(workspace));
    assert.equal(entries, '0');
    if (process.platform !== 'win32') assert.equal(Number(mode), 0o700);
    assert.equal(existsSync(folder), false);
  });

  it('keeps modules of the workspace out of Python', async () => {
    for (const name of ['requests.py', 'json.py'])
      await writeFile(path.join(workspace, name), 'print("hostile")\n');
    process.env.PATH = before.path;
    const child = await startProgram('python3', ['-']);
    const said = await outputOf(
      child,
      'import json\ntry:\n import requests\nexcept ImportError: pass\nprint("own")',
    );
    assert.equal(said, 'own');
  });

  it('leaves no timer behind when a program cannot start', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const text = path.join(workspace, 'no-program');
    await writeFile(text, 'text');
    const had = timers();
    await assert.rejects(startProgram('no-such-command', [], { deadline: 100_000 }), NotStarted);
    await assert.rejects(startProgram(text, [], { deadline: 100_000 }), NotStarted);
    assert.equal(timers(), had);
  });

  it('ends a program at its deadline', async () => {
    const child = await startProgram(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { deadline: 1 });
    const [code, signal] = await once(child, 'close');
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
  });
});
