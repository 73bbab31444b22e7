import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installed, npm, withoutGit } from './install';

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

/** Every version that is fetched. `oldest` is the VS Code that `engines.vscode` in package.json promises. */
const pinned = {
  codeServer: { oldest: '4.105.1', newest: '4.139.1' },
  /** What each VS Code runs on: the oldest on the very version that its desktop builds (Electron 37) have. */
  node: { oldest: '22.19.0', newest: '24.21.0' },
  chromium: '153.0.0',
  emoji: '16.0.0',
} as const;

export type Age = keyof typeof pinned.codeServer;

export async function codeServer(age: Age): Promise<CodeServer> {
  const version = pinned.codeServer[age];
  const vscode = version.replace(/^4\./, '1.');
  const folder = await installed({
    name: `code-server-${version}`,
    title: `VS Code ${vscode}`,
    packages: [`code-server@${version}`],
    // Its install script would compile native modules that nothing here needs; VS Code logs that they miss.
    finish: async (partial) => {
      const server = path.join(partial, 'node_modules/code-server/lib/vscode');
      await withoutGit(server);
      await npm(['install', '--omit=dev'], server);
    },
  });
  const home = path.join(folder, 'node_modules/code-server');
  await writeLogs(home);
  return {
    vscode,
    node: await nodeOf(age),
    entry: path.join(home, 'out/node/entry.js'),
    serverMain: path.join(home, 'lib/vscode/out/server-main.js'),
  };
}

/** Lets VS Code write its logs without the native module for it. */
async function writeLogs(home: string): Promise<void> {
  const standIn = await readFile(fileURLToPath(new URL('./spdlog.cjs', import.meta.url)), 'utf8');
  const target = path.join(home, 'lib/vscode/node_modules/@vscode/spdlog/index.js');
  if ((await readFile(target, 'utf8')) === standIn) return;
  // Under another name first: another window may be starting.
  const partial = `${target}.${process.pid}`;
  await writeFile(partial, standIn);
  await rename(partial, target);
}

/** The Node.js of a VS Code; whoever runs that version already needs no second one. */
export async function nodeOf(age: Age): Promise<string> {
  const version = pinned.node[age];
  if (process.versions.node === version) return process.execPath;
  const windows = process.platform === 'win32';
  const platform = windows ? 'win' : process.platform;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const packageName = `${prefix}-${platform}-${process.arch}`;
  const folder = await installed({
    name: `node-${version}`,
    title: `Node.js ${version}`,
    packages: [`${packageName}@${version}`],
  });
  return path.join(folder, 'node_modules', packageName, 'bin', windows ? 'node.exe' : 'node');
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
  const folder = await installed({
    name: `chromium-${pinned.chromium}`,
    title: `Chromium ${pinned.chromium}`,
    packages: [`@sparticuz/chromium@${pinned.chromium}`],
    finish: unpackChromium,
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
  const vendors = ['google', 'twitter'] as const;
  const folder = await installed({
    name: `emoji-${pinned.emoji}`,
    title: 'sample images',
    packages: vendors.map((vendor) => `emoji-datasource-${vendor}@${pinned.emoji}`),
  });
  const of = (vendor: string) =>
    path.join(folder, `node_modules/emoji-datasource-${vendor}/img/${vendor}/64`);
  return { google: of('google'), twitter: of('twitter') };
}
