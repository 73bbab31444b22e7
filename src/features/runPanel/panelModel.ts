import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { type ModelContract, modeOf, modePrice } from '../../domain/model';
import type { RawResponse } from '../../domain/response';
import { openJson } from '../../platform/textEditor';
import type { Channel } from '../../protocol/channel';
import type { RunHostMethods, RunPageMethods, ShownEstimate } from '../../protocol/run';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { isCancelled, messageOf } from '../../vscode/showError';
import { nextStepOf } from '../../wording/errors';
import { toShown } from '../../wording/shownContract';
import { chooseSchema, type SchemaElsewhere } from './chooseSchema';
import { shownStep } from './shownRun';

interface PanelModelParts {
  readonly services: Services;
  readonly slug: string;
  readonly environment: () => Environment;
  readonly channel: () => Channel<RunHostMethods, RunPageMethods>;
  readonly mode: () => string | undefined;
  /** How many files are in the form. */
  readonly files: () => number;
  readonly onNamed: (name: string) => void;
}

/** The model of a panel as its page shows it: contract, scopes and estimate. */
export class PanelModel {
  contract: ModelContract | undefined;
  /** The response when the contract could not be read. */
  unread: RawResponse | undefined;
  #loading: AbortController | undefined;
  #isDisposed = false;

  constructor(private readonly parts: PanelModelParts) {}

  /** The contract for a run, whether or not the page shows it already. */
  async known(): Promise<ModelContract> {
    return this.contract ?? (await this.#catalog.contract(this.parts.slug));
  }

  /** For a first paint: the cache of an earlier session. */
  async loadCached(): Promise<void> {
    this.contract ??= await this.#catalog.cachedContract(this.parts.slug).catch(() => undefined);
  }

  /** Loads the contract and shows it, with scopes and estimate; a failure is shown in its place. */
  async load(fresh: boolean): Promise<void> {
    const { slug } = this.parts;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const isStale = () => loading.signal.aborted || this.#isDisposed;
    try {
      const contract = await this.#catalog.contract(slug, { fresh, signal: loading.signal });
      if (isStale()) return;
      this.contract = contract;
      this.parts.onNamed(contract.name);
      const channel = this.parts.channel();
      channel.notify('showContract', { contract: toShown(contract) });
      channel.notify('showFacts', { scopes: await this.scopes(), estimate: await this.estimate() });
    } catch (error) {
      if (!isStale() && !isCancelled(error)) this.#showFailure(error);
    }
  }

  /** Opens the model's response and selects the value at a JSON pointer. */
  async showSource(at: string): Promise<void> {
    const { raw } = await this.known();
    await openJson(raw, at);
  }

  /** Asks for another schema in place of one that was found, and shows the form made from it. */
  async useAnotherSchema(name: string): Promise<void> {
    const catalog = this.#catalog;
    const contract = await this.known();
    const mode = modeOf(contract, name);
    const answer = mode && (await chooseSchema(contract.raw, mode, await this.#elsewhere(name)));
    if (answer === undefined) return;
    await catalog.memory.chooseShape(contract.slug, name, answer.part, answer.chosen);
    await this.load(false);
  }

  /** The mode of this model in the contracts that were loaded from other environments. */
  async #elsewhere(name: string): Promise<SchemaElsewhere[]> {
    const { connection, catalog } = this.parts.services;
    const here = this.parts.environment();
    const others = connection.environments.filter((one) => one.name !== here.name);
    const modes = await Promise.all(
      others.map(async (one) => {
        const contract = await catalog.of(one).cachedContract(this.parts.slug);
        const mode = contract && modeOf(contract, name);
        const isKnown = mode && mode.input.origin !== 'unknown';
        return isKnown ? [{ environment: one.name, mode }] : [];
      }),
    );
    return modes.flat();
  }

  get isFavorite(): boolean {
    return this.#catalog.memory.favourites.includes(this.parts.slug);
  }

  async setFavorite(isFavorite: boolean): Promise<void> {
    const { services, slug } = this.parts;
    const catalog = this.#catalog;
    const model = catalog.models?.find((one) => one.slug === slug);
    // The rows of the active environment show it at once.
    if (!model || catalog !== services.catalog.active) await catalog.memory.setFavourite(slug, isFavorite);
    else if (isFavorite !== this.isFavorite) await executeCommand('modelBench.toggleFavourite', { model });
  }

  /** The panel was moved to another environment: the model may be another one there, or none. */
  async reload(): Promise<void> {
    this.contract = undefined;
    await this.loadCached();
    const contract = this.contract;
    this.parts.channel().notify('showContract', { contract: contract && toShown(contract), replaces: true });
    await this.load(true);
  }

  /** Scopes of this model that this machine knows, and the default one. */
  async scopes(): Promise<string[]> {
    const { services, slug } = this.parts;
    const known = await services
      .store()
      .then(({ datasets }) => datasets.summaries(this.#baseUrl))
      .catch(() => []);
    const ofModel = known.filter(({ model }) => model === slug).map(({ scope }) => scope);
    return [...new Set([...ofModel, 'playground'])];
  }

  /** Shows the possible cost of the next run, after a change of the mode or the history. */
  showEstimate(): void {
    this.estimate()
      .then((estimate) => this.parts.channel().notify('showFacts', { estimate }))
      .catch((error: unknown) => this.parts.services.log.warn(loggedError(error)));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#loading?.abort();
  }

  get #baseUrl(): string {
    return this.parts.environment().baseUrl;
  }

  get #catalog(): EnvironmentCatalog {
    return this.parts.services.catalog.of(this.parts.environment());
  }

  /** The possible cost of the next run. */
  async estimate(): Promise<ShownEstimate> {
    const { services, slug } = this.parts;
    const mode = this.parts.mode();
    const price = this.contract && modePrice(this.contract, mode ?? '');
    const estimates = await services.estimates();
    const items = this.parts.files();
    // Without a file yet, a price per file is shown as that.
    const what = { baseUrl: this.#baseUrl, model: slug, mode, price, ...(items > 0 && { items }) };
    return { text: estimates.text(what), short: estimates.short(what) };
  }

  #showFailure(error: unknown): void {
    this.parts.services.log.error(loggedError(error));
    this.unread = error instanceof ServiceError ? error.details.raw : undefined;
    const nextStep =
      error instanceof ServiceError ? shownStep(nextStepOf(error), this.unread !== undefined) : undefined;
    this.parts.channel().notify('showContract', { problem: { message: messageOf(error), nextStep } });
  }
}
