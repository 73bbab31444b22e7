import * as vscode from 'vscode';
import type { ModelSummary } from '../../domain/model';
import { isCancelled } from '../../platform/showError';
import type { Services } from '../../services';

interface ModelItem extends vscode.QuickPickItem {
  readonly slug: string;
}

/** Asks which model to run: what is listed is offered at once, and the rest comes in while one types. */
export async function chooseModel({ catalog, connection }: Services): Promise<string | undefined> {
  await connection.client();
  const picker = vscode.window.createQuickPick<ModelItem>();
  picker.placeholder = vscode.l10n.t('Choose a model to run');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = (catalog.models ?? []).map(itemOf);
  const listening = catalog.onDidChange(() => {
    picker.items = (catalog.models ?? []).map(itemOf);
  });
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.slug));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      if (catalog.models !== undefined) return;
      picker.busy = true;
      catalog.refresh().then(
        (models) => {
          picker.items = models.map(itemOf);
          picker.busy = false;
        },
        (error: unknown) => {
          if (!isCancelled(error)) reject(error);
        },
      );
    });
  } finally {
    listening.dispose();
    picker.dispose();
  }
}

function itemOf(model: ModelSummary): ModelItem {
  return { label: model.name, description: model.slug, detail: model.description, slug: model.slug };
}
