import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { isForTesting } from '../../domain/modelFilter';
import { ServiceError } from '../../service/errors';
import { createQuickPick, untilAnswered } from '../../vscode/messages/inputs';
import { showWarningMessage } from '../../vscode/messages/notifications';
import { isCancelled, messageOf } from '../../vscode/showError';

/** Those of the same heading are listed in this order. */
export type ModelFit = 'best' | 'yes' | 'likely' | 'maybe' | 'unlikely' | 'no';

export interface ModelQuestion {
  readonly title: string;
  /**
   * Which models of a list to show: `best` and `yes` first; `likely` and `maybe` below a separator; `unlikely` when
   * something is typed.
   * Missing: all.
   */
  readonly fits?: (models: readonly ModelSummary[]) => (model: ModelSummary) => ModelFit;
  /** Slug of the model to list first. */
  readonly last?: string;
  /** Another question follows, so this one stays when the focus moves elsewhere. */
  readonly ignoreFocusOut?: boolean;
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: ModelSummary;
}

interface Usable<T> {
  readonly contract: ModelContract;
  readonly use: T;
}

/** A certain use of a model, listed before the models. */
export interface UseItem<T> extends vscode.QuickPickItem {
  readonly choice: Usable<T>;
}

interface UseQuestion<T> extends ModelQuestion {
  readonly before?: readonly UseItem<T>[];
}

/** Asks for a model of the catalog. Models are listed as they arrive. Undefined: cancelled. */
export function chooseModel(
  catalog: EnvironmentCatalog,
  question: ModelQuestion,
): Promise<ModelSummary | undefined> {
  return chooseItem<never>(catalog, question) as Promise<ModelSummary | undefined>;
}

async function chooseItem<T>(
  catalog: EnvironmentCatalog,
  question: UseQuestion<T>,
): Promise<ModelSummary | UseItem<T> | undefined> {
  const picker = createQuickPick<ModelItem | UseItem<T>>();
  picker.title = question.title;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = question.ignoreFocusOut ?? false;
  const list = () => {
    const models = modelItems(catalog.models ?? [], question, picker.value.trim());
    picker.items = [...(question.before ?? []), ...models];
  };
  list();
  const listening = catalog.onDidChange(list);
  return untilAnswered<ModelSummary | UseItem<T> | undefined>(picker, (resolve, reject) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.activeItems;
      if (!chosen) return;
      if ('choice' in chosen) resolve(chosen);
      else if (chosen.model) resolve(chosen.model);
    });
    picker.onDidChangeValue(list);
    if (catalog.models !== undefined) return;
    picker.busy = true;
    catalog.refresh().then(
      () => {
        list();
        picker.busy = false;
      },
      (error: unknown) => {
        picker.busy = false;
        if (isCancelled(error)) resolve(undefined);
        // Its slug can be typed.
        else if (error instanceof ServiceError && error.kind === 'noPermission')
          picker.placeholder = messageOf(error);
        else reject(error);
      },
    );
  }).finally(() => listening.dispose());
}

/**
 * Asks for a model with a contract that can be used; one that turns out not to be is asked for again. Models for testing
 * are listed only when something is typed.
 * @param use the use of a contract; undefined: it has none
 * @param unfit why a model of this name cannot be used
 */
export async function chooseUsableModel<T>(
  catalog: EnvironmentCatalog,
  question: UseQuestion<T>,
  use: (contract: ModelContract) => T | undefined,
  unfit: (name: string) => string,
): Promise<Usable<T> | undefined> {
  const fits: ModelQuestion['fits'] = (models) => {
    const fitOf = question.fits?.(models) ?? (() => 'yes' as const);
    return (model) => (isForTesting(model) && fitOf(model) !== 'no' ? 'unlikely' : fitOf(model));
  };
  for (;;) {
    const chosen = await chooseItem(catalog, { ...question, fits, ignoreFocusOut: true });
    if (!chosen) return undefined;
    if ('choice' in chosen) return chosen.choice;
    const contract = await catalog.contract(chosen.slug);
    const used = use(contract);
    if (used !== undefined) return { contract, use: used };
    void showWarningMessage(unfit(contract.name));
  }
}

/** The models that fit, then those that may; a text that is typed finds any other, or is taken for a slug. */
function modelItems(models: readonly ModelSummary[], question: ModelQuestion, typed: string): ModelItem[] {
  const { fits, last } = question;
  const fitOf = fits?.(models) ?? ((): ModelFit => 'yes');
  const listed = (...wanted: readonly ModelFit[]) =>
    wanted
      .flatMap((fit) => models.filter((model) => fitOf(model) === fit))
      .sort((a, b) => Number(b.slug === last) - Number(a.slug === last))
      .map((model) => modelItem(model, last));
  return [
    ...listed('best', 'yes'),
    ...below(l10n.t('Modes not known yet'), listed('likely', 'maybe')),
    ...below(l10n.t('Other models'), typed === '' ? [] : listed('unlikely')),
    ...below(l10n.t('Not in the list'), bySlug(models, typed)),
  ];
}

function isNamed({ name, slug }: ModelSummary, typed: string): boolean {
  return `${name}\n${slug}`.toLowerCase().includes(typed.toLowerCase());
}

function modelItem(model: ModelSummary, last: string | undefined): ModelItem {
  return {
    label: model.name,
    description: model.slug === last ? l10n.t('{0}, last used', model.slug) : model.slug,
    ...(model.description !== undefined && { detail: model.description }),
    model,
  };
}

function below(separator: string, items: readonly ModelItem[]): ModelItem[] {
  if (items.length === 0) return [];
  return [{ label: separator, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** A slug that the catalog does not list; its detail is requested when it is chosen. */
function bySlug(models: readonly ModelSummary[], typed: string): ModelItem[] {
  if (!/^[\w.:@-]+(?:\/[\w.:@-]+)*$/.test(typed)) return [];
  if (models.some((model) => isNamed(model, typed))) return [];
  const model = { slug: typed, name: typed, tags: [], modeNames: [], raw: undefined };
  return [{ label: typed, description: l10n.t('Load this model by its slug'), alwaysShow: true, model }];
}
