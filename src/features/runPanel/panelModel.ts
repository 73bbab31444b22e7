import { type ModelContract, toShown } from '../../domain/model';
import { isCancelled, messageOf } from '../../platform/showError';
import type { Channel } from '../../protocol/channel';
import type { RunHostMethods, RunPageMethods } from '../../protocol/run';
import type { RawResponse } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { nextStepOf } from '../../wording/errors';
import { shownStep } from './shownRun';

interface PanelModelParts {
  readonly services: Services;
  readonly slug: string;
  readonly channel: () => Channel<RunHostMethods, RunPageMethods>;
  /** The mode of the form. */
  readonly mode: () => string | undefined;
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
    return this.contract ?? (await this.parts.services.catalog.contract(this.parts.slug));
  }

  /** For a first paint: what an earlier session has cached. */
  async loadCached(): Promise<void> {
    const { services, slug } = this.parts;
    this.contract ??= await services.catalog.cachedContract(slug).catch(() => undefined);
  }

  /** Loads the contract and shows it, with scopes and estimate; a failure is shown in its place. */
  async load(fresh: boolean): Promise<void> {
    const { services, slug } = this.parts;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const isStale = () => loading.signal.aborted || this.#isDisposed;
    try {
      const contract = await services.catalog.contract(slug, { fresh, signal: loading.signal });
      if (isStale()) return;
      this.contract = contract;
      this.parts.onNamed(contract.name);
      const channel = this.parts.channel();
      channel.notify('showContract', { contract: toShown(contract) });
      channel.notify('showScopes', { scopes: await this.scopes() });
      await this.#showEstimate();
    } catch (error) {
      if (!isStale() && !isCancelled(error)) this.#showFailure(error);
    }
  }

  /** Scopes of this model that this machine knows, and the default one. */
  async scopes(): Promise<string[]> {
    const { services, slug } = this.parts;
    const known = await services
      .ledger()
      .then((ledger) => ledger.datasets(this.#baseUrl))
      .catch(() => []);
    const ofModel = known.filter(({ model }) => model === slug).map(({ scope }) => scope);
    return [...new Set([...ofModel, 'playground'])];
  }

  /** Shows what the next run may cost, now that the mode or the history has changed. */
  showEstimate(): void {
    this.#showEstimate().catch((error: unknown) => this.parts.services.log.warn(String(error)));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#loading?.abort();
  }

  get #baseUrl(): string {
    return this.parts.services.connection.active?.baseUrl ?? '';
  }

  async #showEstimate(): Promise<void> {
    const { services, slug, channel } = this.parts;
    const mode = this.parts.mode();
    const contract = this.contract?.modes.find(({ name }) => name === mode);
    const price = contract?.price ?? this.contract?.price;
    const estimates = await services.estimates();
    const text = estimates.text({ baseUrl: this.#baseUrl, model: slug, mode, price });
    channel().notify('showEstimate', { text: text === '' ? undefined : text });
  }

  #showFailure(error: unknown): void {
    this.parts.services.log.error(error instanceof Error ? error : String(error));
    this.unread = error instanceof ServiceError ? error.details.raw : undefined;
    const nextStep =
      error instanceof ServiceError ? shownStep(nextStepOf(error), this.unread !== undefined) : undefined;
    this.parts.channel().notify('showContract', { problem: { message: messageOf(error), nextStep } });
  }
}
