import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { isAccepted, mediaTypeOf } from '../../domain/media';
import type { ModeContract, ModelContract, ModelSummary } from '../../domain/model';
import { scopeProblem } from '../../domain/scope';
import type { DatasetSummary } from '../../indexing/ledger';
import { type PayloadShape, payloadShape } from '../../indexing/payload';
import type { Services } from '../../services';
import { itemsText } from './nodes';

export const PLAYGROUND = 'playground';

/** A vector-backed mode with its way to take files. */
export interface VectorMode {
  readonly contract: ModelContract;
  readonly mode: ModeContract;
  readonly shape: PayloadShape;
}

/** What a mode does to a dataset: contracts may name their modes differently ("index_text"). */
export type VectorUse = 'index' | 'search';

/** The model's mode for a use, if it has one that takes files. */
export function vectorMode(contract: ModelContract, use: VectorUse): VectorMode | undefined {
  const pattern = use === 'index' ? /index|insert|upsert|ingest/i : /search|query|similar|find/i;
  const candidates = contract.modes.filter(({ name, vectorBacked }) => vectorBacked || name === use);
  const mode =
    candidates.find(({ name }) => name === use) ?? candidates.find(({ name }) => pattern.test(name));
  const shape = mode && payloadShape(mode);
  return mode && shape && { contract, mode, shape };
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: ModelSummary;
}

/** Asks for a model with the mode, last used first. Undefined: the user left. */
export async function chooseModel(
  { catalog, connection }: Services,
  use: VectorUse,
  last: string | undefined,
): Promise<VectorMode | undefined> {
  await connection.client();
  for (;;) {
    const chosen = await vscode.window.showQuickPick(
      itemsOf(catalog.models ?? catalog.refresh(), use, last),
      {
        title:
          use === 'index'
            ? vscode.l10n.t('Index with which model?')
            : vscode.l10n.t('Search with which model?'),
        matchOnDescription: true,
        // The first of two questions: a window that gives the focus to something else late must not end both.
        ignoreFocusOut: true,
      },
    );
    if (!chosen?.model) return undefined;
    const contract = await catalog.contract(chosen.model.slug);
    const found = vectorMode(contract, use);
    if (found) return found;
    void vscode.window.showWarningMessage(
      use === 'index'
        ? vscode.l10n.t('{0} has no mode that indexes files. Choose another model.', contract.name)
        : vscode.l10n.t('{0} has no mode that searches with a file. Choose another model.', contract.name),
    );
  }
}

async function itemsOf(
  listed: readonly ModelSummary[] | Promise<readonly ModelSummary[]>,
  use: VectorUse,
  last: string | undefined,
): Promise<ModelItem[]> {
  const models = await listed;
  const named = models.filter(({ modeNames }) => modeNames.some((name) => name.includes(use)));
  const unknown = models.filter(({ modeNames }) => modeNames.length === 0);
  const item = (model: ModelSummary): ModelItem => ({
    label: model.name,
    description: model.slug === last ? vscode.l10n.t('{0}, last used', model.slug) : model.slug,
    ...(model.description !== undefined && { detail: model.description }),
    model,
  });
  const lastFirst = (a: ModelSummary, b: ModelSummary) => Number(b.slug === last) - Number(a.slug === last);
  const separator = { label: vscode.l10n.t('Modes not known yet'), kind: vscode.QuickPickItemKind.Separator };
  const rest = unknown.length === 0 ? [] : [separator, ...[...unknown].sort(lastFirst).map(item)];
  return [...[...named].sort(lastFirst).map(item), ...rest];
}

/** Asks for a scope: those known first, the last used on top, or a new one, checked as it is typed. */
export async function chooseScope(
  use: VectorUse,
  known: readonly string[],
  last: string | undefined,
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick();
  picker.title =
    use === 'index' ? vscode.l10n.t('Into which scope?') : vscode.l10n.t('Search in which scope?');
  picker.placeholder = vscode.l10n.t('Choose a scope, or type the name of a new one');
  picker.ignoreFocusOut = true;
  const scopes = [...new Set([...(last === undefined ? [] : [last]), ...known, PLAYGROUND])];
  const describe = (scope: string) =>
    scope === last
      ? vscode.l10n.t('last used')
      : known.includes(scope)
        ? ''
        : vscode.l10n.t('for trying things out');
  const offer = (typed: string) => {
    const rows: vscode.QuickPickItem[] = scopes.map((scope) => ({
      label: scope,
      description: describe(scope),
    }));
    if (typed === '' || scopes.includes(typed)) return rows;
    const problem = scopeProblem(typed);
    const fresh = problem === undefined ? vscode.l10n.t('new scope') : `$(error) ${problem}`;
    return [{ label: typed, description: fresh, alwaysShow: true }, ...rows];
  };
  picker.items = offer('');
  try {
    return await new Promise((resolve) => {
      picker.onDidChangeValue((typed) => {
        picker.items = offer(typed.trim());
      });
      picker.onDidAccept(() => {
        const scope = picker.selectedItems[0]?.label ?? picker.value.trim();
        if (scopeProblem(scope) === undefined) resolve(scope);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

/** A model's data in a scope, as a row of a question. */
export function datasetItem(
  { models }: Services['catalog'],
  { scope, model, counts }: DatasetSummary,
): vscode.QuickPickItem {
  const told = [
    itemsText(counts.indexed),
    ...(counts.failed > 0 ? [vscode.l10n.t('{0} failed', counts.failed)] : []),
    ...(counts.unknown > 0 ? [vscode.l10n.t('{0} unknown', counts.unknown)] : []),
  ];
  return {
    label: scope,
    description: models?.find(({ slug }) => slug === model)?.name ?? model,
    detail: told.join(', '),
  };
}

/** Whether a file is plainly of another kind than a mode takes. A name that tells nothing may be anything. */
export function isOfOtherKind(contentType: string, { accept, carries }: PayloadShape): boolean {
  const kind = mediaTypeOf(contentType);
  if (kind === undefined || isAccepted(contentType, accept)) return false;
  // JSON, Markdown and the like are text too, whatever their type is called.
  return carries === 'media' || kind !== 'file';
}

/** The mode of a dataset's model, or why there is none. */
export async function modeOf({ catalog }: Services, dataset: Dataset, use: VectorUse): Promise<VectorMode> {
  const contract = await catalog.contract(dataset.model);
  const found = vectorMode(contract, use);
  if (!found)
    throw new Error(
      vscode.l10n.t(
        '{0} has no mode for this any more. Refresh the catalog to see its modes.',
        contract.name,
      ),
    );
  return found;
}
