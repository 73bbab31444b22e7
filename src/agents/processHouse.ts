import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { storedRuns } from '../commands/state';
import type { Environment } from '../domain/environment';
import type { Money } from '../domain/money';
import { readFileAt } from '../experiments/files/door';
import { fetchMedium } from '../experiments/results/remoteMedia';
import { textOfFile } from '../runFiles/text';
import type { ServiceClient } from '../service/client';
import { processNetwork } from '../service/network';
import { withoutSecret } from '../service/redact';
import { createTransport } from '../service/transport';
import type { Store } from '../store/store';
import type { AgentHouse } from './house';

interface ProcessParts {
  readonly client: ServiceClient;
  readonly key: string;
  /** Opens the state that outlives the process. */
  readonly openStore: () => Promise<Store>;
  /** The `--max-cost`: the amount that its agent may spend, and how it is granted; missing: no spending. */
  readonly cap?: Money;
  readonly permit?: (store: Store, environment: Environment, client: string) => Promise<void>;
  /** Absolute paths. */
  readonly roots: readonly string[];
  readonly reports: string;
  /** `--fetch-media`: files that results name by address are fetched. */
  readonly fetchesMedia: boolean;
}

/** The services of tools in a process without a window. */
export function processHouse(parts: ProcessParts): AgentHouse & { close(): Promise<void> } {
  const { client, key, roots, reports, fetchesMedia, cap, permit } = parts;
  const environment = { name: client.environment, baseUrl: client.baseUrl };
  const transport = createTransport(processNetwork(client.baseUrl));
  const permitted = new Map<string, Promise<void>>();
  let opened: ReturnType<typeof openParts> | undefined;
  const open = () => {
    opened ??= openParts(parts).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    environments: async () => [environment],
    client: async () => client,
    redaction: async () => (text) => withoutSecret(text, key),
    folders: () => withWorktrees(roots),
    store: async () => (await open()).store,
    estimates: async () => (await open()).estimates,
    runs: async () => (await open()).runs,
    mediaOf: ({ baseUrl }) =>
      fetchesMedia ? (address, signal) => fetchMedium(address, baseUrl, transport, signal) : undefined,
    reports,
    ...(cap !== undefined && { cap }),
    async permit(at, agent) {
      const given = permitted.get(agent) ?? open().then(({ store }) => permit?.(store, at, agent));
      permitted.set(agent, given);
      await given;
    },
    ignoresNames: true,
    locale: 'en',
    async close() {
      transport.close();
      const parts = await opened;
      await parts?.close();
      await parts?.store.close();
    },
  };
}

async function openParts({ client, openStore, reports, roots }: ProcessParts) {
  const store = await openStore();
  await mkdir(reports, { recursive: true, mode: 0o700 });
  return { store, ...storedRuns(store, client, roots, undefined) };
}

/** The folders and the other worktrees of their repositories. */
export async function withWorktrees(folders: readonly string[]): Promise<string[]> {
  const trees = await Promise.all(folders.map((folder) => worktreesOf(folder)));
  return [...new Set([...folders, ...trees.flat()])];
}

/** The current folder, unless a client started the process in the user's home or at the top of the disk. */
export async function startFolder(here: string): Promise<string[]> {
  const [real, home] = await Promise.all([here, homedir()].map((path) => realpath(path).catch(() => path)));
  return real === home || real === parse(real!).root ? [] : [here];
}

const LONGEST_POINTER = 10_000;
const MOST_WORKTREES = 200;

/**
 * The other worktrees of the repository that a folder is the top of, absolute. Each must point to the repository as the
 * repository points to it, without links on the way: otherwise a folder could name any other of the disk.
 */
export async function worktreesOf(folder: string): Promise<string[]> {
  const own = await realpath(folder).catch(() => undefined);
  const common = own && (await commonFolder(own));
  if (common === undefined) return [];
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const linked: string[] = [];
  for (const name of names.slice(0, MOST_WORKTREES)) {
    const tree = await linkedTree(common, name);
    if (tree !== undefined) linked.push(tree);
  }
  const main = basename(common) === '.git' ? [dirname(common)] : [];
  return [...main, ...linked].filter((tree) => tree !== own);
}

/**
 * The folder that all worktrees of a repository share, all links resolved; undefined: the folder is no worktree.
 * @param folder all links resolved
 */
async function commonFolder(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, '.git');
  const facts = await lstat(dotGit).catch(() => undefined);
  if (facts?.isDirectory()) return dotGit;
  const pointer = await pointerIn(dotGit, /^gitdir: (.+)$/m);
  if (pointer === undefined) return undefined;
  const own = await realpath(resolve(folder, pointer)).catch(() => undefined);
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
  const common = dirname(dirname(own));
  return (await linkedTree(common, basename(own))) === folder ? common : undefined;
}

/** A worktree of a repository; undefined unless both name one another. @param common all links resolved */
async function linkedTree(common: string, name: string): Promise<string | undefined> {
  const own = join(common, 'worktrees', name);
  if ((await realpath(own).catch(() => undefined)) !== own) return undefined;
  const dotGit = await pointerIn(join(own, 'gitdir'), /^(.+)$/m);
  if (dotGit === undefined) return undefined;
  const tree = await realpath(dirname(resolve(own, dotGit))).catch(() => undefined);
  if (tree === undefined) return undefined;
  const back = await pointerIn(join(tree, '.git'), /^gitdir: (.+)$/m);
  return back !== undefined && (await realpath(resolve(tree, back)).catch(() => undefined)) === own
    ? tree
    : undefined;
}

async function pointerIn(path: string, line: RegExp): Promise<string | undefined> {
  const read = await readFileAt(path, LONGEST_POINTER).catch(() => undefined);
  return read && line.exec(textOfFile(read.bytes))?.[1]?.trim();
}
