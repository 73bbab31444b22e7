import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { version } from '../../package.json';
import { callRuns } from '../commands/callRuns';
import { indexFiles } from '../commands/indexFiles';
import { search } from '../commands/search';
import { openCallStore, openState, runState } from '../commands/state';
import { needsBaseUrl, UsageError } from '../commands/usageError';
import type { ErrorKind } from '../domain/failure';
import { isWritable, replaceFile, WrongPlace } from '../experiments/files/door';
import { NotHere } from '../experiments/results/resultsFile';
import { trustWorkspaceWhen } from '../programs/trust';
import type { RateLimitState } from '../service/client';
import { createServiceClient } from '../service/createClient';
import { ServiceError } from '../service/errors';
import { processNetwork } from '../service/network';
import { makeFolder } from '../store/makeFolder';
import { formatTimeOfDay, setDisplayLanguage } from '../wording/displayLanguage';
import { messageOf } from '../wording/errors';
import { whyWaitingText } from '../wording/waiting';
import { readApiKey } from './apiKey';
import { type Arguments, type ExperimentArguments, readArguments, USAGE } from './arguments';
import { withoutCertificate } from './certificate';
import { doctor } from './doctor';
import { exitCodes } from './exitCodes';
import { expanded } from './expanded';
import { printRecorded, runExperiment } from './experiment';
import { follow } from './follow';
import type { IndexArguments } from './lookUpArguments';
import { printDescriptions, printHits, printIndexed, printModels } from './lookUps';
import { merge } from './merge';
import { jsonReport, junitReport, unrunJson, unrunJunit } from './reports';
import { withoutResponses } from './responses';
import { check, run } from './run';
import type { Terminal } from './terminal';
import { wallet } from './wallet';

/** Failures that a right call would not meet; of all others the service is the cause. */
const WRONG_CALL: readonly ErrorKind[] = ['notConnected', 'badKey', 'noPermission', 'invalidRequest'];

/**
 * One call of the command line.
 * @param interrupted called by commands that can stop early; its signal stops them
 * @returns the exit code
 */
export async function program(
  words: readonly string[],
  out: Terminal,
  interrupted: () => AbortSignal,
): Promise<number> {
  setDisplayLanguage('en');
  // A person who calls a command in a folder trusts it.
  trustWorkspaceWhen(() => true);
  try {
    const asked = readArguments(await withoutResponses(withoutCertificate(words), out));
    if (asked === 'help') {
      process.stdout.write(USAGE);
      return exitCodes.passed;
    }
    if (asked === 'version') {
      out.print(version);
      return exitCodes.passed;
    }
    return await withReports(asked, out, (terminal) => perform(asked, terminal, interrupted));
  } catch (error) {
    out.warn(messageOf(error));
    if (error instanceof UsageError) out.warn(l10n.t('“model-bench --help” shows how it is called.'));
    const isWrongCall =
      error instanceof UsageError ||
      error instanceof WrongPlace ||
      error instanceof NotHere ||
      (error instanceof ServiceError && WRONG_CALL.includes(error.kind));
    return isWrongCall ? exitCodes.wrong : exitCodes.service;
  }
}

/**
 * Writes the reports that a call was asked for also where it ends before its first run: a CI service then shows why, and
 * not the reports of an earlier call.
 */
async function withReports(
  asked: Arguments,
  out: Terminal,
  work: (out: Terminal) => Promise<number>,
): Promise<number> {
  if (asked.command !== 'run' && asked.command !== 'experiment') return work(out);
  const warned: string[] = [];
  const terminal: Terminal = {
    ...out,
    warn(line) {
      warned.push(line);
      out.warn(line);
    },
  };
  const write = async (reason: string) => {
    const files = asked.command === 'experiment' ? [asked.file] : asked.files;
    const { junit, json } = asked;
    if (junit !== undefined) await replaceFile(resolve(junit), unrunJunit(files, reason));
    if (json !== undefined)
      await replaceFile(resolve(json), unrunJson(asked.command === 'run', files, reason));
  };
  const code = await work(terminal).catch(async (error: unknown) => {
    await write(messageOf(error)).catch(() => undefined);
    throw error;
  });
  if (code === exitCodes.wrong) await write(warned.join('\n'));
  return code;
}

