import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { shimsFor } from '../../../src/commands/commandScripts';
import { putOnPath } from '../../../src/features/commandLine/onPath';

describe('The command in terminals', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "model bench 'PATH' $HOME "));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The extension's context, and its changes. */
  const contextOf = () => {
    const set = new Map<string, string>();
    let changes = 0;
    const change = (name: string, value: string) => {
      changes += 1;
      set.set(name, value);
    };
    return {
      globalStorageUri: { fsPath: path.join(folder, 'storage') },
      extensionUri: { fsPath: folder },
      environmentVariableCollection: {
        get: (name: string) => (set.has(name) ? { value: set.get(name) } : undefined),
        append: change,
        replace: change,
      },
      set,
      changes: () => changes,
    };
  };
  const put = (context: ReturnType<typeof contextOf>) => putOnPath(context as never, 'of the window');

  it('runs the command line of this installation, with unchanged arguments', async function () {
    if (process.platform === 'win32') this.skip();
    const context = contextOf();
    await writeFile(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    await mkdir(path.join(folder, 'dist'));
    await writeFile(
      path.join(folder, 'dist', 'cli.js'),
      'console.log(JSON.stringify([process.env.MODEL_BENCH_STATE, ...process.argv.slice(2)]))',
    );
    await put(context);
    const words = ['a b', '$HOME', "it's", '*', ''];
    const run = async (state?: string) => {
      const PATH = `${process.env.PATH}${context.set.get('PATH')}`;
      const env = { ...process.env, PATH, MODEL_BENCH_STATE: state };
      return JSON.parse((await promisify(execFile)('model-bench', words, { env })).stdout);
    };
    assert.deepEqual(await run(), [path.join(folder, 'storage'), ...words]);
    assert.deepEqual(await run('own'), ['own', ...words]);
  });

  it('updates its file after an update, and changes the variables once', async () => {
    const context = contextOf();
    await put(context);
    const file = path.join(folder, 'storage', 'bin', 'model-bench');
    const text = await readFile(file, 'utf8');
    const { mtimeMs } = await stat(file);
    await put(context);
    assert.deepEqual([context.changes(), (await stat(file)).mtimeMs], [2, mtimeMs], 'nothing to do');
    await writeFile(file, 'of an earlier version');
    await put(context);
    assert.deepEqual([context.changes(), await readFile(file, 'utf8')], [2, text]);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o111, 0o111, 'executable');
  });

  it('provides a script for each kind of shell on Windows', () => {
    const [posix, batch] = shimsFor(
      'win32',
      'C:\\Program Files\\Code.exe',
      'C:\\100% mine\\cli.js',
      'C:\\5% of it',
    );
    assert.deepEqual([posix!.name, batch!.name], ['model-bench', 'model-bench.cmd']);
    assert.match(posix!.text, /exec 'C:\\Program Files\\Code\.exe' 'C:\\100% mine\\cli\.js' "\$@"/);
    assert.match(batch!.text, /set "MODEL_BENCH_STATE=C:\\5%% of it"\r\n/);
    assert.match(batch!.text, /"C:\\Program Files\\Code\.exe" "C:\\100%% mine\\cli\.js" %\*\r\n/);
  });
});
