import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The folders of one VS Code, apart from every other's, and gone afterwards. */
export interface HostFolders extends AsyncDisposable {
  readonly base: string;
  readonly userData: string;
  readonly extensions: string;
  readonly profile: string;
  /** An empty folder that the window opens. */
  readonly workspace: string;
}

export async function newHostFolders(): Promise<HostFolders> {
  // A short path: VS Code puts sockets in there, and those may not be longer than about 100 characters.
  const base = await mkdtemp(path.join(os.tmpdir(), 'mb-'));
  const folders = {
    base,
    userData: path.join(base, 'user'),
    extensions: path.join(base, 'ext'),
    profile: path.join(base, 'browser'),
    workspace: path.join(base, 'workspace'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return { ...folders, [Symbol.asyncDispose]: () => removeFolder(base) };
}

/** Removes a folder, also while a process that was just ended, or is about to end, still writes into it. */
export async function removeFolder(folder: string): Promise<void> {
  // Each wait is 200 ms longer than the one before: nine seconds in all.
  await rm(folder, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 });
}

/** An empty folder that is gone when this process ends. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
