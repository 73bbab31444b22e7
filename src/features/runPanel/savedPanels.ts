import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { RunModelArgs } from '../../contributions';
import type { Environment } from '../../domain/environment';
import type { ModelContract } from '../../domain/model';
import { workInProgress } from '../../protocol/run';
import { makePrivateFolder, writePrivateFile } from '../../vscode/privateFiles';
import { inputText } from '../../wording/inputText';

/** The parts of a panel that outlive its page, its window and the extension host. */
const savedPanel = z.object({
  id: z.string(),
  model: z.string(),
  modelName: z.string(),
  baseUrl: z.string(),
  /** Name of the environment; missing where there was none. */
  environment: z.optional(z.string()),
  /** Missing until the user or a command enters something. */
  work: z.optional(workInProgress),
  /** URIs of the files the user attached here: the only ones this panel uploads. */
  granted: z.array(z.string()),
  lastRunId: z.optional(z.string()),
  /** The beginning of the input of the run of the history that it was opened for, until something is entered. */
  excerpt: z.optional(z.string()),
  /** URI of the run file that it was opened from. */
  runFile: z.optional(z.string()),
  /** Closed by the user: kept for a while, so that the next panel of the model continues with it. */
  closed: z.boolean(),
  /** Of a closed panel that was only looked at: no work to come back to. */
  preview: z.optional(z.boolean()),
});
export type SavedPanel = z.infer<typeof savedPanel>;

/** In a tab's title. */
const EXCERPT_LENGTH = 24;

/** The state of a new panel. */
export function newSavedPanel(
  args: RunModelArgs,
  granted: readonly string[],
  contract: ModelContract | undefined,
  environment: Environment | undefined,
  modelName: string,
): SavedPanel {
  const { model, scope, input = {}, params = {}, options, historyId } = args;
  const mode = args.mode ?? contract?.modes[0]?.name ?? 'execute';
  const isGiven = (args.input ?? args.params ?? scope ?? args.mode) !== undefined;
  return {
    id: randomUUID(),
    model,
    modelName,
    granted: [...granted],
    closed: false,
    environment: environment?.name,
    baseUrl: environment?.baseUrl ?? '',
    ...(historyId !== undefined && { lastRunId: historyId, excerpt: inputText(input, EXCERPT_LENGTH) }),
    ...(isGiven && {
      work: {
        tab: 'form',
        editedAt: Date.now(),
        draft: { model, mode, scope, input, params, options },
      },
    }),
  };
}

const CLOSED_KEPT = 30;

/** One small file for each panel: written often, and independently of other panels. */
export class SavedPanels {
  readonly #writing = new Map<string, Promise<void>>();
  readonly #next = new Map<string, SavedPanel>();

  constructor(private readonly folder: string) {}

  async load(id: string): Promise<SavedPanel | undefined> {
    if (!/^[\w-]+$/.test(id)) return undefined;
    try {
      const read = savedPanel.safeParse(JSON.parse(await readFile(this.#file(id), 'utf8')));
      return read.success ? read.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Resolves when this or something newer of the same panel is on disk. Only the newest waits while one is written. */
  save(panel: SavedPanel): Promise<void> {
    this.#next.set(panel.id, panel);
    const writing = (this.#writing.get(panel.id) ?? Promise.resolve()).then(() => this.#write(panel.id));
    this.#writing.set(
      panel.id,
      writing.catch(() => undefined),
    );
    return writing;
  }

  /** The work of the panel of this model that was closed last, if it is still there. */
  async lastClosed(model: string, baseUrl: string): Promise<SavedPanel | undefined> {
    for (const { id } of await this.#byAge()) {
      const panel = await this.load(id);
      if (panel?.closed && !panel.preview && panel.model === model && panel.baseUrl === baseUrl) return panel;
    }
    return undefined;
  }

  /** Removes the oldest closed panels. */
  async prune(): Promise<void> {
    let kept = 0;
    for (const { id } of await this.#byAge()) {
      const panel = await this.load(id);
      if (panel?.closed && ++kept > CLOSED_KEPT) await rm(this.#file(id), { force: true });
    }
  }

  async #write(id: string): Promise<void> {
    const panel = this.#next.get(id);
    if (!panel) return;
    this.#next.delete(id);
    await makePrivateFolder(this.folder);
    const partial = `${this.#file(id)}.partial`;
    await writePrivateFile(partial, JSON.stringify(panel));
    await rename(partial, this.#file(id));
  }

  async #byAge(): Promise<{ id: string; at: number }[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json'));
    const aged = await Promise.all(
      files.map(async (name) => ({
        id: name.slice(0, -'.json'.length),
        at: (await stat(path.join(this.folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    return aged.sort((a, b) => b.at - a.at);
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}
