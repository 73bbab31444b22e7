import * as vscode from 'vscode';
import { type Environment, environmentId } from '../domain/environment';
import { DisposableStore } from '../vscode/disposables';
import type { Connection } from './connection';
import { type CatalogParts, EnvironmentCatalog } from './environmentCatalog';

/** The catalogs of the environments, kept apart: a list of one is never shown for another. */
export class Catalog implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<string | undefined>());
  /**
   * Fires when the active environment's catalog changes, or another one becomes active: with the slug of the one model of
   * which something was learned, or undefined where the list has changed.
   */
  readonly onDidChange = this.#changed.event;
  readonly #catalogs = new Map<string, EnvironmentCatalog>();

  constructor(
    private readonly connection: Connection,
    private readonly parts: Omit<CatalogParts, 'client'>,
  ) {
    // A new key may see other models, and an environment that becomes active is listed again.
    this.#store.add(connection.onDidChange(() => this.active.forget()));
  }

  get active(): EnvironmentCatalog {
    return this.#of(this.connection.active);
  }

  of(environment: Environment): EnvironmentCatalog {
    return this.#of(this.connection.find(environment) ?? environment);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #of(environment: Environment | undefined): EnvironmentCatalog {
    const id = environment ? environmentId(environment) : '';
    const known = this.#catalogs.get(id);
    if (known) return known;
    const client = () => this.connection.client(environment);
    const made = this.#store.add(new EnvironmentCatalog(environment, { ...this.parts, client }));
    this.#catalogs.set(id, made);
    this.#store.add(made.onDidChange((slug) => made === this.active && this.#changed.fire(slug)));
    return made;
  }
}
