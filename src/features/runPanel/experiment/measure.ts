import * as vscode from 'vscode';
import type { ExperimentSetup, OverRows } from '../../../domain/experimentSetup';
import type { ModelContract } from '../../../domain/model';
import { ownOf } from '../../../domain/value';
import { delimiterText, itemFaultText } from '../../../experiments/faultText';
import { GridTooLarge, tooLargeText } from '../../../experiments/grid';
import { filesBelow, type ItemFault } from '../../../experiments/items';
import { comparedPlaces } from '../../../experiments/setup/columns';
import { SetupIncomplete, setUpMembers } from '../../../experiments/setup/members';
import { setupText } from '../../../experiments/setup/size';
import { tableAt } from '../../../experiments/tableFile';
import type { ExperimentSize, SetUpRun } from '../../../protocol/run';
import { messageOf } from '../../../vscode/showError';
import type { PanelExperiment } from './handlers';

/** The number of a setup's runs, and their possible cost. */
export async function measure(panel: PanelExperiment, run: SetUpRun): Promise<ExperimentSize> {
  return { ...(await experimentSize(panel, run)), results: comparedPlaces(panel.result()) };
}

async function experimentSize(
  panel: PanelExperiment,
  { draft, experiment }: SetUpRun,
): Promise<Omit<ExperimentSize, 'results'>> {
  try {
    const { baseUrl } = panel.environment();
    const members = setUpMembers(draft, experiment, '/');
    const { problem, delimiter, ...items } = await inputCount(experiment.over);
    const prices = {
      baseUrl,
      estimates: await panel.services.estimates(),
      contracts: await contractsOf(panel, draft.model, experiment.models),
    };
    const size = setupText(draft, members, items, prices, vscode.env.language);
    const text = delimiter === undefined ? size : `${size} · ${delimiterText(delimiter)}`;
    return { text, problem };
  } catch (error) {
    if (error instanceof GridTooLarge) return { text: '', problem: tooLargeText(error, vscode.env.language) };
    if (error instanceof SetupIncomplete) return { text: '', problem: error.message };
    return { text: '', problem: messageOf(error) };
  }
}

/** Those that are known: a model without one has no price yet. */
async function contractsOf(
  { services, environment, contract }: PanelExperiment,
  own: string,
  models: SetUpRun['experiment']['models'],
): Promise<ReadonlyMap<string, ModelContract>> {
  const catalog = services.catalog.of(environment());
  const others = await Promise.all(models.map(({ slug }) => catalog.cachedContract(slug)));
  const known = others.flatMap((one) => (one ? [[one.slug, one] as const] : []));
  return new Map([[own, await contract()], ...known]);
}

/** How many inputs there are. */
interface InputCount {
  readonly all: number;
  /** Equal rows are one: they are run once. Contents of files are not compared. */
  readonly distinct: number;
  /** Why there are none, or fewer. */
  readonly problem?: string;
  /** Between the columns of a table, where it is not that of its ending. */
  readonly delimiter?: string;
}

/** A folder with many files takes a second to look through, and its files are counted after every key. */
const KEPT_MS = 10_000;
const kept = new Map<string, { readonly at: number; readonly count: Promise<InputCount> }>();

/** Counts the inputs of a run; a count is kept for some seconds. */
function inputCount(over: ExperimentSetup['over']): Promise<InputCount> {
  if (!over) return Promise.resolve({ all: 1, distinct: 1 });
  const key = JSON.stringify(over.kind === 'rows' ? [over.file, over.map] : [over.folder, over.globs]);
  const known = kept.get(key);
  if (known && Date.now() - known.at < KEPT_MS) return known.count;
  const count = over.kind === 'rows' ? rowCount(over) : fileCount(over.folder, over.globs);
  kept.clear();
  kept.set(key, { at: Date.now(), count });
  return count;
}

async function rowCount({ file, map }: OverRows): Promise<InputCount> {
  const { rows, faults, delimiter } = await tableAt(vscode.Uri.parse(file, true).fsPath);
  const [first] = faults;
  const columns = Object.values(map);
  const inputs = rows.map(({ values }) => JSON.stringify(columns.map((name) => ownOf(values, name) ?? null)));
  return {
    all: rows.length,
    distinct: new Set(inputs).size,
    ...(first && { problem: itemFaultText(first) }),
    delimiter,
  };
}

async function fileCount(folder: string, globs: readonly string[]): Promise<InputCount> {
  const { paths, faults } = await filesBelow(vscode.Uri.parse(folder, true).fsPath, globs);
  const none: ItemFault[] = paths.length === 0 ? [{ fault: 'noFiles', glob: globs.join(', ') }] : [];
  const [first] = [...faults, ...none];
  return { all: paths.length, distinct: paths.length, ...(first && { problem: itemFaultText(first) }) };
}
