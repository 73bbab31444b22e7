import { StoreProblem } from './storeProblem';

/** Between two attempts to save: the first, and the longest. */
const RETRY_MS = { first: 200, most: 1_000 };

/** Problems of the store that end without the process: space is freed, a lock is released, a disk comes back. */
const PASSING: readonly StoreProblem['kind'][] = ['diskFull', 'locked', 'io', 'folder', 'replaced'];

/** The number of responses that wait until the store takes them, and why. */
export interface UnsavedResponses {
  readonly count: number;
  readonly problem: StoreProblem;
}

/** Whether waiting may solve it. */
export function isPassing(error: unknown): error is StoreProblem {
  return error instanceof StoreProblem && PASSING.includes(error.kind);
}

/**
 * Responses that were received and could not be saved. They may be paid: each is held in memory and saved again until the
 * store takes it.
 */
export class Unsaved {
  #count = 0;
  #problem: StoreProblem | undefined;

  /** @param onChange the number of held responses has changed */
  constructor(private readonly onChange: () => void) {}

  /** How many are held, and why; undefined when all are saved. */
  get held(): UnsavedResponses | undefined {
    return this.#problem && this.#count > 0 ? { count: this.#count, problem: this.#problem } : undefined;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Resolves when the change is made. Rejects with a problem that no waiting can solve. */
  async save(change: () => Promise<void>): Promise<void> {
    let isHeld = false;
    try {
      for (let wait = RETRY_MS.first; ; wait = Math.min(2 * wait, RETRY_MS.most)) {
        try {
          return await change();
        } catch (error) {
          if (!isPassing(error)) throw error;
          this.#problem = error;
          if (!isHeld) this.#count++;
          isHeld = true;
          this.onChange();
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    } finally {
      if (isHeld) {
        this.#count--;
        this.onChange();
      }
    }
  }
}
