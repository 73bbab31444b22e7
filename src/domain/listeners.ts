/** The listeners of one event, for rooms that cannot import VS Code's emitter. */
export class Listeners<Event = void> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Calls back at every event; returns a function to stop that. */
  readonly add = (listener: (event: Event) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  call(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
