import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, rmdirSync } from 'node:fs';
import { access, lstat, mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isWorkspaceTrusted } from './trust';

/*
 * The one place that starts programs: in a private empty folder, so that no file of a workspace is taken for a part of
 * them, and not before the workspace is trusted.
 */

export type { ChildProcess };

/** A program that was not started. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';

  constructor(
    readonly reason: 'untrusted' | 'notFound',
    message: string,
  ) {
    super(message);
  }
}

/** How to start a program; names of files among its arguments are absolute. */
export interface ProgramOptions extends Pick<SpawnOptions, 'stdio' | 'detached'> {
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is ended; left out: it may run on. */
  readonly deadline?: number;
}

/**
 * Starts a program of the user.
 * @param name of a file in a folder of `PATH`, or a path, which is relative to this process's folder
 * @returns the running process
 * @throws NotStarted with a sentence
 */
export async function startProgram(
  name: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ChildProcess> {
  if (!isWorkspaceTrusted())
    throw new NotStarted('untrusted', l10n.t('Trust the workspace before “{0}” is started.', name));
  const file = /[\\/]/.test(name) ? resolve(name) : await commandOnPath(name, process.env.PATH ?? '');
  if (file === undefined)
    throw new NotStarted('notFound', l10n.t('“{0}” was not found on this computer.', name));
  return startIn(file, args, options);
}

/** Starts a script of this package with the Node of this process: it needs no trust in a workspace. */
export function startOwnScript(script: string, args: readonly string[]): Promise<ChildProcess> {
  // Desktop's extension host is Electron: this makes its binary run as Node.
  return startIn(process.execPath, [script, ...args], { env: { ELECTRON_RUN_AS_NODE: '1' } });
}

async function startIn(
  file: string,
  args: readonly string[],
  { env, deadline, ...options }: ProgramOptions,
): Promise<ChildProcess> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'model-bench-empty-'));
  const child = spawn(file, args, {
    ...options,
    cwd: folder,
    // Python would look for modules in the folder first.
    env: { ...process.env, PYTHONSAFEPATH: '1', ...env },
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    removeFolder(folder);
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new NotStarted('notFound', l10n.t('“{0}” could not be started ({1}).', file, code));
  }
  // Not spawn's own timeout: its timer outlives a program that does not exist.
  const timer = deadline === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), deadline);
  child.once('close', () => {
    clearTimeout(timer);
    removeFolder(folder);
  });
  return child;
}

/** Only while it is empty: a file that a program wrote belongs to the user. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The program wrote something.
  }
}

const ON_WINDOWS = process.platform === 'win32';

/**
 * A program's file in one of the absolute folders of `PATH`. Windows itself would look in the current folder first.
 * @param path value of `PATH`
 * @returns absolute path; undefined: there is none
 */
export async function commandOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((one) => isAbsolute(one)))
    for (const extension of ['.exe', '.com', '']) {
      const file = join(folder, name + extension);
      if (await isProgram(file)) return file;
    }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    // Programs of the Microsoft Store are links that `stat` cannot follow.
    const facts = await stat(file).catch((error) => (ON_WINDOWS ? lstat(file) : Promise.reject(error)));
    await access(file, ON_WINDOWS ? constants.F_OK : constants.X_OK);
    return !facts.isDirectory();
  } catch {
    return false;
  }
}
