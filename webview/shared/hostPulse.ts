/** How often a host that reports progress is asked for a sign. */
const EVERY_MS = 5_000;
/** A busy host answers later than usual. */
const PATIENCE_MS = 15_000;

/** Notices that the extension host has died: its page stays in sight with its last progress, and gets no answers. */
export class HostPulse {
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAsked = false;
  #isGone = false;

  /**
   * @param ask a call that the host answers at once
   * @param onChange whether the host is gone; it may come back
   */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly onChange: (isGone: boolean) => void,
  ) {}

  /** Asks again and again while the host reports progress. */
  follow(isWanted: boolean): void {
    if (isWanted === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = isWanted ? setInterval(() => this.check(), EVERY_MS) : undefined;
  }

  /** Asks once, as after a click. */
  check(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const late = setTimeout(() => this.#note(true), PATIENCE_MS);
    const end = () => {
      clearTimeout(late);
      this.#isAsked = false;
      this.#note(false);
    };
    // An error also is an answer.
    this.ask().then(end, end);
  }

  #note(isGone: boolean): void {
    if (isGone === this.#isGone) return;
    this.#isGone = isGone;
    this.onChange(isGone);
  }
}
