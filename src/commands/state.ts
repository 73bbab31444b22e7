import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Money } from '../domain/money';
import { refuseLinks } from '../experiments/files/door';
import type { ExpectedCost } from '../runFiles/expectedCost';
import { isInside } from '../runFiles/paths';
import type { AgentPurse } from '../runs/budget/agentPurse';
import { WorkspaceSpending } from '../runs/budget/workspaceSpending';
import { Estimates } from '../runs/estimates/estimates';
import { JobRuns } from '../runs/history/jobRuns';
import { createRuns, type Runs } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import { openStore, type Store, storeFolder } from '../store/store';
import { realPath, workspaceId } from '../store/workspaceId';
import { messageOf } from '../wording/errors';
import { isStoreFailure, setAsideText, storeProblemText } from '../wording/storeProblem';
import { callGuard, noteBalance, type RunState } from './callRuns';
import { keepingAccepted, Memory } from './memory';
import { UsageError } from './usageError';

/** The runs of work, and the agent's call that pays for them; missing: a person does. */
export interface Paid {
  readonly runs: Runs;
  readonly agent?: AgentPurse;
}

/** The state of an experiment's run that outlives the call: a request is on the disk before its first byte leaves. */
export interface PaidState {
  readonly store: Store;
  readonly estimates: Estimates;
  /** Called before work sends its first request. Throws where it must not cost this. */
  pay(cost: ExpectedCost): Promise<Paid>;
  close(): Promise<void>;
}

/**
 * @param folder where it is kept; missing: the user's state folder
 * @param maxCost the highest cost of all runs of this call
 * @param warn prints a line
 * @throws UsageError where Node.js is too old, StoreProblem where it cannot be kept
 */
export async function openState(
  folder: string | undefined,
  client: ServiceClient,
  maxCost: Money,
  warn: (text: string) => void,
): Promise<PaidState> {
  const store = await openCallStore(folder, warn);
  const { guard, estimates, runs, close } = storedRuns(store, client, [process.cwd()], maxCost);
  return {
    store,
    estimates,
    async pay() {
      await noteBalance(guard, client, maxCost);
      return { runs };
    },
    async close() {
      await close();
      await store.close();
    },
  };
}

/**
 * The runs of a process whose requests are in the store before they leave.
 * @param folders those of its workspace
 * @param maxCost the highest cost of all runs; missing: no limit
 */
export function storedRuns(
  store: Store,
  client: ServiceClient,
  folders: readonly string[],
  maxCost: Money | undefined,
) {
  const jobRuns = new JobRuns(store, () => undefined);
  const memory = new Memory();
  const estimates = new Estimates([jobRuns, memory]);
  const spent = spendingIn(store, folders);
  const guard = callGuard(estimates, maxCost, spent);
  const history = keepingAccepted(
    memory,
    async () => store,
    () => undefined,
  );
  const runs = createRuns({ guard, jobRuns, cache: store.uploads, history, client: async () => client });
  const close = async () => {
    jobRuns.close();
    await spent.close();
  };
  return { guard, estimates, runs, close };
}

/**
 * The state of single runs: opened where one is accepted, or where it is there already, so that the folder's windows and
 * terminals count them. Node.js 20 and machines of CI have none.
 */
export async function runState(folder: string | undefined, warn: (text: string) => void): Promise<RunState> {
  let store: Promise<Store> | undefined;
  const open = () => {
    store ??= openCallStore(folder, warn).catch((error: unknown) => {
      store = undefined;
      throw error;
    });
    return store;
  };
  const isThere = existsSync(storeFolder(folder === undefined ? stateFolder() : resolve(folder)));
  const opened = isThere ? await open().catch(() => undefined) : undefined;
  return { open, ...(opened && { spent: spendingIn(opened, [process.cwd()]) }) };
}

/** The sums of the workspace of a process. */
function spendingIn(store: Store, folders: readonly string[]): WorkspaceSpending {
  return new WorkspaceSpending(store, workspaceOf(folders), { log: () => undefined });
}

/**
 * The workspace of a process: in a terminal of a window that window's, while the process is in one of its folders.
 * @param folders of the process, absolute
 */
export function workspaceOf(folders: readonly string[]): string {
  const [window, ...open] = (process.env.MODEL_BENCH_WORKSPACE ?? '').split(delimiter);
  const isOpen = (folder: string) => open.some((one) => folder === one || isInside(folder, one));
  const areOpen = folders.length > 0 && folders.map(realPath).every(isOpen);
  return window && areOpen ? window : workspaceId(folders);
}

/**
 * The database that outlives a call.
 * @param folder where it is kept; missing: the user's state folder
 * @throws UsageError where Node.js is too old, StoreProblem where it cannot be kept
 */
export async function openCallStore(
  folder: string | undefined,
  warn: (text: string) => void,
): Promise<Store> {
  // Node.js 20 runs everything else.
  if (!process.getBuiltinModule?.('node:sqlite'))
    throw new UsageError(
      l10n.t('This needs Node.js 22.13 or later; the version here is {0}.', process.versions.node),
    );
  const place = folder === undefined ? storeFolder(stateFolder()) : await ownFolder(folder);
  return openStore(place, {
    onReplaced: (problem) => warn(storeProblemText(problem)),
    onSetAside: (aside) => warn(setAsideText(aside)),
  }).catch((error: unknown) => {
    if (!isStoreFailure(error) || error.kind !== 'folder') throw error;
    throw new UsageError(
      l10n.t(
        'The folder {0} cannot be written. Check its permissions, or name another one with --state.',
        place,
      ),
    );
  });
}

/**
 * The store's folder in one that was named. A repository may have a link in its place, or on the way to it, and the store
 * would make files where that leads.
 */
async function ownFolder(name: string): Promise<string> {
  const folder = resolve(name);
  await refuseLinks(rootOf(folder), storeFolder(folder)).catch((error: unknown) => {
    throw new UsageError(`--state: ${messageOf(error)}`);
  });
  return storeFolder(folder);
}

/** Links above it are the user's own: the outermost repository that the folder is in, the current folder, or its parent. */
function rootOf(folder: string): string {
  const here = process.cwd();
  let root = isInside(folder, here) ? here : dirname(folder);
  for (let at = root; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) root = at;
  return root;
}

/**
 * Where programs keep their state: in a terminal of VS Code where its windows do, else by the XDG Base Directory
 * Specification, and its like on Windows.
 */
export function stateFolder(): string {
  const { MODEL_BENCH_STATE, LOCALAPPDATA, XDG_STATE_HOME } = process.env;
  if (MODEL_BENCH_STATE) return MODEL_BENCH_STATE;
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'model-bench');
  return join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'model-bench');
}
