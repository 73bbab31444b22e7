import * as l10n from '@vscode/l10n';
import { StoreProblem } from '../store/storeProblem';
import { storeProblemText } from '../wording/storeProblem';

/** Between two attempts to save: the first, and the longest. */
const RETRY_MS = { first: 200, most: 1_000 };

/** Problems of the store that end without the process: space is freed, a lock is released, a disk comes back. */
const PASSING: readonly StoreProblem['kind'][] = [
  'diskFull',
  'locked',
  'io',
  'folder',
  'readOnly',
  'replaced',
];

/**
 * Responses that were received and could not be saved. They may be paid: each is held in memory and saved again until the
 * store takes it.
 */
export class Unsaved {
  #count = 0;
  #problem: StoreProblem | undefined;

  /** @param onChange the number of held responses has changed */
  constructor(private readonly onChange: () => void) {}

  /** How many are held and why, for the user; undefined when all are saved. */
  get text(): string | undefined {
    if (this.#count === 0 || !this.#problem) return undefined;
    const held =
      this.#count === 1
        ? l10n.t('1 response was received but is not saved yet. Saving is retried.')
        : l10n.t('{0} responses were received but are not saved yet. Saving is retried.', this.#count);
    return `${held} ${storeProblemText(this.#problem)}`;
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
          if (!(error instanceof StoreProblem && PASSING.includes(error.kind))) throw error;
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
