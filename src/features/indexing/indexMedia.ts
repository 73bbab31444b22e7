import * as vscode from 'vscode';
import type { IndexArgs } from '../../contributions';
import type { Dataset } from '../../domain/dataset';
import { requiredMode, type VectorMode } from '../../indexing/vectorMode';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { lastDataset, rememberDataset } from '../../platform/pickers/chooseDataset';
import { chooseVectorModel } from '../../platform/pickers/chooseModel';
import { chooseScope } from '../../platform/pickers/chooseScope';
import { isCancelled } from '../../platform/showError';
import type { Services } from '../../services';
import { findFiles } from './files';
import { followJob } from './jobProgress';
import {
  choicesOf,
  describePlan,
  type FoundPlan,
  isAllExcluded,
  showNothingToIndex,
  wantsExcluded,
} from './planQuestion';
import { withSlowProgress } from './slowWork';

/** Index Image with Model…: asks for model and scope, compares the files, asks once, and starts the job. */
export async function indexFiles(services: Services, args: IndexArgs): Promise<void> {
  const { baseUrl } = await services.connection.client();
  const into = args[2];
  const last = lastDataset(services.context.globalState, baseUrl);
  const known = into?.model ?? (into && (await onlyModelIn(services, baseUrl, into.scope)));
  const model =
    known === undefined
      ? await chooseVectorModel(services.catalog, 'index', last?.model)
      : requiredMode(await services.catalog.contract(known), 'index');
  if (!model) return;
  const scope = into?.scope ?? (await askScope(services, baseUrl, model.contract.slug, last?.scope));
  if (scope === undefined) return;
  const dataset = { baseUrl, model: model.contract.slug, scope };
  const chosen = chosenUris(args);
  const files = chosen.length > 0 ? chosen : await askFiles(model);
  if (files.length === 0) return;
  await rememberDataset(services.context.globalState, dataset);
  let found = await planned(services, dataset, model, files);
  if (found && isAllExcluded(found)) {
    if (!(await wantsExcluded(model))) return;
    found = await planned(services, dataset, model, files, false);
  }
  if (found) await confirmAndBegin(services, dataset, model, found);
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
  return chooseScope({
    title: vscode.l10n.t('Into which scope?'),
    known: [...new Set(scopes.map(({ scope }) => scope))],
    last,
  });
}

function askFiles({ shape }: VectorMode): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: vscode.l10n.t('Index'),
    title: shape.accept.includes('image/*')
      ? vscode.l10n.t('Images, or folders of images, to index')
      : vscode.l10n.t('Files or folders to index'),
    many: true,
    folders: true,
  });
}

/** Finds and compares the files; `exclude: false` includes those that .gitignore excludes. Undefined: cancelled. */
export async function planned(
  services: Services,
  dataset: Dataset,
  { shape }: VectorMode,
  chosen: readonly vscode.Uri[],
  exclude = true,
): Promise<FoundPlan | undefined> {
  const { planIndexing } = await import('../../indexing/plan');
  const ledger = await services.ledger();
  try {
    return await withSlowProgress(vscode.l10n.t('Comparing files…'), async (signal) => {
      await ledger.refresh();
      const { files, unreadable, excluded, missing } = await findFiles(chosen, shape, { exclude, signal });
      const plan = await planIndexing(dataset, files, unreadable, ledger, signal);
      return { ...plan, excluded, missing };
    });
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
}

/** Shows what will happen, asks once, and starts the job. */
export async function confirmAndBegin(
  services: Services,
  dataset: Dataset,
  model: VectorMode,
  plan: FoundPlan,
): Promise<void> {
  const choices = choicesOf(plan);
  const [first] = choices;
  if (!first) return showNothingToIndex(plan, dataset, model);
  const { detail, question, warns } = await describePlan(services, dataset, model, plan, first.files);
  const ask = warns ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const chosen = await ask(question, { modal: true, detail }, ...choices.map(({ title }) => title));
  const choice = choices.find(({ title }) => title === chosen);
  if (!choice) return;
  // Asked before the job starts: a question during the job would block it.
  if (model.shape.carries === 'media') {
    const { chosenMediaType } = await import('../../platform/mediaType');
    for (const { filename, contentType } of choice.files)
      await chosenMediaType(filename, contentType, services.context.globalState);
  }
  (await services.guard()).approve(dataset.baseUrl);
  const job = await services.jobs.begin(dataset, model, choice.files);
  void followJob(services, job);
}
