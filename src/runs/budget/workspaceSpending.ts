import { addAmounts, subtractAmounts } from '../../domain/amounts';
import { loggedError } from '../../domain/loggedError';
import { type LogLine, logLine } from '../../domain/logLine';
import type { Store } from '../../store/store';
import type { SpentOfWorkspace } from './guard';

interface Sum {
  /** The amount of all windows at the last reading. */
  stored: string;
  /** Of this window, on its way to the disk. */
  writing: string;
  /** Of this window, and not written; it is added to the next amount. */
  unsaved: string;
  /** A reset is on its way to the disk: the stored amount no longer counts. */
  isResetting: boolean;
  /** The last reported amount. */
  total: string;
}

/**
 * The spending of a workspace, one sum for all its windows. It is read without waiting, as admitting a run must be,
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
    return this.#total(baseUrl, this.#sum(baseUrl));
  }

  add(baseUrl: string, amount: string): void {
    const sum = this.#sum(baseUrl);
    const adding = addAmounts(sum.unsaved, amount);
    sum.unsaved = '0';
    sum.writing = addAmounts(sum.writing, adding);
    sum.total = addAmounts(sum.total, amount);
    let isStored = false;
    const written = this.store.spending.add(this.workspace, baseUrl, adding, () => {
      // Inside the change: from its commit on, the stored amount includes this one.
      isStored = true;
      sum.writing = subtractAmounts(sum.writing, adding);
    });
    written.catch((error: unknown) => {
      if (!isStored) sum.writing = subtractAmounts(sum.writing, adding);
      sum.unsaved = addAmounts(sum.unsaved, adding);
      this.#failed(error);
    });
  }

  reset(baseUrl: string): void {
    const sum = this.#sum(baseUrl);
    const { unsaved } = sum;
    Object.assign(sum, { unsaved: '0', isResetting: true, total: '0' });
    const written = this.store.spending.reset(this.workspace, baseUrl, () => {
      sum.isResetting = false;
    });
    written.catch((error: unknown) => {
      sum.isResetting = false;
      sum.unsaved = addAmounts(sum.unsaved, unsaved);
      this.#failed(error);
    });
  }

  #failed(error: unknown): void {
    this.options.log(logLine`What was spent could not be saved: ${loggedError(error)}`);
  }

  /** Sums that other windows have changed. */
  #read(): void {
    let changed = false;
    for (const [baseUrl, sum] of this.#sums) {
      const total = this.#total(baseUrl, sum);
      changed ||= total !== sum.total;
      sum.total = total;
    }
    if (changed) this.options.onChanged?.();
  }

  /** The stored amount of all windows, and this one's amount that is not stored yet. */
  #total(baseUrl: string, sum: Sum): string {
    try {
      sum.stored = this.store.spending.of(this.workspace, baseUrl);
    } catch {
      // The store is closed or cannot be read: the last known amount stays.
    }
    const own = addAmounts(sum.writing, sum.unsaved);
    return sum.isResetting ? own : addAmounts(sum.stored, own);
  }

  #sum(baseUrl: string): Sum {
    let sum = this.#sums.get(baseUrl);
    if (!sum) {
      const stored = this.store.spending.of(this.workspace, baseUrl);
      sum = { stored, writing: '0', unsaved: '0', isResetting: false, total: stored };
      this.#sums.set(baseUrl, sum);
    }
    return sum;
  }
}
