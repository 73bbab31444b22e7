import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { Environment } from '../../domain/environment';
import type { IdOwner } from '../../indexing/identities';
import type { PlannedFile } from '../../indexing/indexFile';
import { otherTypeText, type Plan, type UnreadableFile } from '../../indexing/plan';
import type { VectorMode } from '../../indexing/vectorMode';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { readSetting } from '../../vscode/settings';
import { formatBytes } from '../../wording/bytes';
import { formatPrice } from '../../wording/money';
import type { FilesToIndex } from './files';

/** Files that cannot be indexed are listed with their reasons, at most this many. */
const MOST_REASONS = 3;

/** The plan for the chosen files, and the chosen files that it leaves out. */
export interface FoundPlan extends Plan, Pick<FilesToIndex, 'excluded' | 'otherType' | 'missing' | 'links'> {
  /** Of the missing files, those that the service has, or may have. */
  readonly kept: readonly string[];
}

/** One button of the question: which files it would index. */
export interface PlanChoice {
  readonly title: string;
  readonly files: readonly PlannedFile[];
}

/**
 * The files that may be indexed: new and changed ones, with or without those that failed or are unconfirmed. Empty
 * without such files.
 */
export function planChoices({ added, changed, failedBefore, unknown }: Plan): readonly PlanChoice[] {
  const fresh = [...added, ...changed];
  const isFresh = fresh.length > 0;
  const choice = (files: readonly PlannedFile[], titleOf: (count: number) => string, besides = fresh) =>
    files.length === 0 ? [] : [{ title: titleOf(files.length), files: [...besides, ...files] }];
  return [
    ...choice(fresh, index, []),
    ...choice(failedBefore, isFresh ? includeFailed : retryFailed),
    ...choice(unknown, isFresh ? includeUnconfirmed : retryUnconfirmed),
  ];
}

const index = (count: number) => (count === 1 ? l10n.t('Index 1 File') : l10n.t('Index {0} Files', count));
const retryFailed = (count: number) =>
  count === 1 ? l10n.t('Retry 1 Failed File') : l10n.t('Retry {0} Failed Files', count);
const includeFailed = (count: number) =>
  count === 1 ? l10n.t('Include 1 Failed File') : l10n.t('Include {0} Failed Files', count);
const retryUnconfirmed = (count: number) =>
  count === 1 ? l10n.t('Retry 1 Unconfirmed File') : l10n.t('Retry {0} Unconfirmed Files', count);
const includeUnconfirmed = (count: number) =>
  count === 1 ? l10n.t('Include 1 Unconfirmed File') : l10n.t('Include {0} Unconfirmed Files', count);

/** Whether all files found are excluded by .gitignore or `files.exclude`. */
export function isAllExcluded(plan: FoundPlan): boolean {
  const { unchanged, unreadable, missing, excluded } = plan;
  return (
    excluded > 0 && planChoices(plan).length + unchanged.length + unreadable.length + missing.length === 0
  );
}

/** A folder of data is often in .gitignore, although the user has chosen it. */
export async function wantsExcluded({ contract }: VectorMode): Promise<boolean> {
  const take = l10n.t('Index Anyway');
  const message = l10n.t(
    'No files for {0} were found. Some were skipped because of .gitignore or the setting files.exclude.',
    contract.name,
  );
  return (await showInformationMessage(message, take)) === take;
}

/** Shows why there is nothing to index, and offers to choose other files. */
export async function showNothingToIndex(
  plan: FoundPlan,
  dataset: Dataset,
  { contract }: VectorMode,
): Promise<void> {
  const others = l10n.t('Choose Other Files…');
  const message = emptyPlanText(plan, dataset.scope, contract.name);
  if ((await showInformationMessage(message, others)) === others)
    await executeCommand('modelBench.indexMedia');
}

function emptyPlanText(plan: FoundPlan, scope: string, model: string): string {
  return [whyEmpty(plan, scope, model), deletedText(plan.kept)].filter(Boolean).join(' ');
}

function whyEmpty(
  { unchanged, unreadable, missing, otherType }: FoundPlan,
  scope: string,
  model: string,
): string {
  const reasons = unreadableReasons(unreadable).join(' ');
  if (unreadable.length > 0)
    return unchanged.length > 0
      ? l10n.t(
          'Nothing to index: {0} unchanged, {1} cannot be indexed. {2}',
          unchanged.length,
          unreadable.length,
          reasons,
        )
      : l10n.t('None of these files can be indexed. {0}', reasons);
  if (unchanged.length === 1)
    return l10n.t('Nothing to index: the file is already in {0} and unchanged.', scope);
  if (unchanged.length > 0)
    return l10n.t(
      'Nothing to index: all {0} files are already in {1} and unchanged.',
      unchanged.length,
      scope,
    );
  return missing.length > 0
    ? l10n.t('Nothing to index: the files no longer exist.')
    : [l10n.t('No files for {0} were found.', model), otherType > 0 ? `${otherTypeText(otherType)}.` : '']
        .join(' ')
        .trim();
}

/**
 * The question whether to start. It warns where the cost is unknown, or more than may be spent without asking.
 * @param files those of the first choice; bytes, runs and cost are theirs
 */
