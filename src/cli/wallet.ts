import * as l10n from '@vscode/l10n';
import type { ServiceClient } from '../service/client';
import { formatBalance } from '../wording/money';
import { withMapping } from '../wording/runStates';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

/** Prints the balance. @throws ServiceError where it cannot be asked for */
export async function wallet(
  { json }: { readonly json: boolean },
  client: ServiceClient,
  terminal: Terminal,
): Promise<number> {
  const { wallet: read, words } = await client.wallet();
  if (json) {
    terminal.printJson({ balance: read?.balance ?? null, status: read?.status, words });
    return read ? exitCodes.passed : exitCodes.service;
  }
  if (!read) {
    terminal.warn(
      words === undefined
        ? withMapping(l10n.t('The response to the wallet has no balance that can be read.'))
        : l10n.t('The balance was not understood. The service says: {0}', words),
    );
    return exitCodes.service;
  }
  const balance = formatBalance(read.balance, 'en');
  terminal.print(read.status === undefined ? balance : `${balance} (${read.status})`);
  return exitCodes.passed;
}
