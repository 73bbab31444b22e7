import { stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { ExperimentFile } from '../../../experiments/file/format';
import { loadExperiment } from '../../../experiments/file/load';
import { readExperiment } from '../../../experiments/file/read';
import { readFileAt } from '../../../experiments/files/door';
import { recordedTable } from '../../../experiments/results/recordedTable';
import { readResultsFile, resultPlaces } from '../../../experiments/results/resultsFile';
import { columnNames } from '../../../experiments/table/columnHead';
import { type ExperimentOverview, resultsOverview, tableOverview } from '../../../experiments/table/overview';
import { shownText } from '../../../intake/text';
import { environmentFor } from '../../../platform/runFiles/environment';
import { readRunFile } from '../../../runFiles/read';
import type { Services } from '../../../services';
import type { KeptTables } from '../keptTables';

/** Bytes of a results file that is read for a row of the view. */
const MOST_RESULT_BYTES = 16_000_000;
/** Bytes of an experiment. */
const MOST_TEXT_BYTES = 1_000_000;

/** The version of an experiment's results: their file's time and size. Undefined: there are none. */
export async function resultsVersion(uri: vscode.Uri): Promise<string | undefined> {
  const facts = await stat(resultPlaces(uri.fsPath).file).catch(() => undefined);
  return facts && `${facts.mtimeMs} ${facts.size}`;
}

/**
 * The results of an experiment in one line. The table of its inputs is read for it; files as inputs are not, so that its
 * last shown table tells. Asks the service for nothing.
 * @returns undefined: it has no results, or too many for a row
 */
export async function overviewOf(
  uri: vscode.Uri,
  services: Services,
  kept: KeptTables,
  locale: string,
): Promise<ExperimentOverview | undefined> {
  const { file } = resultPlaces(uri.fsPath);
  const { size = 0 } = await stat(file).catch(() => ({ size: 0 }));
  if (size === 0 || size > MOST_RESULT_BYTES) return undefined;
  const { overview } = kept.of(uri);
  if (overview && overview.version === (await resultsVersion(uri))) return overview;
  const read = await readResultsFile(file);
  const bytes = await readFileAt(uri.fsPath, MOST_TEXT_BYTES).catch(() => undefined);
  const text = bytes ? shownText(bytes.bytes) : '';
  const { experiment } = readExperiment(text);
  if (!experiment || isOverFiles(experiment)) return resultsOverview(read);
  const environment = environmentFor(readRunFile(text), services.connection);
  const models = environment && services.catalog.of(environment);
  const { loaded } = await loadExperiment(uri.fsPath, text, async (model) => models?.cachedContract(model), {
    unknownModels: 'keep',
  });
  if (!loaded) return resultsOverview(read);
  const { table, metrics } = await recordedTable(loaded, file, read);
  return tableOverview(table, metrics, columnNames(table.plan), { locale, margin: experiment.margin });
}

/** Reading its inputs means reading whole files. */
export function isOverFiles({ over }: Pick<ExperimentFile, 'over'>): boolean {
  return over !== undefined && 'files' in over;
}
