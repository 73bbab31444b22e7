/** A cold or busy machine only takes longer. */
export const LONGEST_START_MS = 300_000;
const SAY_EVERY_MS = 10_000;
/** The start of a window on a quiet machine with two cores, for which the limits of later steps are made. */
const USUAL_START_MS = 10_000;

/** The start of a window: each part may take minutes, and is named meanwhile. */
export class Start {
  readonly #began = performance.now();
  readonly #parts: string[] = [];

  /** @param wait rejects after its limit, in milliseconds */
  async waitFor(what: string, wait: (timeout: number) => Promise<unknown>): Promise<void> {
    const began = performance.now();
    const seconds = () => Math.round((performance.now() - began) / 1000);
    const saying = setInterval(() => console.log(`  Waiting for ${what} (${seconds()} s) …`), SAY_EVERY_MS);
    try {
      await wait(LONGEST_START_MS);
    } catch (error) {
      throw new Error(`${what} did not come within ${seconds()} s`, { cause: error });
    } finally {
      clearInterval(saying);
    }
    this.#parts.push(`${what} ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }

  /** How long each part took, in words. */
  get parts(): string {
    return this.#parts.join(', ');
  }

  /** The factor by which it took longer than usual, at least 1; the limits of later steps are multiplied by it. */
  get slowness(): number {
    return Math.max(1, (performance.now() - this.#began) / USUAL_START_MS);
  }
}
