import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { callTool } from '../agents/callTool';
import { serveMcp } from '../agents/mcpServer';
import { WindowDoor } from '../agents/pipe/attach';
import { processHouse, startFolder } from '../agents/processHouse';
import { Works } from '../agents/works';
import { balanceOf } from '../commands/callRuns';
import { openCallStore, stateFolder } from '../commands/state';
import { paidTools } from '../domain/agentGrant';
import { compareAmounts } from '../domain/amounts';
import type { ServiceClient } from '../service/client';
import { giveAgentGrant } from '../store/giveAgentGrant';
import { capLines } from '../wording/agentGrant';
import { messageOf } from '../wording/errors';
import type { McpArguments } from './arguments';
import { exitCodes } from './exitCodes';
import { followIn } from './follow';
import type { Terminal } from './terminal';

/** Clients end the process some seconds after they have closed its input. */
const PATIENCE_MS = 3_000;

/**
 * Serves the tools of agents, whose calls an open window does with its key, its budgets and its history.
 * @param only serve even where no window is open yet
 * @returns whether it has served
 */
export async function mcpInWindow(folder: string, only: boolean): Promise<boolean> {
  const door = new WindowDoor(resolve(folder), process.cwd());
  if (!only && !(await door.isOpen())) return false;
  await serveMcp(door, version);
  await door.close();
  return true;
}

/** Serves the tools of agents until the client closes its end. Standard output belongs to the protocol. */
export async function mcp(
  { maxCost, roots, state, fetchMedia }: McpArguments,
  client: ServiceClient,
  key: string,
  terminal: Terminal,
  stop: AbortSignal,
): Promise<number> {
  const reports = join(state === undefined ? stateFolder() : resolve(state), 'agents');
  const house = processHouse({
    client,
    key,
    reports,
    fetchesMedia: fetchMedia,
    // By `--max-cost` the person who starts the process lets its agent spend this much today.
    ...(maxCost !== undefined &&
      compareAmounts(maxCost.amount, '0') > 0 && {
        cap: maxCost,
        permit: async (store, environment, agent) =>
          giveAgentGrant(store, {
            environment,
            client: agent,
            ofProcess: true,
            amount: maxCost.amount,
            currency: maxCost.currency ?? (await balanceOf(client))?.currency,
            tools: paidTools,
            until: new Date().setHours(24, 0, 0, 0),
          }),
      }),
    openStore: () => openCallStore(state, (text) => terminal.warn(text)),
    roots: roots.length > 0 ? roots.map((root) => resolve(root)) : await startFolder(process.cwd()),
  });
  const works = new Works(reports);
  await works.sweep();
  const ending = new AbortController();
  const starting = beginServing().catch((error: unknown) => terminal.warn(messageOf(error)));
  /** Names the amounts beside the cap, and asks for runs that the service had accepted before an earlier process ended. */
  async function beginServing(): Promise<void> {
    const store = await house.store();
    if (maxCost !== undefined && house.cap !== undefined) {
      const here = store.agentGrants
        .living()
        .filter(({ environment, ofProcess }) => ofProcess && environment.baseUrl === client.baseUrl);
      for (const line of capLines(maxCost, here)) terminal.warn(line);
    }
    await followIn(
      store,
      [],
      client,
      { ...terminal, print: terminal.warn, printJson: () => undefined },
      ending.signal,
    );
  }
  try {
    await serveMcp(
      {
        call: (agent, tool, input, signal) => callTool({ house, works, agent }, tool, input, signal),
      },
      version,
      stop,
    );
  } finally {
    ending.abort();
    await starting;
    await works.end(PATIENCE_MS);
    await house.close();
  }
  return exitCodes.passed;
}
