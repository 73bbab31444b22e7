import { cp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from './eventually';
import { root } from './paths';
import type { VSCode } from './vscode';

/** The figures that a test extension measured in the extension host since `begin`. */
interface HostFigures {
  /** How often a text's command ran. */
  readonly acted: number;
  /** The longest time without a turn for other work, in the processor's time. */
  readonly longestStallMs: number;
  /** Of the whole process, VS Code's own part included. */
  readonly mostMemoryBytes: number;
  readonly state?: 'begun' | 'ended';
  /** The longest ones first; known after the end. */
  readonly stalls?: readonly Stall[];
}

interface Stall {
  readonly ms: number;
  /** The part of it in which this extension loaded code, on its first use. */
  readonly loadingMs: number;
  /** The part of it in which this extension did anything else. */
  readonly ownMs: number;
  readonly top: readonly string[];
  readonly inner: readonly string[];
}

/**
 * A hostile text that is read the wrong way takes seconds or gigabytes. Unit tests, which repeat their work, have the
 * limits of each reader; here a profiler and other windows take several times as long on a busy machine.
 */
export const MOST_STALL_MS = 1000;

const NAME = 'model-bench.host-watch-0.0.1';

/** For `prepare` of a journey: the extension that measures is there before VS Code looks for extensions. */
export async function installHostWatch(workspace: string): Promise<void> {
  const extensions = path.join(path.dirname(workspace), 'ext');
  await cp(path.join(root, 'test/support/hostWatch'), path.join(extensions, NAME), { recursive: true });
}

/** Begins to measure; resolves when the first figures are there. */
export async function beginHostWatch(vscode: VSCode): Promise<void> {
  await vscode.runCommand('Host Watch: Begin');
  await figuresIn(vscode, 'begun');
}

/** Ends the measurement; resolves to its figures. */
export async function endHostWatch(vscode: VSCode): Promise<HostFigures> {
  await vscode.runCommand('Host Watch: End');
  return figuresIn(vscode, 'ended');
}

async function figuresIn(vscode: VSCode, state: NonNullable<HostFigures['state']>): Promise<HostFigures> {
  const file = path.join(path.dirname(vscode.workspace), 'ext', NAME, 'figures.json');
  let figures: HostFigures | undefined;
  await eventually(async () => {
    figures = JSON.parse(await readFile(file, 'utf8')) as HostFigures;
    return figures.state === state;
  });
  return figures!;
}

/** The longest time for which this extension kept the host from anything else, but for loading its code. */
export function longestOwnStallMs({ stalls = [] }: HostFigures): number {
  return Math.max(0, ...stalls.map(({ ownMs }) => ownMs));
}

/** Where the longest stalls came from, one a line. */
export function stallsText({ stalls = [] }: HostFigures): string {
  return stalls
    .slice(0, 8)
    .map(({ ms, ownMs, loadingMs, top }) => {
      const times = [ms, ownMs, loadingMs].map((one) => one.toFixed(0));
      return `        ${times[0]} ms, own ${times[1]}, loading ${times[2]}: ${top.slice(0, 3).join('; ')}`;
    })
    .join('\n');
}

/** One line for a person. */
export function figuresText(figures: HostFigures): string {
  const { acted, longestStallMs, mostMemoryBytes } = figures;
  const memory = Math.round(mostMemoryBytes / 1e6);
  const own = longestOwnStallMs(figures).toFixed(0);
  const loading = Math.max(0, ...(figures.stalls ?? []).map(({ loadingMs }) => loadingMs)).toFixed(0);
  const stall = `longest stall ${longestStallMs.toFixed(0)} ms, of this extension ${own} ms, loading code ${loading} ms`;
  return `${stall}, at most ${memory} MB in the host, ${acted} commands run`;
}

/** The effects of hostile texts and answers: pages and requests of the window that leave this machine's VS Code. */
export function countOpened(vscode: VSCode): () => readonly string[] {
  const opened: string[] = [];
  const own = new URL(vscode.address).host;
  const context = vscode.page.context();
  context.on('page', (page) => opened.push(`a page: ${page.url()}`));
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^(https?|file):$/.test(protocol) && host !== own && !host.endsWith('.vscode-cdn.net'))
      opened.push(request.url());
  });
  return () => opened;
}

/** Links by which a hostile text could act, in the window and in its pages; empty where all texts are texts. */
export async function actingLinks(vscode: VSCode): Promise<string[]> {
  const found = vscode.page.frames().map((frame) =>
    frame
      .evaluate(() =>
        [...document.querySelectorAll('a')]
          .map((link) => link.getAttribute('data-href') || link.getAttribute('href') || '')
          .filter((href) => /^(command:hostWatch|javascript:|file:\/\/\/etc)/.test(href)),
      )
      // A frame that is replaced meanwhile shows nothing.
      .catch((): string[] => []),
  );
  return (await Promise.all(found)).flat();
}

/** Files and folders below a folder that others than their owner may read. */
export async function readableByOthers(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const { mode } = await stat(path.join(folder, name));
    if ((mode & 0o077) !== 0) found.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  return found;
}

/** Lines of this extension's log that contain a text. */
export async function loggedLines(vscode: VSCode, text: string): Promise<string[]> {
  const logs = path.join(vscode.userData, 'logs');
  const found: string[] = [];
  let read = 0;
  for (const name of await readdir(logs, { recursive: true })) {
    if (!/Model Bench[^/\\]*\.log$/.test(name)) continue;
    const content = await readFile(path.join(logs, name), 'utf8');
    read += content.length;
    found.push(...content.split('\n').filter((line) => line.includes(text)));
  }
  if (read === 0) throw new Error(`No log of Model Bench in ${logs}`);
  return found;
}
