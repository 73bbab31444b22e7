import { CancellationTokenSource, Disposable, EventEmitter, type Uri } from './values';

/** A test of the Test Explorer. */
interface Item {
  readonly id: string;
  label: string;
  readonly uri: Uri | undefined;
  readonly children: Items;
  parent: Item | undefined;
  [member: string]: unknown;
}

type RunHandler = (request: { readonly exclude: readonly Item[] }, token: unknown) => Promise<void>;

class Items {
  readonly #items = new Map<string, Item>();
  constructor(private readonly owner: Item | undefined) {}
  get size(): number {
    return this.#items.size;
  }
  get(id: string): Item | undefined {
    return this.#items.get(id);
  }
  add(item: Item): void {
    item.parent = this.owner;
    this.#items.set(item.id, item);
  }
  delete(id: string): void {
    this.#items.delete(id);
  }
  replace(items: readonly Item[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }
  forEach(each: (item: Item) => void): void {
    for (const item of this.#items.values()) each(item);
  }
  *[Symbol.iterator](): Iterator<[string, Item]> {
    yield* this.#items;
  }
}

function itemOf(id: string, label: string, uri?: Uri): Item {
  const item = { id, label, uri, parent: undefined, busy: false } as unknown as Item;
  return Object.assign(item, { children: new Items(item) });
}

/** `vscode.tests`: the trees of tests, and the outcomes of their runs. */
export function testsApi() {
  const controllers = new Map<
    string,
    {
      readonly items: Items;
      readonly outcomes: Map<string, string>;
      resolve(): Promise<void>;
      /** Runs all tests by the first profile. */
      run(): Promise<void>;
    }
  >();
  const createTestController = (id: string) => {
    const outcomes = new Map<string, string>();
    let profile: RunHandler | undefined;
    const controller = {
      ...{ id, items: new Items(undefined), createTestItem: itemOf },
      createRunProfile: (_label: string, _kind: number, runHandler: RunHandler) => {
        profile ??= runHandler;
        return { runHandler, dispose: () => undefined };
      },
      createTestRun: () => {
        const note = (outcome: string) => (item: Item) => void outcomes.set(item.id, outcome);
        return {
          ...{ enqueued: note('enqueued'), started: note('started'), passed: note('passed') },
          ...{ failed: note('failed'), errored: note('errored'), skipped: note('skipped') },
          ...{ appendOutput: () => undefined, end: () => undefined },
          token: { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event },
        };
      },
      dispose: () => controllers.delete(id),
    };
    const whole: typeof controller & { resolveHandler?: () => Promise<void> } = Object.assign(
      new Disposable(controller.dispose),
      controller,
    );
    // The Test Explorer's request when its view is opened.
    const resolve = async () => whole.resolveHandler?.();
    const run = async () => profile?.({ exclude: [] }, new CancellationTokenSource().token);
    controllers.set(id, { items: controller.items, outcomes, resolve, run });
    return whole;
  };
  return { controllers, api: { createTestController } };
}
