import { posix, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sumByCurrency } from '../../domain/amounts';
import type { Json } from '../../domain/json';
import { type ModelContract, modeOf } from '../../domain/model';
import { ownOf } from '../../domain/value';
import { beginning, valueText } from '../../domain/words';
import { comparesValues } from '../../experiments/file/askedMetrics';
import { delimiterText } from '../../experiments/file/faultText';
import type { ExperimentFile } from '../../experiments/file/format';
import { tableAt } from '../../experiments/file/tableFile';
import type { PlannedRun } from '../../experiments/plan/plan';
import { fieldsFor } from '../../experiments/setup/columns';
import {
  type JudgedResult,
  judgedResults,
  type PartVerdict,
  partName,
  partVerdicts,
  verdictText,
} from '../../experiments/setup/comparedParts';
import { type Offered, offeredRuns, TRIAL_INPUTS } from '../../experiments/setup/offers';
import { shortened } from '../../experiments/table/outcome';
import type { RunOffer, ShownSetUp } from '../../protocol/experimentSetUp';
import type { Services } from '../../services';
import { formatSums } from '../../wording/money';
import { visibleText } from '../../wording/plainText';
import { assessRuns, offeredCost } from './runCosts';
import type { ShownTable } from './shownTable';
import type { TableSource } from './tableSource';

/** Characters of a value of a part that are shown. */
const SHOWN_VALUE = 40;
/** Of a request. */
const LONGEST_REQUEST = 2_000;

/** The page of an experiment that is being set up. Sends only a request for an unknown contract. */
export async function shownSetUp(
  shown: ShownTable,
  file: vscode.Uri,
  services: Services,
): Promise<ShownSetUp> {
  const { source } = shown;
  const { experiment, loaded, own: table } = source;
  const contract = await ownContract(source, services);
  const judged = judgedResults(experiment, source.table.plan, source.table.results);
  const missing = loaded?.plan.runs.filter(({ customId }) => !table.lineOf(customId)) ?? [];
  const paid = sumByCurrency([...table.paid.values()].flat());
  const offers = await offersOf(source, services, missing);
  const model = modelIn(experiment);
  const shownInputs = experiment && (await inputsOf(shown, experiment, contract, file));
  return {
    ...(model !== undefined && { model: { slug: model, name: visibleText(contract?.name ?? model) } }),
    ...(shownInputs && { inputs: shownInputs }),
    hasExpected: comparesValues(experiment),
    ofHits: source.metrics.some((metric) => 'hits' in metric),
    parts: shownParts(source, judged),
    results: judged.length,
    ...(paid.length > 0 && { paid: formatSums(paid, vscode.env.language) }),
    requests: (loaded?.plan.runs ?? [])
      .slice(0, TRIAL_INPUTS)
      .map(({ request }) => shortenedJson(JSON.stringify(request, nameOfFile, 2))),
    ...offers,
    size: await sizeAndCost(source, services, missing),
  };
}

/** A local file by its name: its address is of this computer. */
function nameOfFile(this: unknown, key: string, value: unknown): unknown {
  return key === 'media_ref' && String(value).startsWith('file:')
    ? posix.basename(vscode.Uri.parse(String(value)).path)
    : value;
}

function shortenedJson(text: string): string {
  return beginning(text, LONGEST_REQUEST).split('\n').map(visibleText).join('\n');
}

export function modelIn(experiment: ExperimentFile | undefined): string | undefined {
  return experiment && typeof experiment.run !== 'string' ? experiment.run.model : undefined;
}

async function ownContract(
  { experiment, loaded, environment }: TableSource,
  services: Services,
): Promise<ModelContract | undefined> {
  const model = modelIn(experiment);
  if (model === undefined) return undefined;
  const known = loaded?.contracts.get(model) ?? [...(loaded?.contracts.values() ?? [])][0];
  if (known || !environment) return known;
  return services.catalog.of(environment).cachedContract(model);
}

