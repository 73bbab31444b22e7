import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';

interface ProcessInfo {
  readonly type: string;
  readonly id: number;
}

/**
 * Megabytes that the processes of a browser's pages have for themselves: scripts, documents, styles and pictures.
 * Shared memory, such as the browser's code, does not count. Linux only.
 */
export async function pagesMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: readonly ProcessInfo[];
  };
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = await Promise.all(pages.map(({ id }) => privateBytes(id)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000_000;
}

async function privateBytes(pid: number): Promise<number> {
  // A process that ended meanwhile has none.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, size]) =>
    Number(size),
  );
  return 1024 * kilobytes.reduce((sum, size) => sum + size, 0);
}
