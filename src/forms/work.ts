/**
 * The work that one check of a value may take, counted in steps and not in time, so that the same value always gets the
 * same verdict. A step is about 50 ns; see bench/measures/form.ts.
 */
export class CheckLimit {
  private left = MOST_STEPS;

  /** Before a form is made or a value checked again. */
  renew(): void {
    this.left = MOST_STEPS;
  }

  /** Whether the steps were left. Once they are not, everything that still has to be checked is unknown. */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }

  get isUsedUp(): boolean {
    return this.left < 0;
  }
}

const MOST_STEPS = 200_000;