async function perform(asked: Arguments, out: Terminal, interrupted: () => AbortSignal): Promise<number> {
  if (asked.command === 'merge') return merge(asked.out, await expanded(asked.files, process.cwd()), out);
  const { baseUrl } = asked;
  if (asked.command === 'mcp' && asked.window !== undefined) {
    const { mcpInWindow } = await import('./mcp');
    if (await mcpInWindow(asked.window, baseUrl === undefined)) return exitCodes.passed;
  }
  if (asked.command === 'check' && baseUrl === undefined)
    return check(await expanded(asked.files, process.cwd()), undefined, out);
  if (asked.command === 'run' || asked.command === 'experiment')
    await checkWritable([asked.junit, asked.json]);
  if (asked.command === 'experiment') {
    await checkWritable([asked.report]);
    const code = await printRecorded(asked, out);
    if (code !== undefined) return code;
  }
  if (baseUrl === undefined) throw new UsageError(needsBaseUrl(asked.command));
  const key = await readApiKey(asked.keyCommand);
  const client = createServiceClient({
    environment: 'command line',
    baseUrl,
    apiKey: async () => key,
    network: processNetwork(baseUrl),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  });
  client.onRateLimit(sayWaiting(out));
  const stateOf = ({ state, maxCost }: ExperimentArguments | IndexArguments) => {
    if (maxCost === undefined)
      throw new UsageError(l10n.t('“experiment” needs --max-cost: what its runs may cost together.'));
    return () => openState(state, client, maxCost, (text) => out.warn(text));
  };
  try {
    switch (asked.command) {
      case 'mcp': {
        const { mcp } = await import('./mcp');
        return await mcp(asked, client, key, out, interrupted());
      }
      case 'follow':
        return await follow(
          ...([asked.ids, client, () => openCallStore(asked.state, (text) => out.warn(text)), out] as const),
          interrupted(),
        );
      case 'experiment':
        return await runExperiment(asked, client, stateOf(asked), out, interrupted());
      case 'models':
        return await printModels(asked, client, out);
      case 'describe':
        return await printDescriptions(asked, client, out);
      case 'doctor':
        return await doctor(asked, client, out);
      case 'wallet':
        return await wallet(asked, client, out);
      case 'search': {
        const warn = (text: string) => out.warn(text);
        const { perform } = callRuns(client, undefined, await runState(undefined, warn), warn);
        return printHits(await search(asked, client, perform, out, interrupted()), asked.json, out);
      }
      case 'index':
        return printIndexed(
          await indexFiles(
            { ...asked, paths: await expanded(asked.paths, asked.folder, true) },
            client,
            stateOf(asked),
            out,
            interrupted(),
          ),
          out,
        );
    }
    const { command, maxCost, junit, json } = asked;
    const files = await expanded(asked.files, process.cwd());
    if (command === 'check') return await check(files, client, out);
    const { results, exitCode } = await run(files, client, out, {
      maxCost,
      signal: interrupted(),
      state: await runState(asked.state, (text) => out.warn(text)),
    });
    if (exitCode === exitCodes.wrong) return exitCode;
    const notRun = files.slice(results.length);
    if (junit !== undefined) await replaceFile(resolve(junit), junitReport(results, notRun));
    if (json !== undefined) await replaceFile(resolve(json), jsonReport(results, notRun));
    return exitCode;
  } finally {
    client.close();
  }
}

/** Says once for each pause that requests wait, why and until when. */
function sayWaiting(out: Terminal): (state: RateLimitState) => void {
  let shownUntilMs: number | undefined;
  return ({ pausedUntilMs, ...wait }) => {
    // The clock on the wall and that of the pause differ by a rounding.
    const isSame =
      shownUntilMs !== undefined &&
      pausedUntilMs !== undefined &&
      Math.abs(pausedUntilMs - shownUntilMs) < 500;
    if (pausedUntilMs !== undefined && !isSame)
      out.warn(`${whyWaitingText(wait)} ${l10n.t('Waiting until {0}.', formatTimeOfDay(pausedUntilMs))}`);
    shownUntilMs = pausedUntilMs;
  };
}

/** Reports a report file that cannot be written before runs are paid for; does not write it yet. @throws UsageError */
async function checkWritable(reports: readonly (string | undefined)[]): Promise<void> {
  for (const report of reports.filter((name) => name !== undefined)) {
    const isMade = madeFolder(dirname(resolve(report)));
    if (!isMade || !(await isWritable(resolve(report))))
      throw new UsageError(l10n.t('“{0}” cannot be written.', report));
  }
}

function madeFolder(path: string): boolean {
  try {
    makeFolder(path);
    return true;
  } catch {
    return false;
  }
}
