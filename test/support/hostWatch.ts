import { cp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from './eventually';
import { root } from './paths';
import type { VSCode } from './vscode';

/** The observations of a test extension in the extension host. */
interface HostFigures {
  /** How often a text's command ran. */
  readonly acted: number;
  /** Of the whole process, VS Code's own part included. */
  readonly mostMemoryBytes: number;
  readonly ended?: true;
}

const NAME = 'model-bench.host-watch-0.0.1';

/** For `prepare` of a journey: the extension that watches is there before VS Code looks for extensions. */
export async function installHostWatch(workspace: string): Promise<void> {
  const extensions = path.join(path.dirname(workspace), 'ext');
  await cp(path.join(root, 'test/support/hostWatch'), path.join(extensions, NAME), { recursive: true });
}

export async function endHostWatch(vscode: VSCode): Promise<HostFigures> {
  await vscode.runCommand('Host Watch: End');
  const file = path.join(path.dirname(vscode.workspace), 'ext', NAME, 'figures.json');
  let figures: HostFigures | undefined;
  await eventually(async () => {
    figures = JSON.parse(await readFile(file, 'utf8')) as HostFigures;
    return figures.ended === true;
  });
  return figures!;
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
