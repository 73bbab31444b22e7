import * as l10n from '@vscode/l10n';
import type { Dataset } from '../domain/dataset';
import { addAll } from '../domain/many';
import { UnusableRules } from '../intake/ignoreRules';
import { sha256Of } from '../runs/uploads/sha256Of';
import { Turns } from '../service/turns';
import type { Datasets } from '../store/datasets';
import type { IndexedFile } from '../store/items';
import { diskPlaces, type FilePlaces } from './filePlaces';
import { type Identified, type IdOwner, identify } from './identities';
import type { IndexFile, PlannedFile } from './indexFile';

export interface UnreadableFile {
  readonly uri: string;
  readonly reason: string;
}

/** The plan of indexing these files, before anything is sent. */
export interface Plan {
  readonly added: readonly PlannedFile[];
  readonly changed: readonly PlannedFile[];
  /** In the dataset with the same content. */
  readonly unchanged: readonly PlannedFile[];
  /** Failed before, with the same content; retried only when the user asks for it. */
  readonly failedBefore: readonly PlannedFile[];
  /** Unconfirmed: sent before without a response, with the same content; indexing them again may be charged twice. */
  readonly unknown: readonly PlannedFile[];
  readonly unreadable: readonly UnreadableFile[];
  /** Of those added: they get ids of their own, since their paths are ids of other files. */
  readonly separate: readonly IdOwner[];
  /** Changed files that replace a file of the same path that no longer exists. */
  readonly replacing: readonly IdOwner[];
}

export interface PlanOptions {
  /** Missing: this machine's disk. */
  readonly places?: FilePlaces;
  /** Ids of the wanted files begin so; missing: all are wanted. */
  readonly idPrefix?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Files read at the same time, to see whether a new modification time means new content. */
const READERS = 4;

/**
 * Compares files with their records. Same size and time: unchanged, unread. Same size, another time: its content
 * decides, and the new time is noted so that it is not read again.
 */
export async function planIndexing(
  dataset: Dataset,
  files: readonly IndexFile[],
  unreadable: readonly UnreadableFile[],
  datasets: Datasets,
  { places = diskPlaces(), idPrefix = '', signal }: PlanOptions = {},
): Promise<Plan> {
  const plan: { -readonly [Part in keyof Plan]: Plan[Part][number][] } = {
    added: [],
    changed: [],
    unchanged: [],
    failedBefore: [],
    unknown: [],
    separate: [],
    replacing: [],
    unreadable: [...unreadable],
  };
  const filled = files.filter(({ sizeBytes }) => sizeBytes > 0);
  const isWanted = ({ imageId }: { readonly imageId: string }) => imageId.startsWith(idPrefix);
  const identities = await identify(dataset, filled, { datasets, places, signal });
  addAll(plan.separate, identities.separate.filter(isWanted));
  addAll(plan.replacing, identities.replacing.filter(isWanted));
  for (const { uri, sizeBytes } of files)
    if (sizeBytes === 0) plan.unreadable.push({ uri, reason: l10n.t('The file is empty.') });
  for (const { file, error } of identities.unreadable)
    plan.unreadable.push({ uri: file.uri, reason: readingProblem(error) });
  /** Files that must be read: size and time do not decide. */
  const toLookAt: Identified[] = [];
  const turns = new Turns(signal);
  for (const one of identities.files) {
    const { file, before } = one;
    if (!isWanted(file)) continue;
    if (!before) plan.added.push(file);
    else if (before.sizeBytes !== file.sizeBytes) plan.changed.push(file);
    else if (before.outcome === 'indexed' && isSameFile(file, before)) plan.unchanged.push(file);
    else toLookAt.push(one);
    if (turns.isOver) await turns.next();
  }
  const touched: IndexedFile[] = [];
  const sort = (file: PlannedFile, { outcome, sha256, at }: IndexedFile) => {
    if (outcome === 'indexed') plan.unchanged.push(file);
    else if (outcome === 'failed') plan.failedBefore.push({ ...file, sha256 });
    else plan.unknown.push({ ...file, sha256, unconfirmedAt: at });
  };
  const look = async ({ file, isShared }: Identified) => {
    const before = datasets.find(dataset, file.imageId);
    // Forgotten meanwhile.
    if (!before) return plan.added.push(file);
    if (isSameFile(file, before)) return sort(file, before);
    const sha256 = file.sha256 ?? (await sha256Of(file.open(), signal));
    if (sha256 !== before.sha256) return plan.changed.push({ ...file, sha256 });
    // The id stays with the file that had it first, while that exists.
    if (!isShared) touched.push({ ...before, file: file.uri, modifiedMs: file.modifiedMs });
    return sort(file, before);
  };
  const waiting = toLookAt.values();
  const reader = async () => {
    for (const one of waiting) {
      try {
        await look(one);
      } catch (error) {
        signal?.throwIfAborted();
        plan.unreadable.push({ uri: one.file.uri, reason: readingProblem(error) });
      }
      if (turns.isOver) await turns.next();
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  // Written without a sync: if a power loss drops it, the files are read again.
  await datasets.record(touched);
  return plan;
}

function isSameFile(file: IndexFile, known: { readonly modifiedMs: number; readonly file: string }): boolean {
  return known.modifiedMs === file.modifiedMs && known.file === file.uri;
}

/** How many files of the chosen folders are of other types than the model takes, for people. */
export function otherTypeText(count: number): string {
  return l10n.t('{0} left out (type not taken by this model)', count);
}

/** Why a file could not be read, as a sentence. */
export function readingProblem(error: unknown): string {
  if (error instanceof UnusableRules) return error.message;
  return l10n.t('The file cannot be read: {0}', error instanceof Error ? error.message : String(error));
}
