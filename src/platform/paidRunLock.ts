import * as l10n from '@vscode/l10n';
import { type Environment, environmentId } from '../domain/environment';
import { ServiceError } from '../service/errors';
import { isConfirmed } from '../vscode/dialogs';
import { readSetting } from '../vscode/settings';

/** The second lock of environments in `modelBench.confirmPaidRuns`: each window asks once before its first paid run. */
export class PaidRunLock {
  readonly #confirmed = new Set<string>();
  /** Questions that are open: the runs of a job ask together. */
  readonly #asked = new Map<string, Promise<boolean>>();

  /** @throws ServiceError `budgetReached` when the user declines: the run is not sent, and a job pauses */
  async require(environment: Environment): Promise<void> {
    const id = environmentId(environment);
    if (this.#confirmed.has(id) || !readSetting('confirmPaidRuns').includes(environment.name)) return;
    const asked = this.#asked.get(id) ?? ask(environment).finally(() => this.#asked.delete(id));
    this.#asked.set(id, asked);
    if (!(await asked))
      throw new ServiceError('budgetReached', { why: { reason: 'notConfirmed', environment } });
    this.#confirmed.add(id);
  }
}

async function ask({ name, baseUrl }: Environment): Promise<boolean> {
  return isConfirmed(
    l10n.t('Allow paid runs in “{0}” ({1})?', name, baseUrl),
    l10n.t('The setting modelBench.confirmPaidRuns names this environment: each window asks once.'),
    l10n.t('Allow in This Window'),
  );
}
