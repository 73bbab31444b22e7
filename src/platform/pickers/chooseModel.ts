import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { isForTesting } from '../../domain/modelFilter';
import type { VectorUse } from '../../indexing/payload';
import { isOfOtherKind, modelLikelihood, type VectorMode, vectorMode } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { createQuickPick, untilAnswered } from '../../vscode/messages/inputs';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { isCancelled } from '../../vscode/showError';
import { chosenFiles } from '../fileIntake/chosenFiles';

/** Models whose contracts are read before the question. */
const MOST_READ = 40;

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

/** Asks for a model of the catalog. Models are listed as they arrive. Undefined: cancelled. */
export async function chooseModel(
  catalog: EnvironmentCatalog,
  question: ModelQuestion,
): Promise<ModelSummary | undefined> {
  const picker = createQuickPick<ModelItem>();
  picker.title = question.title;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = question.ignoreFocusOut ?? false;
  const list = () => {
    picker.items = modelItems(catalog.models ?? [], question, picker.value.trim());
  };
  list();
  const listening = catalog.onDidChange(list);
  return untilAnswered<ModelSummary | undefined>(picker, (resolve, reject) => {
    picker.onDidAccept(() => {
      const [chosen] = picker.activeItems;
      if (chosen?.model) resolve(chosen.model);
    });
    picker.onDidChangeValue(list);
    if (catalog.models !== undefined) return;
    picker.busy = true;
    catalog.refresh().then(
      () => {
        list();
        picker.busy = false;
      },
      (error: unknown) => (isCancelled(error) ? resolve(undefined) : reject(error)),
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
  question: ModelQuestion,
  use: (contract: ModelContract) => T | undefined,
  unfit: (name: string) => string,
): Promise<{ readonly contract: ModelContract; readonly use: T } | undefined> {
  const fits: ModelQuestion['fits'] = (models) => {
    const fitOf = question.fits?.(models) ?? (() => 'yes' as const);
    return (model) => (isForTesting(model) && fitOf(model) !== 'no' ? 'unlikely' : fitOf(model));
  };
  for (;;) {
    const chosen = await chooseModel(catalog, { ...question, fits, ignoreFocusOut: true });
    if (!chosen) return undefined;
    const contract = await catalog.contract(chosen.slug);
    const used = use(contract);
    if (used !== undefined) return { contract, use: used };
    void showWarningMessage(unfit(contract.name));
  }
}

/**
 * Asks for a model that can index, or search with, files; the only one there is needs no question.
 * @param chosen the files and folders: of the models, those that take most of these files are listed
 */
export async function chooseVectorModel(
  catalog: EnvironmentCatalog,
  use: VectorUse,
  last: string | undefined,
  chosen: readonly vscode.Uri[] = [],
): Promise<VectorMode | undefined> {
  const files = chosen.length > 0 ? (await chosenFiles(chosen)).files : [];
  const facts = files.map((path) => ({ filename: posix.basename(path), contentType: contentTypeOf(path) }));
  const models = catalog.models ?? (await catalog.refresh());
  const likelihood = modelLikelihood(models, use, (slug) => catalog.memory.modesOf(slug));
  const likely = models.filter((model) => !isForTesting(model) && likelihood(model) !== 'unlikely');
  const read = new Map<string, { readonly mode: VectorMode | undefined; readonly takes: number }>();
  const look = async ({ slug }: ModelSummary) => {
    const contract =
      (await catalog.cachedContract(slug)) ?? (await catalog.contract(slug).catch(() => undefined));
    if (!contract) return;
    const mode = vectorMode(contract, use);
    const takes = mode ? facts.filter((file) => !isOfOtherKind(file, mode.shape)).length : 0;
    read.set(slug, { mode, takes });
  };
  await Promise.all(likely.slice(0, MOST_READ).map(look));
  const most = Math.max(0, ...[...read.values()].map(({ takes }) => takes));
  const isFitting = (slug: string) => {
    const { mode, takes } = read.get(slug)!;
    return mode !== undefined && takes === most && (most > 0 || facts.length === 0);
  };
  const fitting = likely.filter(({ slug }) => read.has(slug) && isFitting(slug));
  if (read.size === likely.length && fitting.length === 1) return read.get(fitting[0]!.slug)?.mode;
  if (read.size === likely.length && likely.length > 0 && fitting.length === 0) {
    void showInformationMessage(l10n.t('No model in the catalog takes files of the chosen types.'));
    return undefined;
  }
  const asked = await chooseUsableModel(
    catalog,
    {
      title: use === 'index' ? l10n.t('Index with which model?') : l10n.t('Search with which model?'),
      fits: () => (model) =>
        read.has(model.slug) ? (isFitting(model.slug) ? 'yes' : 'unlikely') : likelihood(model),
      last,
    },
    (contract) => vectorMode(contract, use),
    (name) =>
      use === 'index'
        ? l10n.t('{0} has no mode that indexes files. Choose another model.', name)
        : l10n.t('{0} has no mode that searches with a file. Choose another model.', name),
  );
  return asked?.use;
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
