import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { timesAmount } from '../../domain/amounts';
import { datasetKey } from '../../domain/dataset';
import { isAccepted } from '../../domain/media';
import { type ModelContract, modeOf, modePrice } from '../../domain/model';
import { type FileField, fileFieldOf } from '../../experiments/file/fileField';
import type { ExperimentFile } from '../../experiments/file/format';
import { type RunObject, runOver } from '../../experiments/file/newExperiment';
import { hitsParam, SEARCH_METRICS } from '../../experiments/setup/searchSetUp';
import { vectorMode } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import type { UseItem } from '../../platform/pickers/chooseModel';
import { chooseScope } from '../../platform/pickers/chooseScope';
import { publishedCost } from '../../runs/estimates/estimateFrom';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { formatMoney } from '../../wording/money';

/** How a model takes files. */
export interface FileModel {
  readonly contract: ModelContract;
  readonly field: FileField;
  /** The files are queries of a search; missing scope: they are indexed first. */
  readonly search?: { readonly scope: string | undefined };
  /** A run of the model in this mode. */
  readonly run?: RunObject;
}

/**
 * The searches that files can be queries of: in each scope that holds some of them; else one that indexes them first.
 * @param files paths of the chosen files
 */
export async function searchChoices(
  services: Services,
  baseUrl: string,
  contracts: Iterable<ModelContract>,
  files: readonly string[],
): Promise<UseItem<FileModel>[]> {
  const types = [...new Set(files.map(contentTypeOf))];
  const { datasets } = await services.store();
  const known = datasets.summaries(baseUrl);
  const held = new Map<string, number>();
  const uris = files.map((path) => vscode.Uri.file(path).toString());
  for (const item of known.length === 0 ? [] : uris.flatMap((uri) => datasets.ofFile(uri)))
    if (item.outcome === 'indexed') held.set(datasetKey(item), (held.get(datasetKey(item)) ?? 0) + 1);
  return [...contracts].flatMap((known) => {
    const search = vectorMode(known, 'search');
    const field = search && fileFieldOf(search.mode, types);
    if (!search || !field) return [];
    const { contract } = search;
    const count = files.filter((path) => isAccepted(contentTypeOf(path), field.accept, path)).length;
    const cost = (mode: string) => costText(contract, mode, count);
    const scopes = datasets
      .summaries(baseUrl)
      .filter((one) => one.model === contract.slug && held.has(datasetKey(one)))
      .sort((a, b) => held.get(datasetKey(b))! - held.get(datasetKey(a))!);
    const use = (scope?: string): FileModel => ({ contract, field, search: { scope } });
    const index = vectorMode(contract, 'index');
    return [
      ...scopes.map((one) => ({
        label: l10n.t(
          '{0}: search in {1} ({2} of {3} indexed)',
          ...[contract.name, one.scope, held.get(datasetKey(one))!, count],
        ),
        iconPath: new vscode.ThemeIcon('search'),
        description: l10n.t('each file is a query, {0}', cost(search.mode.name)),
        choice: { contract, use: use(one.scope) },
      })),
      ...(scopes.length > 0 || !index
        ? []
        : [
            {
              label: l10n.t('{0}: index first, then search ({1} of {2} indexed)', contract.name, 0, count),
              iconPath: new vscode.ThemeIcon('search'),
              description: l10n.t('index {0}, search {1}', cost(index.mode.name), cost(search.mode.name)),
              choice: { contract, use: use() },
            },
          ]),
    ];
  });
}

/** The published price of a mode for all files. */
function costText(contract: ModelContract, mode: string, count: number): string {
  const cost = publishedCost(modePrice(contract, mode), 1);
  if (!cost) return l10n.t('price unknown');
  const all = { ...cost, amount: timesAmount(cost.amount, count) };
  return l10n.t('about {0}', formatMoney(all, vscode.env.language, { about: true }));
}

/** The run of a search, in a scope that holds the files; without one it is asked for, and they are indexed into it. */
export async function searchRun(
  { contract, field, search }: FileModel,
  uris: readonly vscode.Uri[],
): Promise<RunObject | undefined> {
  const [first] = uris;
  const isIndexed = search?.scope !== undefined;
  const named = first && posix.basename(first.path);
  const scope = search?.scope ?? (await chooseScope({ title: l10n.t('Into which scope?'), folder: named }));
  if (scope === undefined || !first) return undefined;
  const { slug: model } = contract;
  if (!isIndexed) await executeCommand('modelBench.indexMedia', first, uris, { scope, model });
  const params = hitsParam(modeOf(contract, field.mode)!);
  const run = runOver(contract, field.mode, Object.keys(field.map));
  return { ...run, scope, ...(Object.keys(params).length > 0 && { params }) };
}

/**
 * Right hits are those of the query's folder; without folders, those that people judge.
 * @param labels names of folders
 * @param judgements the file of people's judgements, beside the experiment
 */
export function searchMeasures(labels: readonly string[], judgements?: string): Partial<ExperimentFile> {
  const judged = judgements === undefined ? undefined : { qrels: judgements };
  const expected = labels.length > 1 ? { folder: true as const } : judged;
  return expected ? { expected, metrics: [...SEARCH_METRICS] } : {};
}
