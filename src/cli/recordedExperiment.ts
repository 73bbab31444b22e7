import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ExperimentOrder } from '../commands/experiment';
import type { EndedExperiment, RunCounts } from '../commands/experimentEnd';
import { checkGate, openGate } from '../commands/experimentGate';
import { type ReportedFigures, recordedFigures } from '../commands/figures';
import { readNamedText, realPlace } from '../commands/files';
import { markedLines } from '../commands/ready';
import type { Show } from '../commands/show';
import { UsageError } from '../commands/usageError';
import { itemFaultText } from '../experiments/file/faultText';
import { type LoadedExperiment, loadExperiment } from '../experiments/file/load';
import type { ReadResults } from '../experiments/results/results';
import { readResultsFile, resultPlaces } from '../experiments/results/resultsFile';

/**
 * Figures, gate and reports of recorded results, without the service: with `--figures`, and where no run has
 * to be sent. Undefined, without output: runs have to be sent, or a question has to be answered first.
 * @returns `wrong`: it has errors, and they were shown
 */
export async function recordedExperiment(
  asked: ExperimentOrder & { readonly figuresOnly: boolean },
  show: Show,
): Promise<EndedExperiment | 'wrong' | undefined> {
  const { figuresOnly, shard, checkDrift, fetchMedia, retryFailed, retryUnconfirmed, runDeleted } = asked;
  const sends = checkDrift !== undefined || fetchMedia || retryFailed || retryUnconfirmed || runDeleted;
  if (figuresOnly && (sends || shard))
    throw new UsageError(l10n.t('--figures sends no runs: use it without options for runs.'));
  if (sends || shard) return undefined;
  const path = await realPlace(asked.file);
  const results = asked.results === undefined ? resultPlaces(path).file : await realPlace(asked.results);
  const read = await readResultsFile(results);
  if (!figuresOnly && (read.results.length === 0 || read.unreadable.length + read.sent.size > 0))
    return undefined;
  const loaded = await loadRecorded(asked.file, path, figuresOnly ? show : undefined);
  if (!loaded) return figuresOnly ? 'wrong' : undefined;
  if (!figuresOnly && isMissing(loaded, read)) return undefined;
  const figures = await recordedFigures(loaded, results, { read, path, groupBy: asked.groupBy });
  const counts = countsIn(figures);
  // Unconfirmed runs may have their outcome now: at the service, or in a response that a mapping reads.
  if (!figuresOnly && counts.missing + counts.unconfirmed.length > 0) return undefined;
  if (read.unreadable.length > 0)
    show.warn(l10n.t('Lines of “{0}” that cannot be read: {1}.', basename(results), read.unreadable.length));
  const gate = await openGate(asked, loaded, path);
  return { loaded, figures, counts, gate: await checkGate(gate, figures), results, path, warned: [] };
}

/**
 * An experiment as far as it is known without the service: with all inputs, and no contracts. Undefined: it has errors.
 * @param show missing: problems are not shown, and then any problem is an error
 */
async function loadRecorded(
  name: string,
  path: string,
  show: Show | undefined,
): Promise<LoadedExperiment | undefined> {
  const text = await readNamedText(name);
  const { parsed, problems, loaded } = await loadExperiment(path, text, async () => undefined, {
    unknownModels: 'keep',
  });
  if (!show) return loaded && loaded.faults.length + problems.length === 0 ? loaded : undefined;
  for (const line of markedLines(name, parsed, problems)) show.warn(line);
  for (const fault of loaded?.faults ?? []) show.warn(itemFaultText(fault));
  return loaded;
}

/** Whether more runs have no result than any ending of columns could explain: a quick look before all is measured. */
function isMissing({ plan, experiment }: LoadedExperiment, { results }: ReadResults): boolean {
  return experiment.stop === undefined && results.length < plan.unsent.length;
}

function countsIn({ table, ended }: ReportedFigures): RunCounts {
  const verdicts = [...table.judging.verdicts.values()].flatMap((own) => [...own.values()]);
  const lines = [...new Set(verdicts.flatMap((verdict) => verdict.lines))];
  let missing = verdicts.filter(({ state }) => state === 'missing').length;
  let leftOut = 0;
  for (const { customId, serves } of table.plan.runs) {
    const line = table.results.get(customId);
    if (line) lines.push(line);
    else if (serves.every(({ variation }) => ended.has(variation))) leftOut += 1;
    else missing += 1;
  }
  const of = (state: (typeof lines)[number]['state']) => lines.filter((line) => line.state === state);
  return {
    all: lines.length + leftOut + missing,
    finished: of('finished').length,
    failed: of('failed'),
    missing,
    leftOut,
    underWay: 0,
    unconfirmed: of('unconfirmed'),
  };
}
