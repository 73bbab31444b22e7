import { appendFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

/** A file for each act with waits that all held before it; unset, only those fail that held before the test began. */
const strict = process.env.MODEL_BENCH_WAITS;

/** The last action of a test, and the waits that followed it until one was for a new state. */
interface Act {
  readonly what: string;
  readonly at: number;
  readonly held: string[];
  isSettled: boolean;
}

interface State {
  areTests: boolean;
  /** The verbs are one for all pages. */
  areWatched: boolean;
  test: { title: string; began: number };
  act: Act | undefined;
}

/** One for the process: Mocha requires this module, and the tests of panels import another copy of it. */
const holder = globalThis as { modelBenchWaits?: State };
holder.modelBenchWaits ??= {
  ...{ areTests: false, areWatched: false, act: undefined },
  test: { title: '', began: 0 },
};
const state = holder.modelBenchWaits;

/** From now on there are tests: benches and demos stay unchanged. */
export function expectTests(): void {
  state.areTests = true;
}

/** A test begins: the present content does not come from its actions. */
export function beginWaits(title: string): void {
  state.test = { title, began: Date.now() };
  state.act = undefined;
}

/**
 * A test has ended, or acts again.
 * @throws Error when every wait after the act was for content that was there, unchanged, before the test began. Such
 * a wait has no effect, and later checks pass or fail by chance. Use an assertion for unchanged content instead.
 */
export function endWaits(): void {
  const ended = state.act;
  state.act = undefined;
  if (ended === undefined || ended.isSettled || ended.held.length === 0) return;
  const told = `${ended.what}\n${ended.held.map((one) => `    ${one}\n`).join('')}`;
  if (strict === undefined) throw new Error(`Nothing that this act brings is waited for: ${told}`);
  appendFileSync(strict, `${state.test.title}\n  ${told}`);
}

/** The test waits for something that is in no page, and of unknown age. */
export function settleAct(): void {
  if (state.act) state.act.isSettled = true;
}

/** Watches the awaited elements of tests in a page from now on. */
export async function watchWaits(page: Page): Promise<void> {
  if (!state.areTests) return;
  await page.addInitScript(rememberChanges);
  if (state.areWatched) return;
  state.areWatched = true;
  const locators = Object.getPrototypeOf(page.locator('html')) as Verbs;
  beginActs(locators, ['click', 'dblclick', 'press', 'pressSequentially', 'fill', 'check', 'uncheck']);
  beginActs(locators, ['selectOption', 'dispatchEvent', 'setInputFiles', 'dragTo', 'hover']);
  beginActs(Object.getPrototypeOf(page.keyboard) as Verbs, ['press', 'type', 'insertText']);
  const wait = locators.waitFor!;
  locators.waitFor = async function (this: Locator, ...args: unknown[]) {
    const of = state.act;
    const value = await wait.apply(this as never, args);
    const { state: awaited = 'visible' } = (args[0] ?? {}) as { state?: string };
    if (of === undefined || of.isSettled) return value;
    const isGone = awaited === 'hidden' || awaited === 'detached';
    if (isGone || (await isNewer(this, strict === undefined ? state.test.began : of.at))) of.isSettled = true;
    else of.held.push(`${String(this)} (${caller()})`);
    return value;
  };
}

type Verbs = Record<string, (this: never, ...args: unknown[]) => Promise<unknown>>;

function beginActs(verbs: Verbs, names: readonly string[]): void {
  for (const name of names) {
    const verb = verbs[name]!;
    verbs[name] = async function (this: object, ...args: unknown[]) {
      endWaits();
      const words = [
        name,
        'first' in this ? String(this) : '',
        typeof args[0] === 'string' ? args[0].slice(0, 60) : '',
      ];
      state.act = { what: `${words.join(' ')} (${caller()})`, at: Date.now(), held: [], isSettled: false };
      return verb.apply(this as never, args);
    };
  }
}

/** Whether an awaited element has changed since a moment; true where it cannot be asked. */
async function isNewer(locator: Locator, moment: number): Promise<boolean> {
  const changed = await locator
    .first()
    .evaluate((element) => (globalThis as Remembering).changedAt?.(element) ?? Date.now(), undefined, {
      timeout: 1000,
    })
    .catch(() => Date.now());
  return changed >= moment;
}

/** The line of the test or verb that asked. */
function caller(): string {
  const lines = (new Error().stack ?? '').split('\n').filter((line) => !line.includes('support/waits'));
  const [where = ''] = lines.flatMap(
    (line) => /test\/(?:journeys|panels|support|demo)\/[^:]+:\d+/.exec(line) ?? [],
  );
  return where;
}

type Remembering = typeof globalThis & { changedAt?: (element: Element) => number };

/** Runs in the page: remembers when elements were added, changed, filled in or focused. */
function rememberChanges(): void {
  // In a part of a window as large as that, something changes all the time.
  const MANY = 1500;
  const added = new WeakMap<Node, number>();
  const changed = new WeakMap<Node, number>();
  const styled = new WeakMap<Node, number>();
  const remember = (root: Node) =>
    new MutationObserver((records) => {
      const now = Date.now();
      for (const { type, target, addedNodes } of records) {
        changed.set(target, now);
        if (type === 'attributes') styled.set(target, now);
        for (const node of addedNodes) added.set(node, now);
      }
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  remember(document);
  // A webview is written into a frame that has another document by then.
  const documents = Document.prototype as { open: (...args: never) => Document };
  const open = documents.open;
  documents.open = function (this: Document, ...args: never) {
    const opened = open.apply(this, args);
    remember(this);
    return opened;
  };
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    remember(root);
    return root;
  };
  for (const type of ['focusin', 'focusout', 'input', 'change'])
    addEventListener(type, ({ target }) => target instanceof Node && changed.set(target, Date.now()), true);
  const timeOf = (node: Node) => Math.max(added.get(node) ?? 0, changed.get(node) ?? 0);
  const newestIn = (root: Element | ShadowRoot): number => {
    let newest = timeOf(root);
    const nodes = document.createTreeWalker(root);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      newest = Math.max(newest, timeOf(node));
      if (node instanceof Element && node.shadowRoot) newest = Math.max(newest, newestIn(node.shadowRoot));
    }
    return newest;
  };
  (globalThis as Remembering).changedAt = (element) => {
    const isLarge = element.getElementsByTagName('*').length >= MANY;
    let newest = isLarge ? timeOf(element) : newestIn(element);
    // It came with its container, or that was shown with a class or a style.
    const around: Node[] = [];
    for (let node: Node | null = element; node; node = node.parentNode ?? (node as ShadowRoot).host ?? null)
      around.push(node);
    for (const [depth, node] of around.entries())
      newest = Math.max(newest, added.get(node) ?? 0, depth < 4 ? (styled.get(node) ?? 0) : 0);
    // It was never seen, so its age is unknown.
    return newest || Date.now();
  };
}
