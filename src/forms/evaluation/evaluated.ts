/**
 * The members or items of one value that keywords have evaluated, for `unevaluatedProperties` and `unevaluatedItems`:
 * those that certainly were, and those of which that depends on something unknown.
 */
export class Evaluated {
  private readonly sure = new Set<string>();
  private readonly possible = new Set<string>();
  private all: 'sure' | 'possible' | undefined;

  add(key: string, certainty: 'sure' | 'possible' = 'sure'): void {
    (certainty === 'sure' ? this.sure : this.possible).add(key);
  }

  addAll(certainty: 'sure' | 'possible'): void {
    if (this.all !== 'sure') this.all = certainty;
  }

  /** @param certainty the upper limit for the certainty of `other` */
  merge(other: Evaluated, certainty: 'sure' | 'possible'): void {
    for (const key of other.sure) this.add(key, certainty);
    for (const key of other.possible) this.possible.add(key);
    if (other.all) this.addAll(certainty === 'sure' ? other.all : 'possible');
  }

  has(key: string): 'sure' | 'possible' | 'no' {
    if (this.all === 'sure' || this.sure.has(key)) return 'sure';
    return this.all === 'possible' || this.possible.has(key) ? 'possible' : 'no';
  }
}
