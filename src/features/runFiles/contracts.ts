import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ModelContract } from '../../domain/model';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';

interface KnownModels {
  readonly contracts: Map<string, ModelContract>;
  /** Slugs looked up since the catalog was listed or the connection changed. */
  looked: Set<string>;
}

/**
 * Contracts for run files in editors: cached ones are there at once; the service is asked for a model at most once
 * until the catalog or the connection changes, and never in a workspace that is not trusted.
 */
export class Contracts extends Owner {
  readonly #changed = this.store.add(new vscode.EventEmitter<void>());
  /** A contract was read, or may be out of date. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<EnvironmentCatalog, KnownModels>();

  constructor(private readonly services: Services) {
    super();
    const renew = () => {
      for (const known of this.#known.values()) known.looked = new Set();
      this.#changed.fire();
    };
    this.store.add(services.connection.onDidChange(renew));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(renew));
  }

  /** The known contract. `onDidChange` follows when it becomes known. */
  of(slug: string | undefined, environment: Environment | undefined): ModelContract | undefined {
    if (slug === undefined || !environment) return undefined;
    const catalog = this.services.catalog.of(environment);
    const known = this.#modelsOf(catalog);
    if (!known.looked.has(slug)) {
      known.looked.add(slug);
      void this.#look(slug, catalog, known);
    }
    return known.contracts.get(slug);
  }

  #modelsOf(catalog: EnvironmentCatalog): KnownModels {
    const contracts = this.#known.get(catalog);
    if (contracts) return contracts;
    const known: KnownModels = { contracts: new Map(), looked: new Set() };
    this.#known.set(catalog, known);
    this.store.add(
      catalog.onDidList(() => {
        known.looked = new Set();
        this.#changed.fire();
      }),
    );
    this.store.add(
      catalog.onDidReadContract((contract) => {
        known.contracts.set(contract.slug, contract);
        this.#changed.fire();
      }),
    );
    return known;
  }

  async #look(slug: string, catalog: EnvironmentCatalog, { contracts }: KnownModels): Promise<void> {
    const cached = contracts.has(slug) ? undefined : await catalog.cachedContract(slug);
    if (cached && !contracts.has(slug)) {
      contracts.set(slug, cached);
      this.#changed.fire();
    }
    // A partly typed slug is no model's yet; before the first listing any slug may be one.
    const isListed = catalog.models?.some((model) => model.slug === slug) ?? true;
    if (!vscode.workspace.isTrusted || !isListed) return;
    await catalog
      .contract(slug)
      .catch((error: unknown) =>
        this.services.log.debug(logLine`No contract for a run file: ${loggedError(error)}`),
      );
  }
}
