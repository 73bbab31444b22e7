import * as vscode from 'vscode';
import type { ModelSummary } from '../../domain/model';
import { type VectorMode, type VectorUse, vectorMode } from '../../indexing/vectorMode';
import type { Catalog } from '../catalog';
import { isCancelled } from '../showError';

export interface ModelQuestion {
  readonly title: string;
  /** Which models to list: `maybe` below a separator, after those that fit. Missing: all. */
  readonly fits?: (model: ModelSummary) => 'yes' | 'maybe' | 'no';
  /** Slug of the model to list first. */
  readonly last?: string;
  /** Another question follows, so this one stays when the focus moves elsewhere. */
  readonly ignoreFocusOut?: boolean;
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: ModelSummary;
}

/** Asks for a model of the catalog. Models are listed as they arrive. Undefined: cancelled. */
export async function chooseModel(
  catalog: Catalog,
  question: ModelQuestion,
): Promise<ModelSummary | undefined> {
  const picker = vscode.window.createQuickPick<ModelItem>();
  picker.title = question.title;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = question.ignoreFocusOut ?? false;
  const list = () => {
    picker.items = itemsOf(catalog.models ?? [], question);
  };
  list();
  const listening = catalog.onDidChange(list);
  try {
    return await new Promise<ModelSummary | undefined>((resolve, reject) => {
      picker.onDidAccept(() => {
        const model = picker.selectedItems[0]?.model;
        if (model) resolve(model);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      if (catalog.models !== undefined) return;
      picker.busy = true;
      catalog.refresh().then(
        () => {
          list();
          picker.busy = false;
        },
        (error: unknown) => (isCancelled(error) ? resolve(undefined) : reject(error)),
      );
    });
  } finally {
    listening.dispose();
    picker.dispose();
  }
}

/** Asks for a model that can index, or search with, files; a model that turns out to have no such mode is asked for again. */
export async function chooseVectorModel(
  catalog: Catalog,
  use: VectorUse,
  last: string | undefined,
): Promise<VectorMode | undefined> {
  for (;;) {
    const chosen = await chooseModel(catalog, {
      title:
        use === 'index'
          ? vscode.l10n.t('Index with which model?')
          : vscode.l10n.t('Search with which model?'),
      fits: ({ modeNames }) =>
        modeNames.length === 0 ? 'maybe' : modeNames.some((name) => name.includes(use)) ? 'yes' : 'no',
      ...(last !== undefined && { last }),
      ignoreFocusOut: true,
    });
    if (!chosen) return undefined;
    const contract = await catalog.contract(chosen.slug);
    const found = vectorMode(contract, use);
    if (found) return found;
    void vscode.window.showWarningMessage(
      use === 'index'
        ? vscode.l10n.t('{0} has no mode that indexes files. Choose another model.', contract.name)
        : vscode.l10n.t('{0} has no mode that searches with a file. Choose another model.', contract.name),
    );
  }
}

function itemsOf(models: readonly ModelSummary[], { fits, last }: ModelQuestion): ModelItem[] {
  const listed = (fit: 'yes' | 'maybe') =>
    models
      .filter((model) => (fits?.(model) ?? 'yes') === fit)
      .sort((a, b) => Number(b.slug === last) - Number(a.slug === last))
      .map(
        (model): ModelItem => ({
          label: model.name,
          description: model.slug === last ? vscode.l10n.t('{0}, last used', model.slug) : model.slug,
          ...(model.description !== undefined && { detail: model.description }),
          model,
        }),
      );
  const maybe = listed('maybe');
  if (maybe.length === 0) return listed('yes');
  const separator = { label: vscode.l10n.t('Modes not known yet'), kind: vscode.QuickPickItemKind.Separator };
  return [...listed('yes'), separator, ...maybe];
}