async function inputsOf(
  shown: ShownTable,
  experiment: ExperimentFile,
  contract: ModelContract | undefined,
  file: vscode.Uri,
): Promise<ShownSetUp['inputs']> {
  const { loaded, table } = shown.source;
  const { over, expected, run } = experiment;
  if (!over) return undefined;
  const count = loaded?.inputs.length ?? 0;
  const items = table.plan.items.slice(0, TRIAL_INPUTS);
  if ('files' in over) {
    const globs = [over.files].flat();
    return {
      name: visibleText([...new Set(globs.map(folderOfGlob))].join(', ')),
      columns: [],
      places: [],
      text: count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count),
      byFolder: expected !== undefined && 'folder' in expected,
      files: items.map((_, row) => shown.rowHead(row)),
    };
  }
  const read = await tableAt(resolve(file.fsPath, '..', over.rows)).catch(() => undefined);
  const placesByColumn = new Map(Object.entries(over.map).map(([place, column]) => [column, place]));
  const isExpected = (column: string) =>
    expected !== undefined && 'column' in expected && expected.column === column;
  const modeName = typeof run === 'string' ? undefined : run.mode;
  const mode = contract && modeOf(contract, modeName ?? 'execute');
  const fields = mode ? fieldsFor(mode) : [];
  const known = new Set(fields.map(({ pointer }) => pointer));
  return {
    name: visibleText(over.rows),
    files: [],
    text: [
      count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', count),
      ...(read?.blankRows ? [l10n.t('{0} blank rows left out', read.blankRows)] : []),
      ...(loaded?.delimiter === undefined ? [] : [delimiterText(loaded.delimiter)]),
    ].join(', '),
    columns: (read?.columns ?? []).map((name) => ({
      name,
      label: visibleText(name),
      values: (read?.rows ?? []).slice(0, TRIAL_INPUTS).map(({ values }) => valueText(ownOf(values, name))),
      use: placesByColumn.get(name) ?? (isExpected(name) ? 'expected' : ''),
    })),
    places: [
      ...fields.map(({ pointer, label }) => ({ place: pointer, label: visibleText(label) })),
      ...Object.keys(over.map).flatMap((place) =>
        known.has(place) ? [] : [{ place, label: visibleText(place) }],
      ),
    ],
  };
}

function folderOfGlob(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  const folder = wild < 0 ? '' : glob.slice(0, wild).replace(/\/[^/]*$/, '');
  return folder.replaceAll('\\', '') || glob;
}

function shownValue(value: Json | undefined): string {
  if (value === undefined) return '';
  return visibleText(shortened(valueText(value)));
}

function shownParts(
  { table, experiment }: TableSource,
  judged: readonly JudgedResult[],
): ShownSetUp['parts'] {
  const first = table.plan.variations[0];
  const at = first && table.placeIn(first);
  const isCompared = comparesValues(experiment);
  return partVerdicts(judged, table.comparing.isText).map((verdict) => ({
    at: verdict.at,
    name: visibleText(partName(verdict.at)),
    verdict: visibleText(verdictText(verdict)),
    kind: kindOf(verdict),
    values: verdict.values.map((value) => shortened(shownValue(value), SHOWN_VALUE)),
    isCompared: isCompared && verdict.at === at,
  }));
}

function kindOf({ equal, fault }: PartVerdict): ShownSetUp['parts'][number]['kind'] {
  if (equal > 0) return 'equal';
  return fault === 'object' || fault === 'list' ? 'never' : 'other';
}

async function offersOf(
  { loaded, environment }: TableSource,
  services: Services,
  missing: readonly PlannedRun[],
): Promise<Record<'trial' | 'few' | 'all', RunOffer>> {
  const offer = async (which: Offered): Promise<RunOffer> => {
    const runs = loaded ? offeredRuns(which, missing, loaded.plan) : [];
    const isPossible = loaded && environment && runs.length > 0;
    const cost = isPossible ? await offeredCost(services, { environment, loaded }, runs) : undefined;
    return { runs: runs.length, cost };
  };
  return { trial: await offer('trial'), few: await offer('few'), all: await offer('missing') };
}

/** "60 runs, about $0.06; leaves $9.82". */
async function sizeAndCost(
  { loaded, environment }: TableSource,
  services: Services,
  missing: readonly PlannedRun[],
): Promise<string> {
  if (!loaded || !environment || missing.length === 0) return '';
  return (await assessRuns(services, { environment, loaded }, missing)).verdict.text;
}
