import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import lockfile from 'proper-lockfile';
import { cacheFolder } from '../paths';

/** Something fetched from npm, once. */
export interface Part {
  /** The folder's name inside the cache. It changes with the pinned versions: another pin is another folder. */
  readonly name: string;
  /** For the progress line. */
  readonly title: string;
  readonly fill: (folder: string, finalFolder: string) => Promise<void>;
}

/** A folder of `tools/`: a manifest with exact versions, and a lock file with the hash of every package of its tree. */
export interface Tree {
  readonly folder: string;
  /** The manifest's name for the cache: its pinned versions, and a digest of all its files. */
  readonly digest: string;
  readonly versions: Readonly<Record<string, string>>;
}

const toolsFolder = fileURLToPath(new URL('./tools', import.meta.url));

export async function treeOf(name: string): Promise<Tree> {
  const folder = path.join(toolsFolder, name);
  const hash = createHash('sha256');
  for (const file of (await readdir(folder)).sort()) hash.update(await readFile(path.join(folder, file)));
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  return {
    folder,
    digest: hash.digest('hex').slice(0, 8),
    versions: { ...manifest.dependencies, ...manifest.optionalDependencies },
  };
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Installs exactly the tree of its lock file: npm rejects a package with another hash. */
export async function installTree({ folder }: Tree, into: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(path.join(folder, file), path.join(into, file));
  await npm(['ci'], into);
}

/**
 * Fetches one package without its dependencies and unpacks it into `package/` of a folder.
 * @param integrity its hash, as lock files write it
 */
export async function unpackPackage(specification: string, integrity: string, into: string): Promise<void> {
  await npm(['pack', specification], into);
  const archive = (await readdir(into)).find((file) => file.endsWith('.tgz')) ?? '';
  const bytes = await readFile(path.join(into, archive));
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== integrity) throw new Error(`${specification} has the hash ${found}, not ${integrity}`);
  await run('tar', ['-xzf', archive], into);
}

/**
 * The folder of a part, fetched when it is not there yet. Two processes never install the same part, and a folder
 * under its final name is complete: it is filled under another name and then renamed.
 */
export async function installed(part: Part): Promise<string> {
  const folder = path.join(cacheFolder, part.name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const unlock = await lockfile.lock(folder, {
    realpath: false,
    lockfilePath: `${folder}.lock`,
    // Unpacking keeps a busy machine from anything else for longer than the ten seconds by default.
    stale: 120_000,
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
    await part.fill(partial, folder);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  console.log(`  ${part.title}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** Runs npm in a folder, without the packages' own scripts: packages are only unpacked here. */
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
