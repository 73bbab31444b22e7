import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { Catalog } from '../../src/connection/catalog';
import type { Connection } from '../../src/connection/connection';
import type { ModelContract, ModelSummary } from '../../src/domain/model';
import type { CatalogNode } from '../../src/features/catalog/nodes';
import { CatalogTree } from '../../src/features/catalog/tree';
import type { Estimates } from '../../src/runs/estimates/estimates';
import type { CatalogPage } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import type { Services } from '../../src/services';
import { memento } from '../support/memory';

export const model = (slug: string, changes: Partial<ModelSummary> = {}): ModelSummary => ({
  slug,
  name: `Model ${slug}`,
  tags: [],
  modeNames: ['execute'],
  raw: {},
  ...changes,
});

export const contract = (slug: string, name = slug) =>
  ({
    slug,
    name,
    modes: [{ name: 'index' }, { name: 'search', description: 'Find' }],
  }) as unknown as ModelContract;

/** A service whose list a test controls, page by page. */
class Listing {
  pages: (CatalogPage | Error | Promise<unknown> | (() => void))[] = [];
  listed = 0;
  details = 0;
  detail: (slug: string) => ModelContract = (slug) => contract(slug);
  readonly changed = new vscode.EventEmitter<void>();
  active = { name: 'Staging', baseUrl: 'https://staging.example' };
  key = true;

  readonly connection = {
    onDidChange: this.changed.event,
    hasKey: async () => this.key,
    find: (environment: unknown) => environment,
    client: async () => {
      if (!this.key) throw new ServiceError('notConnected');
      return {
        baseUrl: this.active.baseUrl,
        listModels: ({ signal }: { signal?: AbortSignal }) => this.#list(signal),
        getModel: async (slug: string) => {
          this.details += 1;
          return this.detail(slug);
        },
      };
    },
  } as unknown as Connection;

  constructor() {
    Object.defineProperty(this.connection, 'active', { get: () => this.active });
  }

  async *#list(signal?: AbortSignal): AsyncGenerator<CatalogPage> {
    this.listed += 1;
    for (const page of [...this.pages]) {
      if (page instanceof Promise) {
        await page;
        signal?.throwIfAborted();
      } else if (page instanceof Error) throw page;
      else if (typeof page === 'function') page();
      else yield page;
    }
  }
}

/** Sets the clock to a time when the pages so far are painted; those between two paints are painted together. */
export const paintNext = () => mock.timers.tick(200);

/** A catalog over a listing, and its tree. */
interface OpenCatalog {
  readonly service: Listing;
  /** The folder in which it keeps the details of models. */
  readonly folder: string;
  readonly store: Catalog;
  readonly tree: CatalogTree;
  readonly warned: string[];
  estimates: () => Promise<Estimates>;
}

/** For use at the top of a `describe` in the extension host: a catalog for each test. */
export function useCatalog() {
  let one: OpenCatalog;
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'catalog-'));
    const service = new Listing();
    const warned: string[] = [];
    const log = { warn: (text: string) => warned.push(text), error: () => undefined };
    const { connection } = service;
    const catalog = new Catalog(connection, {
      ...{ storage: vscode.Uri.file(folder), log: log as never, memory: memento() },
    });
    const tree = new CatalogTree({
      ...{ connection, context: { globalState: memento() }, catalog, log },
      estimates: () => one.estimates(),
    } as unknown as Services);
    const estimates = () => Promise.reject(new Error('no history'));
    one = { service, folder, store: catalog, tree, warned, estimates };
  });
  afterEach(async () => {
    mock.timers.reset();
    one.tree.dispose();
    one.store.dispose();
    await rm(one.folder, { recursive: true });
  });
  const labels = (nodes: readonly CatalogNode[]) =>
    nodes.map((node) => String(one.tree.getTreeItem(node).label));
  return {
    get catalog() {
      return one;
    },
    labels,
    /** The rows once the models are there. */
    roots: async () => {
      for (;;) {
        const drawn = new Promise<void>((resolve) => one.tree.onDidChangeTreeData(() => resolve()));
        const nodes = await one.tree.getChildren();
        if (!nodes.some(({ kind }) => kind === 'loading')) return labels(nodes);
        await drawn;
      }
    },
  };
}
