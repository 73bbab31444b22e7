import { Channel, type Handlers, type Methods } from '../../src/protocol/channel';
import { errorMessage } from './errorMessage';
import { hostEndpoint } from './host';
import { HostPulse } from './hostPulse';
import { refuseLargePictures } from './picture';

export interface PageState {
  /** An error in the page itself, until it is dismissed or replaced. */
  notice?: string;
  /** The extension host does not answer. */
  isHostGone?: boolean;
}

/**
 * The controller of a page: its state, the channel to its host, and the changes that messages and users make. A change
 * goes through `update`, which renders once for all changes of a turn. Views are functions of the page (`main.ts`
 * passes the outermost one); they read `state` and call methods, and change nothing themselves.
 */
export abstract class Page<State extends PageState, Ours extends Methods, Theirs extends Methods> {
  readonly host: Channel<Ours, Theirs>;
  readonly #newest = new Map<string, Promise<unknown>>();
  #isScheduled = false;

  constructor(
    readonly state: State,
    ours: Ours,
    theirs: Theirs,
    private readonly render: () => void,
  ) {
    refuseLargePictures();
    this.host = new Channel(hostEndpoint, ours, theirs, this.handlers(), {
      describe: errorMessage,
      onBadMessage: (why) => console.warn(`Message rejected: ${why}`),
    });
    new HostPulse(
      () => this.host.pulse(),
      () => this.host.isWaiting || this.isHostAtWork,
      (isHostGone) => {
        this.state.isHostGone = isHostGone;
        this.update();
      },
    );
  }

  /** Whether the page shows work of the host that the host reports about. */
  protected get isHostAtWork(): boolean {
    return false;
  }

  /** Methods for the host's calls. Called by the constructor: handlers may use `this` only when they run. */
  protected abstract handlers(): Handlers<Ours>;

  /**
   * Shows the page for the first time. A turn later: the host's messages from the time when the script was loading
   * have been received by then, and are shown at once instead of an empty page.
   */
  begin(started: Promise<void>): void {
    void this.ask(started);
    setTimeout(() => this.update());
  }

  update(changes: Partial<State> = {}): void {
    Object.assign(this.state, changes);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.render();
    });
  }

  /**
   * Runs something once the changes of this turn are rendered. No frame later: the next key that is pressed has to find
   * the focus where it belongs.
   */
  afterRender(work: () => void): void {
    // Rendering is a microtask too, and was queued before.
    queueMicrotask(work);
  }

  /** Resolves to undefined if it fails, and shows why. */
  async ask<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  /** As `ask`; undefined also if the same was asked again meanwhile, whose answer may have come before this one. */
  async askNewest<T>(question: string, work: Promise<T>): Promise<T | undefined> {
    this.#newest.set(question, work);
    const answer = await this.ask(work);
    return this.#newest.get(question) === work ? answer : undefined;
  }

  report(error: unknown): void {
    this.state.notice = errorMessage(error);
    this.update();
  }
}
