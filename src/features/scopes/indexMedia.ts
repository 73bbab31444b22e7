import * as vscode from 'vscode';
import { formatPrice } from '../../contract/money';
import type { Dataset } from '../../indexing/ledger';
import type { Plan, PlannedFile } from '../../indexing/plan';
import { isCancelled } from '../../platform/showError';
import type { Services } from '../../services';
import { chooseModel, chooseScope, modeOf, type VectorMode } from './chooseDataset';
import { findFiles } from './files';
import { followJob } from './jobProgress';
import type { Jobs } from './jobs';
import type { LastUsed } from './lastUsed';

/** What the flow needs besides the services. */
export interface IndexingParts {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly last: LastUsed;
}

/** Where the user has said already that it goes. */
export interface IndexTarget {
  readonly scope: string;
  /** Missing: the one whose data the scope holds, or asked for where that is none or several. */
  readonly model?: string;
}

/** Index Image with Model…: which model and scope, what it would mean, one question, and the job. */
export async function indexMedia(
  parts: IndexingParts,
  chosen: readonly vscode.Uri[],
  into?: IndexTarget,
): Promise<void> {
  const { services, last } = parts;
  const { baseUrl } = await services.connection.client();
  const before = last.get(baseUrl);
  const known = into?.model ?? (into && (await onlyModelIn(services, baseUrl, into.scope)));
  const model =
    into && known !== undefined
      ? await modeOf(services, { scope: into.scope, model: known, baseUrl }, 'index')
      : await chooseModel(services, 'index', before?.model);
  if (!model) return;
  const scope = into?.scope ?? (await askScope(services, baseUrl, model.contract.slug, before?.scope));
  if (scope === undefined) return;
  const dataset = { baseUrl, model: model.contract.slug, scope };
  const files = chosen.length > 0 ? chosen : await pickFiles(model);
  if (files.length === 0) return;
  await last.set(dataset);
  const plan = await planned(services, dataset, model, files);
  if (plan) await confirmAndBegin(parts, dataset, model, plan);
}

async function onlyModelIn(services: Services, baseUrl: string, scope: string): Promise<string | undefined> {
  const there = (await services.ledger()).datasets(baseUrl).filter((one) => one.scope === scope);
  return there.length === 1 ? there[0]?.model : undefined;
}

async function askScope(services: Services, baseUrl: string, model: string, last: string | undefined) {
  const known = (await services.ledger()).datasets(baseUrl);
  // Scopes of this model first: the same name may hold another model's data beside it.
  const scopes = [...known].sort(
    (a, b) => Number(b.model === model) - Number(a.model === model) || b.lastAt - a.lastAt,
  );
  return chooseScope([...new Set(scopes.map(({ scope }) => scope))], last);
}

async function pickFiles({ shape }: VectorMode): Promise<readonly vscode.Uri[]> {
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: true,
    openLabel: vscode.l10n.t('Index'),
    title: shape.accept.includes('image/*')
      ? vscode.l10n.t('Images, or folders of images, to index')
      : vscode.l10n.t('Files or folders to index'),
  });
  return picked ?? [];
}

/** Finds and compares the files, with a progress that can be cancelled. */
export async function planned(
  services: Services,
  dataset: Dataset,
  { shape }: VectorMode,
  chosen: readonly vscode.Uri[],
): Promise<Plan | undefined> {
  const { planIndexing } = await import('../../indexing/plan');
  const ledger = await services.ledger();
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Looking through the files…'),
    cancellable: true,
  };
  try {
    return await vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      await ledger.refresh();
      const found = await findFiles(chosen, shape.accept, stop.signal);
      return planIndexing(dataset, found.files, found.unreadable, ledger, stop.signal);
    });
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
}

