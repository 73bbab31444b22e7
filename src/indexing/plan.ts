import * as l10n from '@vscode/l10n';
import type { Dataset } from '../domain/dataset';
import { sha256Of } from '../runs/uploads/sha256Of';
import type { IndexFile } from './indexFile';
import type { Ledger } from './ledger';
import type { LedgerItem } from './ledgerItem';

/** A file with what is known of its content. */
export interface PlannedFile extends IndexFile {
  /** Missing: not read yet. */
  readonly sha256?: string;
}

export interface UnreadableFile {
  readonly uri: string;
  readonly reason: string;
}

/** What indexing these files would mean, before anything is sent. */
export interface Plan {
  readonly added: readonly PlannedFile[];
  readonly changed: readonly PlannedFile[];
  /** In the dataset with the same content. */
  readonly unchanged: readonly IndexFile[];
  /** Failed before, with the same content; retried only when the user asks for it. */
  readonly failedBefore: readonly PlannedFile[];
  /** Unconfirmed: sent before without a response, with the same content; indexing them again may be charged twice. */
  readonly unknown: readonly PlannedFile[];
  readonly unreadable: readonly UnreadableFile[];
}

/** Files read at the same time, to see whether a new modification time means new content. */
const HASHERS = 4;

/**
 * Compares files with the ledger. Same size and time: unchanged, unread. Same size, another time: its content
 * decides, and the new time is noted so that it is not read again.
 */
export async function planIndexing(
  dataset: Dataset,
  files: readonly IndexFile[],
  unreadable: readonly UnreadableFile[],
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<Plan> {
  const plan: { -readonly [Part in keyof Plan]: Plan[Part][number][] } = {
    ...{ added: [], changed: [], unchanged: [], failedBefore: [], unknown: [] },
    unreadable: [...unreadable],
  };
  const touched: LedgerItem[] = [];

  const sort = (file: IndexFile, { outcome, sha256 }: LedgerItem) => {
    if (outcome === 'indexed') plan.unchanged.push(file);
    else plan[outcome === 'failed' ? 'failedBefore' : 'unknown'].push({ ...file, sha256 });
  };
  const toRead: [IndexFile, LedgerItem][] = [];
  for (const file of files) {
    const known = ledger.find(dataset, file.imageId);
    if (file.sizeBytes === 0) plan.unreadable.push({ uri: file.uri, reason: l10n.t('The file is empty.') });
    else if (!known) plan.added.push(file);
    else if (known.sizeBytes !== file.sizeBytes) plan.changed.push(file);
    else if (known.modifiedMs === file.modifiedMs && known.file === file.uri) sort(file, known);
    else toRead.push([file, known]);
  }
  const reader = async () => {
    for (let next = toRead.shift(); next; next = toRead.shift()) {
      const [file, known] = next;
      try {
        const sha256 = await sha256Of(file.open(), signal);
        if (sha256 !== known.sha256) plan.changed.push({ ...file, sha256 });
        else {
          sort(file, known);
          touched.push({ ...known, file: file.uri, modifiedMs: file.modifiedMs });
        }
      } catch (error) {
        signal?.throwIfAborted();
        plan.unreadable.push({ uri: file.uri, reason: readingProblem(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: HASHERS }, reader));
  await ledger.record(touched);
  return plan;
}

/** Why a file could not be read, as a sentence. */
export function readingProblem(error: unknown): string {
  return l10n.t('The file cannot be read: {0}', error instanceof Error ? error.message : String(error));
}
