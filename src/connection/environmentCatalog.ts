import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../domain/environment';
import { loggedError } from '../domain/loggedError';
import { type LogLine, logLine } from '../domain/logLine';
import type { ModelContract, ModelSummary } from '../domain/model';
import type { RawResponse } from '../domain/response';
import type { CatalogPage, ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import { DisposableStore } from '../vscode/disposables';
import type { Log } from '../vscode/log';
import { makePrivateFolder, writePrivateFile } from '../vscode/privateFiles';
import { incompleteText } from '../wording/errors';
import { ModelMemory } from './modelMemory';

/** Something the user has to know about the list: missing parts, or parts that were not understood. */
export interface CatalogNote {
  readonly message: string;
  /** The response it is about, unchanged. */
  readonly response?: RawResponse;
  /** There are more models, which no address leads to. */
  readonly goesOn?: boolean;
}

/** Minimum time between two updates while a long list is loading. */
const REPAINT_MS = 150;

export interface CatalogParts {
  /** Where details are cached. */
  readonly storage: vscode.Uri;
  readonly log: Log;
  readonly memory: vscode.Memento;
  client(): Promise<ServiceClient>;
}

/** The models of one environment: listed page after page, their details cached in memory and on disk. */
export class EnvironmentCatalog implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<string | undefined>());
  /** The slug of the one model that changed; undefined: the list has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #listed = this.#store.add(new vscode.EventEmitter<void>());
  /** A listing has ended: models that were read before may be out of date. */
  readonly onDidList = this.#listed.event;
  readonly #readContract = this.#store.add(new vscode.EventEmitter<ModelContract>());
  /** The service has responded with the detail of a model. */
  readonly onDidReadContract = this.#readContract.event;
  #models: readonly ModelSummary[] | undefined;
  #notes: readonly CatalogNote[] = [];
  #listing: Promise<readonly ModelSummary[]> | undefined;
  #error: unknown;
  /** Aborted and replaced when the former list is no longer valid. */
  #era = new AbortController();
  #contracts = new Map<string, ModelContract>();
  readonly memory: ModelMemory;

  /** @param environment missing: no service is named, and every request is rejected as not connected */
  constructor(
    readonly environment: Environment | undefined,
    private readonly parts: CatalogParts,
  ) {
    this.#store.add({ dispose: () => this.#era.abort() });
    this.memory = new ModelMemory(parts.memory, environment?.baseUrl ?? '');
  }

  /** The models listed so far; undefined before the first listing. */
  get models(): readonly ModelSummary[] | undefined {
    return this.#models;
  }

  /** About the last listing; empty when all of it was understood. */
  get notes(): readonly CatalogNote[] {
    return this.#notes;
  }

  /** Why the last listing failed; undefined: it did not, or none was tried. */
  get error(): unknown {
    return this.#error;
  }

  /** Lists again, page after page; resolves when all pages are in. */
  refresh(): Promise<readonly ModelSummary[]> {
    // The tree, a picker and the Refresh command may ask at the same time: one listing serves all.
    this.#listing ??= this.#listUntilSettled()
      .then(
        (models) => {
          this.#error = undefined;
          return models;
        },
        (error: unknown) => {
          this.#error = error;
          throw error;
        },
      )
      .finally(() => {
        this.#listing = undefined;
        this.#contracts = new Map();
        this.#changed.fire(undefined);
        this.#listed.fire();
      });
    return this.#listing;
  }

  /** The detail of one model; `fresh` requests it from the service again. */
  async contract(
    slug: string,
    options: { fresh?: boolean; signal?: AbortSignal } = {},
  ): Promise<ModelContract> {
    const known = this.#contracts.get(slug);
    if (known && !options.fresh) return this.#asChosen(known);
    const client = await this.parts.client();
    const published = await client.getModel(slug, options.signal ? { signal: options.signal } : {});
    // A detail may leave out the name that the list has: a model is called the same everywhere.
    const listed = this.#models?.find((model) => model.slug === slug);
    const contract =
      listed && published.name === published.slug ? { ...published, name: listed.name } : published;
    this.#contracts.set(slug, contract);
    const shown = await this.#asChosen(contract);
    this.#readContract.fire(shown);
    await this.#learn(contract);
    await this.#write(client.baseUrl, slug, contract);
    return shown;
  }

  /** With the schemas that the user chose in place of those that were found. */
  async #asChosen(contract: ModelContract): Promise<ModelContract> {
    const chosen = this.memory.chosenShapes(contract.slug);
    if (Object.keys(chosen).length === 0) return contract;
    const { withChosenShapes } = await import('../contracts/chosen');
    return withChosenShapes(contract, chosen);
  }

  /** The detail decides which modes a model has; the list gave but a hint. */
  async #learn({ slug, modes, modesDeclared }: ModelContract): Promise<void> {
    if (!modesDeclared) return;
    await this.memory.learnModes(
      slug,
      modes.map(({ name }) => name),
    );
    const models = this.#models;
    if (models === undefined || this.#listing !== undefined) return;
    const learned = models.map((model) => (model.slug === slug ? this.#withModes(model) : model));
    if (learned.every((model, index) => model === models[index])) return;
    this.#models = learned;
    this.#changed.fire(slug);
  }

  #withModes(model: ModelSummary): ModelSummary {
    const learned = this.memory.modesOf(model.slug);
    if (learned === undefined || learned.join('\n') === model.modeNames.join('\n')) return model;
    return { ...model, modeNames: learned };
  }

  /** The last detail that was read, even before a restart, without a request: for a first paint. */
  async cachedContract(slug: string): Promise<ModelContract | undefined> {
    const known = this.#contracts.get(slug);
    const baseUrl = this.environment?.baseUrl;
    if (known) return this.#asChosen(known);
    if (baseUrl === undefined) return undefined;
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file(baseUrl, slug));
      // Written by #write below from the reader's contract; a newer version of it is requested at once anyway.
      return await this.#asChosen(JSON.parse(new TextDecoder().decode(bytes)) as ModelContract);
    } catch {
      return undefined;
    }
  }

  /** Drops the list (another key). A running listing starts over. */
  forget(): void {
    this.#era.abort();
    this.#era = new AbortController();
    this.#models = undefined;
    this.#notes = [];
    this.#error = undefined;
    this.#contracts = new Map();
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Lists the models; starts over when they are forgotten meanwhile. */
  async #listUntilSettled(): Promise<readonly ModelSummary[]> {
    for (;;) {
      const era = this.#era;
      try {
        const models = await this.#list(era.signal);
        if (era === this.#era) return models;
      } catch (error) {
        if (era === this.#era) throw error;
      }
    }
  }

  async #list(signal: AbortSignal): Promise<readonly ModelSummary[]> {
    const client = await this.parts.client();
    const models = new Map<string, ModelSummary>();
    let painted = Date.now();
    let unrecognised: RawResponse | undefined;
    const notes: CatalogNote[] = [];
    for await (const page of client.listModels({ signal })) {
      if (signal.aborted) break;
      // Of many such pages one is enough as an example.
      if (page.unrecognised && !unrecognised) {
        unrecognised = page.unrecognised;
        notes.push({ message: notUnderstood(page), response: page.unrecognised });
      }
      if (page.incomplete !== undefined) {
        const { reason } = page.incomplete;
        const goesOn = reason === 'noAddress' || reason === 'fewer';
        notes.push({ message: incompleteText(page.incomplete), goesOn });
      }
      for (const model of page.models) models.set(model.slug, this.#withModes(model));
      if (Date.now() - painted > REPAINT_MS) {
        painted = Date.now();
        this.#models = [...models.values()];
        this.#changed.fire(undefined);
      }
    }
    const all = [...models.values()];
    if (signal.aborted) return all;
    for (const note of notes) this.parts.log.warn(noteLine(note));
    if (all.length === 0 && unrecognised)
      throw new ServiceError('unreadableResponse', {
        status: unrecognised.status,
        raw: unrecognised,
        why: { reason: 'noCatalog' },
      });
    this.#notes = notes;
    this.#models = all;
    return all;
  }

  #file(baseUrl: string, slug: string): vscode.Uri {
    const name = createHash('sha256').update(`${baseUrl}\n${slug}`).digest('hex').slice(0, 32);
    return vscode.Uri.joinPath(this.parts.storage, 'contracts', `${name}.json`);
  }

  async #write(baseUrl: string, slug: string, contract: ModelContract): Promise<void> {
    try {
      const file = this.#file(baseUrl, slug).fsPath;
      await makePrivateFolder(dirname(file));
      await writePrivateFile(file, JSON.stringify(contract));
    } catch (error) {
      // Only the first paint after a restart is lost.
      this.parts.log.warn(logLine`A model’s contract could not be cached: ${loggedError(error)}`);
    }
  }
}

function notUnderstood({ models }: CatalogPage): string {
  return models.length === 0
    ? l10n.t('A page of the catalog is not a list of models. Click to open the raw response.')
    : l10n.t('Some catalog entries could not be read. Click to open the raw response.');
}

/** The subject of a note, for the log: the response itself can be opened from the list. */
function noteLine({ response }: CatalogNote): LogLine {
  if (response === undefined) return logLine`Catalog: the list is incomplete.`;
  const { status, bytes } = response;
  return logLine`Catalog: not understood, ${status}, ${bytes.length} bytes`;
}