/** The one page that says what will happen, and asks once. */
export async function confirmAndBegin(
  { services, jobs }: IndexingParts,
  dataset: Dataset,
  model: VectorMode,
  plan: Plan,
): Promise<void> {
  const fresh = [...plan.added, ...plan.changed];
  const choices: { title: string; files: readonly PlannedFile[] }[] = [];
  if (fresh.length > 0)
    choices.push({
      title:
        fresh.length === 1 ? vscode.l10n.t('Index 1 File') : vscode.l10n.t('Index {0} Files', fresh.length),
      files: fresh,
    });
  if (plan.failedBefore.length > 0)
    choices.push({
      title:
        fresh.length === 0
          ? vscode.l10n.t('Index {0} Refused Again', plan.failedBefore.length)
          : vscode.l10n.t('{0} with Those Refused Before', fresh.length + plan.failedBefore.length),
      files: [...fresh, ...plan.failedBefore],
    });
  if (plan.unknown.length > 0)
    choices.push({
      title:
        fresh.length === 0
          ? vscode.l10n.t('Index {0} Unknown Again', plan.unknown.length)
          : vscode.l10n.t('{0} with the Unknown', fresh.length + plan.unknown.length),
      files: [...fresh, ...plan.unknown],
    });
  const only = choices[0];
  if (!only) {
    const words =
      plan.unreadable.length > 0
        ? vscode.l10n.t(
            'Nothing to index: {0} unchanged, {1} cannot be read.',
            plan.unchanged.length,
            plan.unreadable.length,
          )
        : plan.unchanged.length > 0
          ? vscode.l10n.t(
              'Nothing to do: all {0} files are in {1} and unchanged.',
              plan.unchanged.length,
              dataset.scope,
            )
          : vscode.l10n.t('No files were found that {0} takes.', model.contract.name);
    void vscode.window.showInformationMessage(words);
    return;
  }
  const { detail, question, warns } = await describePlan(services, dataset, model, plan, only.files);
  const ask = warns ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await ask(question, { modal: true, detail }, ...choices.map(({ title }) => title));
  const choice = choices.find(({ title }) => title === answer);
  if (!choice) return;
  // Asked before the job begins: a question in its midst would hold it up, and may come when nobody looks.
  if (model.shape.carries === 'media') {
    const { chosenMediaType } = await import('../../platform/mediaType');
    for (const { filename, contentType } of choice.files)
      await chosenMediaType(filename, contentType, services.context.globalState);
  }
  (await services.guard()).approve(dataset.baseUrl);
  const job = await jobs.begin(dataset, model, choice.files);
  void followJob({ services, jobs }, job);
}

async function describePlan(
  services: Services,
  dataset: Dataset,
  model: VectorMode,
  plan: Plan,
  files: readonly PlannedFile[],
): Promise<{ question: string; detail: string; warns: boolean }> {
  const { shape, mode, contract } = model;
  const wanted = vscode.workspace.getConfiguration('modelBench').get('indexing.batchSize', 16);
  const batch = shape.list ? Math.max(1, Math.min(wanted, shape.maxItems)) : 1;
  const runs = Math.ceil(files.length / batch);
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const guard = await services.guard();
  const price = mode.price ?? contract.price;
  const published = formatPrice(price, vscode.env.language);
  const verdict = guard.assess({
    baseUrl: dataset.baseUrl,
    model: dataset.model,
    mode: mode.name,
    ...(price && { price }),
    runs,
    items: Math.min(batch, files.length),
    allItems: files.length,
  });
  const count = (number: number, words: string) => (number > 0 ? [words] : []);
  const lines = [
    [
      ...count(plan.added.length, vscode.l10n.t('{0} new', plan.added.length)),
      ...count(plan.changed.length, vscode.l10n.t('{0} changed', plan.changed.length)),
      ...count(plan.unchanged.length, vscode.l10n.t('{0} unchanged (cost nothing)', plan.unchanged.length)),
      ...count(plan.failedBefore.length, vscode.l10n.t('{0} refused before', plan.failedBefore.length)),
      ...count(plan.unreadable.length, vscode.l10n.t('{0} cannot be read', plan.unreadable.length)),
    ].join(', '),
    ...count(
      plan.unknown.length,
      vscode.l10n.t(
        '{0} were sent before without an answer: indexing them again may be paid twice.',
        plan.unknown.length,
      ),
    ),
    vscode.l10n.t('{0} to upload.', formatBytes(bytes)),
    `${verdict.text}.`,
    verdict.consequence ?? '',
    published === undefined ? '' : vscode.l10n.t('Published price: {0}.', published),
    ...plan.unreadable
      .slice(0, 3)
      .map(({ uri, reason }) => `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}: ${reason}`),
  ];
  return {
    question:
      files.length === 1
        ? vscode.l10n.t('Index 1 file with {0} into {1}?', contract.name, dataset.scope)
        : vscode.l10n.t('Index {0} files with {1} into {2}?', files.length, contract.name, dataset.scope),
    detail: lines.filter((line) => line !== '').join('\n'),
    warns: verdict.ask,
  };
}

/** "1.2 MB", in the units files are shown in elsewhere. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
