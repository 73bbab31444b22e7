import type { Document } from './documents';
import { pageSite } from './pageSite';
import { EventEmitter, type Uri } from './values';

let last = 0;

/** A webview panel. Its page is opened in a browser when a test asks for it; messages wait until then. */
export class Panel {
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly #viewState = new EventEmitter<{ readonly webviewPanel: Panel }>();
  readonly onDidChangeViewState = this.#viewState.event;
  readonly #received = new EventEmitter<unknown>();
  /** Fired when its title, HTML or state change. */
  readonly changed = new EventEmitter<void>();
  readonly number = ++last;
  readonly webview: Webview;
  readonly options = {};
  viewColumn = 1;
  iconPath: unknown;
  #title: string;
  #isDisposed = false;

  constructor(
    readonly viewType: string,
    title: string,
    /** The last state that the page kept with `setState`. */
    public state: unknown,
    readonly document?: Document,
  ) {
    this.#title = title;
    this.webview = new Webview(this.#received, () => this.changed.fire());
  }

  #isShown = false;
  get active(): boolean {
    return this.visible;
  }
  get visible(): boolean {
    this.#assertNotDisposed();
    return this.#isShown;
  }

  /** As VS Code does. */
  #assertNotDisposed(): void {
    if (this.#isDisposed) throw new Error('Webview is disposed');
  }

  get title(): string {
    return this.#title;
  }
  set title(title: string) {
    this.#assertNotDisposed();
    this.#title = title;
    this.changed.fire();
  }

  receive(message: unknown): void {
    if (!this.#isDisposed) this.#received.fire(message);
  }

  readonly #revealed = new EventEmitter<void>();
  /** Fired when its extension wants it in front. */
  readonly onReveal = this.#revealed.event;

  reveal(): void {
    this.#assertNotDisposed();
    this.#revealed.fire();
  }

  /** Whether it is in front from now on. */
  show(isShown: boolean): void {
    if (this.#isDisposed || this.#isShown === isShown) return;
    this.#isShown = isShown;
    this.#viewState.fire({ webviewPanel: this });
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#disposed.fire();
  }
}

class Webview {
  options: { readonly localResourceRoots?: readonly Uri[] } = {};
  readonly cspSource = pageSite.origin;
  readonly onDidReceiveMessage: EventEmitter<unknown>['event'];
  #html = '';
  #waiting: unknown[] = [];
  #deliver: ((message: unknown) => Promise<unknown>) | undefined;

  constructor(
    received: EventEmitter<unknown>,
    private readonly changed: () => void,
  ) {
    this.onDidReceiveMessage = received.event;
  }

  get html(): string {
    return this.#html;
  }
  set html(html: string) {
    this.#html = html;
    this.changed();
  }

  asWebviewUri(uri: Uri): string {
    return pageSite.addressOf(uri.fsPath);
  }

  async postMessage(message: unknown): Promise<boolean> {
    if (this.#deliver) await this.#deliver(message).catch(() => undefined);
    else this.#waiting.push(message);
    return true;
  }

  /** The page is there: it receives earlier and later messages. */
  async connect(deliver: (message: unknown) => Promise<unknown>): Promise<void> {
    // A later message may not overtake an earlier one: the page would end with the older state.
    while (this.#waiting.length > 0) await deliver(this.#waiting.shift());
    this.#deliver = deliver;
  }
}
