import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import { readAmount } from '../../domain/amounts';
import { loggedError } from '../../domain/loggedError';
import type { RunRecord } from '../../domain/runRecord';
import type { Guard } from '../../runs/budget/guard';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { StatusBarItem } from '../../vscode/messages/statusBarItem';
import { tooltip } from '../../vscode/messages/tooltip';
import { once } from '../../vscode/once';
import type { readSetting } from '../../vscode/settings';
import { walletLook } from './walletItem';

/**
 * The wallet in the status bar.
 * @param onDidRefill money was added from here
 */
export function registerWallet(services: Services, onDidRefill: vscode.Event<void>): vscode.Disposable {
  const store = new DisposableStore();
  const { connection, catalog, log, wallet: reader } = services;
  let guard: Guard | undefined;
  // Loaded with the first balance.
  let setting: typeof readSetting | undefined;

  const item = store.add(new StatusBarItem(statusBar.wallet, 50, l10n.t('Model Bench Wallet')));
  const show = () => {
    const environment = connection.active;
    const lowBalance = readAmount(setting?.('wallet.lowBalance'));
    const spending = environment && guard?.spending(environment.baseUrl);
    const production = environment !== undefined && connection.isProduction(environment);
    const facts = { state: reader.state, environment, production, lowBalance, spending };
    const {
      tooltip: [heading = '', ...lines],
      colour,
      click,
      ...look
    } = walletLook({ ...facts, locale: vscode.env.language });
    item.show({ ...look, tooltip: tooltip(heading, lines), command: click, background: backgrounds[colour] });
  };
  store.add({ dispose: reader.onDidChange(show) });
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('modelBench.wallet') || event.affectsConfiguration('modelBench.budget'))
        show();
    }),
  );
  store.add(vscode.window.onDidChangeWindowState(() => reader.attend()));
  store.add(onDidRefill(() => reader.request()));
  // "Refresh" and a first listing: the catalog was requested, so the wallet may be too.
  store.add(catalog.onDidChange(() => reader.requestUnlessNew()));

  // At once: the balance that was read is not that of the environment that is active now.
  const restart = () => {
    const { active } = connection;
    reader.restart(active !== undefined);
    const withoutKey = (hasKey: boolean) => !hasKey && active === connection.active && reader.restart(false);
    connection.hasKey().then(withoutKey, (error: unknown) => log.error(loggedError(error)));
  };
  store.add(connection.onDidChange(restart));
  store.add(connection.onDidChangeList(show));
  restart();

  const follow = once(async () => {
    setting = (await import('../../vscode/settings')).readSetting;
    guard = await services.guard();
    const noteBalance = () => {
      const environment = connection.active;
      if (environment && reader.state.kind === 'read')
        guard?.noteBalance(environment.baseUrl, reader.state.wallet.balance);
    };
    // The first balance was read before the guard was opened.
    noteBalance();
    store.add({ dispose: reader.onDidChange(noteBalance) });
    store.add({ dispose: guard.onDidChange(show) });
    const history = await services.history();
    store.add({ dispose: history.onDidChange((changed) => changed.some(isFinished) && reader.request()) });
    const jobRuns = await services.jobRuns();
    store.add({ dispose: jobRuns.onDidChange(() => reader.request()) });
    show();
  });
  // The history is read from disk after the first reading of the wallet, not while VS Code starts.
  store.add({
    dispose: reader.onDidChange(({ kind }) => {
      if (kind === 'notConnected' || kind === 'waiting') return;
      follow().catch((error: unknown) => log.error(loggedError(error)));
    }),
  });
  show();
  return store;
}

/** A run that has ended: its cost will change the balance. */
function isFinished(record: RunRecord): boolean {
  return record.state !== 'running' && record.state !== 'notSent';
}

const backgrounds = {
  plain: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
} as const;
