import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import lockfile from 'proper-lockfile';
import { cacheFolder } from '../paths';

export interface Part {
  /** The folder's name inside the cache; it carries the version, so that another version is another folder. */
  readonly name: string;
  /** For the progress line. */
  readonly title: string;
  /** What npm installs, each with its exact version. */
  readonly packages: readonly string[];
  /** What is left to do after npm, inside the folder; `finalFolder` is where it will stand. */
  readonly finish?: (folder: string, finalFolder: string) => Promise<void>;
}

/**
 * The folder of a part, installed from npm when it is not there yet. Two processes do not install at once, and
 * a folder that stands under its final name is whole: it is filled under another name and then renamed.
 */
export async function installed(part: Part): Promise<string> {
  const folder = path.join(cacheFolder, part.name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const unlock = await lockfile.lock(cacheFolder, {
    lockfilePath: path.join(cacheFolder, 'install.lock'),
    retries: { retries: 900, factor: 1, minTimeout: 1000, maxTimeout: 1000 },
  });
  try {
    if (existsSync(folder)) return folder;
    await install(part, folder);
    return folder;
  } finally {
    await unlock();
  }
}

async function install(part: Part, folder: string): Promise<void> {
  const started = performance.now();
  console.log(`Fetching ${part.title} from npm, once, into ${path.relative(process.cwd(), folder)} …`);
  const partial = await mkdtemp(path.join(cacheFolder, 'partial-'));
  try {
    await writeFile(path.join(partial, 'package.json'), '{"private":true}\n');
    await npm(['install', ...part.packages], partial);
    await part.finish?.(partial, folder);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  console.log(`  ${part.title}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/**
 * Makes a package with a shrinkwrap take from the registry what it would take from a Git host, in the same version:
 * VS Code 1.105 names a commit of @parcel/watcher, and a machine that only reaches npm cannot fetch it.
 */
export async function withoutGit(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'npm-shrinkwrap.json');
  const manifestFile = path.join(folder, 'package.json');
  const lock = JSON.parse(await readFile(lockFile, 'utf8')) as Shrinkwrap;
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Dependent;
  for (const [place, { resolved, version }] of Object.entries(lock.packages)) {
    if (!resolved?.startsWith('git+')) continue;
    const name = place.replace('node_modules/', '');
    delete lock.packages[place];
    for (const dependent of [manifest, lock.packages['']])
      if (dependent?.dependencies?.[name]) dependent.dependencies[name] = version;
  }
  await writeFile(lockFile, JSON.stringify(lock));
  await writeFile(manifestFile, JSON.stringify(manifest));
}

interface Dependent {
  dependencies?: Record<string, string | undefined>;
}

interface Shrinkwrap {
  packages: Record<string, Dependent & { resolved?: string; version?: string }>;
}

/** Runs npm in a folder, without the packages' own scripts: what is fetched here is unpacked, never run. */
export async function npm(args: readonly string[], folder: string): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const prefix = ['--prefix', folder];
  // Inside an npm script the running npm is known; outside, it is looked up on the PATH.
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) await run(process.execPath, [cli, ...args, ...prefix, ...quiet], folder);
  else await run('npm', [...args, ...prefix, ...quiet], folder, process.platform === 'win32');
}

function run(command: string, args: readonly string[], cwd: string, shell = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said}`)),
    );
  });
}
