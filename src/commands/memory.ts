import { Listeners } from '../domain/listeners';
import type { PastRun, RunRecord } from '../domain/runRecord';
import type { RunParts } from '../runs/perform';
import type { UploadCache } from '../runs/uploads/uploadFiles';
import type { Store } from '../store/store';
import { isPassing } from '../store/unsaved';

/**
 * The memory of a run, for one call of the command line: it keeps no history on the disk, so that it runs where there
 * is no SQLite (Node.js before 22.13) and leaves nothing on a machine of CI.
 */
export class Memory {
  readonly #runs = new Map<string, RunRecord>();
  readonly #changed = new Listeners();
  readonly onDidChange = this.#changed.add;

  async put(record: RunRecord): Promise<RunRecord> {
    this.#runs.set(record.id, record);
    this.#changed.call();
    return record;
  }

  get(id: string): RunRecord | undefined {
    return this.#runs.get(id);
  }

  past(_baseUrl: string, model: string, mode?: string): readonly PastRun[] {
    const ofModel = [...this.#runs.values()].filter(
      ({ draft }) => draft.model === model && (mode === undefined || draft.mode === mode),
    );
    return ofModel.map((record) => ({ ...record, items: Math.max(1, record.attachments.length) }));
  }
}

/**
 * The same, but a run that the service has accepted is in the store from then on, so that `follow` finds it after this
 * process. While it is under way, `put` rejects with a problem that may pass.
 * @param open the same store each time
 * @param cannotKeep called once where the store cannot be opened or written
 */
export function keepingAccepted(
  memory: Memory,
  open: () => Promise<Pick<Store, 'runs'>>,
  cannotKeep: (record: RunRecord, error: unknown) => void,
): RunParts['history'] {
  let isAccepted = false;
  let isTold = false;
  return {
    get: (id) => memory.get(id),
    async put(record, response) {
      await memory.put(record);
      try {
        isAccepted ||= record.followUrl !== undefined;
        if (isAccepted) await (await open()).runs.put(record, response);
      } catch (error) {
        if (record.state !== 'running' || record.followUrl === undefined) return record;
        if (!isTold) cannotKeep(record, error);
        isTold = true;
        if (isPassing(error)) throw error;
      }
      return record;
    },
  };
}

/** References of the files that this call has uploaded. */
export function rememberedUploads(): UploadCache {
  const refs = new Map<string, string>();
  const uploadKey = ({ baseUrl, sha256, mediaType }: Parameters<UploadCache['find']>[0]) =>
    JSON.stringify([baseUrl, sha256, mediaType]);
  return {
    find: (key) => refs.get(uploadKey(key)),
    remember: async (key, mediaRef) => {
      refs.set(uploadKey(key), mediaRef);
    },
    forget: async (key) => {
      refs.delete(uploadKey(key));
    },
  };
}