export async function describePlan(
  services: Services,
  environment: Environment,
  dataset: Dataset,
  model: VectorMode,
  plan: FoundPlan,
  files: readonly PlannedFile[],
): Promise<{ question: string; detail: readonly string[]; warns: boolean }> {
  const { shape, mode, contract } = model;
  const wanted = readSetting('indexing.batchSize');
  const batch = shape.list ? Math.max(1, Math.min(wanted, shape.maxItems)) : 1;
  const runs = Math.ceil(files.length / batch);
  const guard = await services.guard();
  const price = mode.price ?? contract.price;
  const published = formatPrice(price, vscode.env.language);
  const verdict = guard.assess({
    baseUrl: dataset.baseUrl,
    model: dataset.model,
    mode: mode.name,
    price,
    runs,
    items: Math.min(batch, files.length),
    allItems: files.length,
  });
  const isProduction = services.connection.isProduction(environment);
  const lines = [
    isProduction
      ? l10n.t('Environment: {0}, {1}, marked as production.', environment.name, environment.baseUrl)
      : l10n.t('Environment: {0}, {1}', environment.name, environment.baseUrl),
    planCounts(plan),
    deletedText(plan.kept),
    plan.unknown.length > 0
      ? l10n.t(
          '{0} unconfirmed (sent before, no response received): if you index them again, you may be charged twice.',
          plan.unknown.length,
        )
      : '',
    await bytesText(services, dataset, model, files),
    published === undefined || verdict.total
      ? `${verdict.text}.`
      : l10n.t('{0}. Published price: {1}.', verdict.text, published),
    verdict.consequence ?? '',
    ...idLines(plan, dataset.scope),
    ...linkLines(plan.links),
    ...unreadableReasons(plan.unreadable),
  ];
  return {
    question:
      files.length === 1
        ? l10n.t('Index 1 file with {0} into {1}?', contract.name, dataset.scope)
        : l10n.t('Index {0} files with {1} into {2}?', files.length, contract.name, dataset.scope),
    detail: lines.filter((line) => line !== ''),
    warns: verdict.ask || isProduction,
  };
}

async function bytesText(
  services: Services,
  { baseUrl }: Dataset,
  { shape }: VectorMode,
  files: readonly PlannedFile[],
): Promise<string> {
  const format = (bytes: number) => formatBytes(bytes, vscode.env.language);
  if (shape.carries === 'text')
    return l10n.t('{0} to send.', format(files.reduce((sum, file) => sum + file.sizeBytes, 0)));
  const { bytesToUpload } = await import('../../indexing/bytesToUpload');
  const { bytes, isMost } = await bytesToUpload(baseUrl, files, await services.store());
  if (bytes === 0) return l10n.t('Nothing to upload: earlier uploads are used again.');
  return isMost ? l10n.t('At most {0} to upload.', format(bytes)) : l10n.t('{0} to upload.', format(bytes));
}

function planCounts({ added, changed, unchanged, failedBefore, unreadable, otherType }: FoundPlan): string {
  const counts: [number, string][] = [
    [added.length, l10n.t('{0} new', added.length)],
    [changed.length, l10n.t('{0} changed', changed.length)],
    [unchanged.length, l10n.t('{0} unchanged (not sent again)', unchanged.length)],
    [failedBefore.length, l10n.t('{0} failed before', failedBefore.length)],
    [unreadable.length, l10n.t('{0} cannot be indexed', unreadable.length)],
    [otherType, otherTypeText(otherType)],
  ];
  const texts = counts.flatMap(([count, text]) => (count > 0 ? [text] : []));
  return texts.length > 0 ? `${texts.join(', ')}.` : '';
}

/** A link is named with where it leads: its files may be those of another folder than it seems. */
function linkLines(links: FoundPlan['links']): string[] {
  const shown = links
    .slice(0, MOST_REASONS)
    .map(({ path, real }) => l10n.t('“{0}” is a link to {1}.', vscode.workspace.asRelativePath(path), real));
  const others = links.length - shown.length;
  return others > 0 ? [...shown, l10n.t('And {0} more links.', others)] : shown;
}

/** The interface cannot delete indexed items: the text can only mention that. */
function deletedText(kept: readonly string[]): string {
  if (kept.length === 0) return '';
  const names = kept
    .slice(0, MOST_REASONS)
    .map((uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)));
  const others = kept.length - names.length;
  const shown = [...names, ...(others > 0 ? [l10n.t('and {0} more', others)] : [])].join(', ');
  return kept.length === 1
    ? l10n.t('1 file was deleted here, but the service still has it: {0}.', shown)
    : l10n.t('{0} files were deleted here, but the service still has them: {1}.', kept.length, shown);
}

function unreadableReasons(unreadable: readonly UnreadableFile[]): string[] {
  const shown = unreadable
    .slice(0, MOST_REASONS)
    .map(({ uri, reason }) => `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}: ${reason}`);
  const others = unreadable.length - shown.length;
  return others > 0 ? [...shown, l10n.t('And {0} more.', others)] : shown;
}

/** Which files get an id beside that of another file, and which replace one that is gone; with the first of them. */
function idLines({ separate, replacing }: Plan, scope: string): string[] {
  const lines: string[] = [];
  const [apart] = separate;
  if (apart)
    lines.push(
      separate.length === 1
        ? l10n.t(
            '1 file gets an ID of its own, because {0} already has an image of the same path from another folder: {1}, from {2}.',
            ...[scope, apart.imageId, ownerOf(apart)],
          )
        : l10n.t(
            '{0} files get IDs of their own, because {1} already has images of the same paths from another folder, such as {2}, from {3}.',
            ...[separate.length, scope, apart.imageId, ownerOf(apart)],
          ),
    );
  const [first] = replacing;
  if (first)
    lines.push(
      replacing.length === 1
        ? l10n.t('1 file replaces one that no longer exists: {0}.', ownerOf(first))
        : l10n.t(
            '{0} files replace files that no longer exist, such as {1}.',
            ...[replacing.length, ownerOf(first)],
          ),
    );
  return lines;
}

/** As the user finds the other file. */
function ownerOf({ owner }: IdOwner): string {
  const uri = vscode.Uri.parse(owner);
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
