import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parse } from 'node:path';
import { callGuard } from '../commands/callRuns';
import { keepingAccepted, Memory } from '../commands/memory';
import type { Environment } from '../domain/environment';
import { fetchMedium } from '../experiments/results/remoteMedia';
import { WorkspaceSpending } from '../runs/budget/workspaceSpending';
import { Estimates } from '../runs/estimates/estimates';
import { JobRuns } from '../runs/history/jobRuns';
import { createRuns, type Runs } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import { processNetwork } from '../service/network';
import { withoutSecret } from '../service/redact';
import { createTransport } from '../service/transport';
import type { Store } from '../store/store';
import { workspaceId } from '../store/workspaceId';
import type { AgentHouse } from './house';
import { worktreesOf } from './worktrees';

interface ProcessParts {
  readonly client: ServiceClient;
  readonly key: string;
  /** Opens the state that outlives the process. */
  readonly openStore: () => Promise<Store>;
  /** The `--max-cost`: the amount that its agent may spend, and how it is granted; missing: no spending. */
  readonly cap?: string;
  readonly permit?: (store: Store, environment: Environment, client: string) => Promise<void>;
  /** Absolute paths. */
  readonly roots: readonly string[];
  readonly reports: string;
  /** `--fetch-media`: files that results name by address are fetched. */
  readonly fetchesMedia: boolean;
}

interface Opened {
  readonly store: Store;
  readonly estimates: Estimates;
  readonly runs: Runs;
}

/** The services of tools in a process without a window. */
export function processHouse(parts: ProcessParts): AgentHouse & { close(): Promise<void> } {
  const { client, key, roots, reports, fetchesMedia, cap, permit } = parts;
  const environment = { name: client.environment, baseUrl: client.baseUrl };
  const transport = createTransport(processNetwork(client.baseUrl));
  const permitted = new Map<string, Promise<void>>();
  let opened: Promise<Opened> | undefined;
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
      await (await opened)?.store.close();
    },
  };
}

async function openParts({ client, openStore, reports, roots }: ProcessParts): Promise<Opened> {
  const store = await openStore();
  await mkdir(reports, { recursive: true, mode: 0o700 });
  const jobRuns = new JobRuns(store, () => undefined);
  const memory = new Memory();
  const estimates = new Estimates([jobRuns, memory]);
  const spent = new WorkspaceSpending(store, workspaceId(roots), { log: () => undefined });
  const guard = callGuard(estimates, undefined, spent);
  const runs = createRuns({
    guard,
    jobRuns,
    cache: store.uploads,
    history: keepingAccepted(
      memory,
      async () => store,
      () => undefined,
    ),
    client: async () => client,
  });
  return { store, estimates, runs };
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
