import { addAmounts } from '../../domain/amounts';
import { loggedError } from '../../domain/loggedError';
import { type LogLine, logLine } from '../../domain/logLine';
import type { Store } from '../../store/store';
import type { SpentOfWorkspace } from './guard';

interface Sum {
  /** With what is on its way to the disk. */
  total: string;
  /** Changes of this window that are on their way. */
  writing: number;
  /** What could not be written; it is added to the next amount. */
  unsaved: string;
}

/**
 * What was spent in a workspace, one sum for all its windows. It is read without waiting, as admitting a run must be,
 * and so includes an amount from the moment it is charged.
 */
export class WorkspaceSpending implements SpentOfWorkspace {
  readonly #sums = new Map<string, Sum>();
  readonly close: () => void;

  /**
   * @param workspace names the workspace on this machine
   * @param onChanged another window has changed a sum
   */
  constructor(
    private readonly store: Pick<Store, 'spending' | 'changes'>,
    private readonly workspace: string,
    private readonly options: { readonly log: (line: LogLine) => void; readonly onChanged?: () => void },
  ) {
    this.close = store.changes.on('spending', () => this.#read());
  }

  of(baseUrl: string): string {
    const sum = this.#sum(baseUrl);
    if (sum.writing > 0) return sum.total;
    try {
      // A window that stood still has not heard yet of what others have spent.
      return this.#stored(baseUrl, sum);
    } catch {
      return sum.total;
    }
  }

  add(baseUrl: string, amount: string): void {
    const sum = this.#sum(baseUrl);
    sum.total = addAmounts(sum.total, amount);
    const adding = addAmounts(sum.unsaved, amount);
    sum.unsaved = '0';
    this.#write(sum, this.store.spending.add(this.workspace, baseUrl, adding), () => {
      sum.unsaved = addAmounts(sum.unsaved, adding);
    });
  }

  reset(baseUrl: string): void {
    const sum = this.#sum(baseUrl);
    Object.assign(sum, { total: '0', unsaved: '0' });
    this.#write(sum, this.store.spending.reset(this.workspace, baseUrl), () => undefined);
  }

  #write(sum: Sum, written: Promise<unknown>, onFailed: () => void): void {
    sum.writing++;
    written
      .catch((error: unknown) => {
        onFailed();
        this.options.log(logLine`What was spent could not be saved: ${loggedError(error)}`);
      })
      .finally(() => {
        sum.writing--;
      });
  }

  /** Sums of other windows. One that this window is changing is read at the report of that change. */
  #read(): void {
    let changed = false;
    for (const [baseUrl, sum] of this.#sums) {
      if (sum.writing > 0) continue;
      const total = this.#stored(baseUrl, sum);
      changed ||= total !== sum.total;
      sum.total = total;
    }
    if (changed) this.options.onChanged?.();
  }

  #stored(baseUrl: string, { unsaved }: Sum): string {
    return addAmounts(this.store.spending.of(this.workspace, baseUrl), unsaved);
  }

  #sum(baseUrl: string): Sum {
    let sum = this.#sums.get(baseUrl);
    if (!sum) {
      sum = { total: this.store.spending.of(this.workspace, baseUrl), writing: 0, unsaved: '0' };
      this.#sums.set(baseUrl, sum);
    }
    return sum;
  }
}
