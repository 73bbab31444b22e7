import { experiment } from '../commands/experiment';
import { type EndedExperiment, endLines, isWhole } from '../commands/experimentEnd';
import { showLines } from '../commands/show';
import type { PaidState } from '../commands/state';
import type { ServiceClient } from '../service/client';
import type { ExperimentArguments } from './arguments';
import { exitCodes } from './exitCodes';
import { writeReports } from './experimentReports';
import { recordedExperiment } from './recordedExperiment';
import type { Terminal } from './terminal';

/**
 * Prints the end of a call without runs to send. Undefined, without output: there are some.
 * @returns the exit code
 */
export async function printRecorded(
  asked: ExperimentArguments,
  terminal: Terminal,
): Promise<number | undefined> {
  const ended = await recordedExperiment(asked, terminal);
  if (ended === 'wrong') return exitCodes.wrong;
  return ended && printEnd(asked, ended, terminal);
}

/** Runs an experiment, prints its end and writes its reports. @returns the exit code */
export async function runExperiment(
  asked: ExperimentArguments,
  client: ServiceClient,
  open: () => Promise<PaidState>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const ended = await experiment(asked, client, open, terminal, signal);
  return ended ? printEnd(asked, ended, terminal) : exitCodes.wrong;
}

async function printEnd(
  asked: ExperimentArguments,
  ended: EndedExperiment,
  terminal: Terminal,
): Promise<number> {
  const { acceptUnconfirmed } = asked;
  showLines(endLines(ended, acceptUnconfirmed), terminal);
  await writeReports(asked, ended);
  const { counts, gate } = ended;
  if (!isWhole(acceptUnconfirmed ? { ...counts, unconfirmed: [] } : counts)) return exitCodes.service;
  const isPassed =
    counts.failed.length + counts.unconfirmed.length === 0 && gate.checks.every(({ passed }) => passed);
  return isPassed ? exitCodes.passed : exitCodes.failed;
}
