import * as vscode from 'vscode';
import { type ExplorerArgs, panels, type ScopesNodeArg, type ScopeTarget } from '../../contributions';
import type { Dataset } from '../../domain/dataset';
import type { DatasetSummary } from '../../indexing/ledger';
import { registerCommand } from '../../platform/commands';
import { disposeAll } from '../../platform/disposables';
import type { IndexingParts } from './indexMedia';
import type { ScopesNode } from './nodes';
import type { SearchPanels } from './searchPanels';

/** Find Similar Images…, Search Scope…, and search panels that come back with their window. */
export function registerSearch(
  parts: IndexingParts,
  chosenUris: (args: ExplorerArgs) => vscode.Uri[],
): vscode.Disposable {
  const { log } = parts.services;
  let loaded: Promise<SearchPanels> | undefined;
  const load = () => {
    loaded ??= import('./searchPanels').then(({ SearchPanels }) => new SearchPanels(parts));
    return loaded;
  };
  const findSimilar = async (...args: ExplorerArgs) => {
    const uri = chosenUris(args)[0] ?? activeFile();
    if (!uri) throw new Error(vscode.l10n.t('Choose a file in the Explorer first, or open one.'));
    const dataset = await chooseDataset(parts, uri);
    if (dataset) await (await load()).search(dataset, uri);
  };
  const searchScope = async (target?: ScopeTarget | ScopesNodeArg) => {
    const dataset = await datasetOf(parts, target);
    if (dataset) await (await load()).open(dataset);
  };
  const searchWithItem = async (arg?: ScopesNodeArg) => {
    const node = arg as ScopesNode | undefined;
    if (node?.kind === 'item') await (await load()).search(node.item, vscode.Uri.parse(node.item.file));
  };
  return disposeAll(
    { dispose: () => void loaded?.then((all) => all.dispose()) },
    registerCommand('modelBench.findSimilar', findSimilar, log),
    registerCommand('modelBench.searchWithFile', findSimilar, log),
    registerCommand('modelBench.searchScope', searchScope, log),
    registerCommand('modelBench.searchWithItem', searchWithItem, log),
    vscode.window.registerWebviewPanelSerializer(panels.search, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
}

/** The file of the active tab, whatever editor shows it: an image's editor is no text editor. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText
    ? input.uri
    : undefined;
}

/** From a row of the tree, from a script, or asked for. */
async function datasetOf(
  parts: IndexingParts,
  target: ScopeTarget | ScopesNodeArg | undefined,
): Promise<Dataset | undefined> {
  const { baseUrl } = await parts.services.connection.client();
  if (target === undefined) return chooseDataset(parts, undefined);
  if ('model' in target) return { baseUrl, model: target.model, scope: target.scope };
  const node = target as ScopesNode;
  if (node.kind === 'dataset' || node.kind === 'folder') return node.dataset;
  if (node.kind === 'item') return node.item;
  return chooseDataset(parts, undefined, node.kind === 'scope' ? node.scope : undefined);
}

interface DatasetItem extends vscode.QuickPickItem {
  readonly dataset?: Dataset;
}

/** Where to search (`scope`: only there): the only dataset there is, else those known, the file's own and the last used first, or another by name. */
async function chooseDataset(
  parts: IndexingParts,
  file: vscode.Uri | undefined,
  scope?: string,
): Promise<Dataset | undefined> {
  const { services, last } = parts;
  const { baseUrl } = await services.connection.client();
  const ledger = await services.ledger();
  const { contentTypeOf, filenameOf } = await import('../../platform/localFile');
  const { chooseModel, chooseScope, datasetItem, isOfOtherKind, vectorMode } = await import(
    './chooseDataset'
  );
  /** False where the model is known to search with other media than the file. */
  const fits = async ({ model }: Dataset) => {
    const contract = file && (await services.catalog.cachedContract(model));
    const mode = contract && vectorMode(contract, 'search');
    return !file || !mode || !isOfOtherKind(contentTypeOf(filenameOf(file)), mode.shape);
  };
  const known: DatasetSummary[] = [];
  for (const one of ledger.datasets(baseUrl))
    if ((scope === undefined || one.scope === scope) && (await fits(one))) known.push(one);
  const [only] = known;
  if (only && known.length === 1) return only;
  const recent = last.get(baseUrl);
  const holds = new Set(
    file ? ledger.ofFile(file.toString()).map(({ model, scope }) => `${model} ${scope}`) : [],
  );
  const rank = (one: Dataset) =>
    (holds.has(`${one.model} ${one.scope}`) ? 2 : 0) +
    (one.model === recent?.model && one.scope === recent.scope ? 1 : 0);
  const items = [...known]
    .sort((a, b) => rank(b) - rank(a) || b.lastAt - a.lastAt)
    .map((dataset): DatasetItem => ({ ...datasetItem(services.catalog, dataset), dataset }));
  if (items.length > 0) {
    const other: DatasetItem = { label: vscode.l10n.t('Another scope…') };
    const chosen = await vscode.window.showQuickPick<DatasetItem>([...items, other], {
      title: vscode.l10n.t('Search in which scope?'),
      matchOnDescription: true,
    });
    if (!chosen || chosen.dataset) return chosen?.dataset;
  }
  const model = await chooseModel(services, 'search', recent?.model);
  if (!model || !vectorMode(model.contract, 'search')) return undefined;
  const named = await chooseScope('search', [], recent?.scope);
  return named === undefined ? undefined : { baseUrl, model: model.contract.slug, scope: named };
}
