import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import { readAmount } from '../../domain/amounts';
import { executeCommand, registerCommands } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { Guard } from '../../runs/budget/guard';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { lookOf, type WalletLook } from './walletItem';
import { WalletReader } from './walletReader';

/** The wallet in the status bar. */
export function registerWallet(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const { connection, catalog, log } = services;
  let guard: Guard | undefined;

  const item = store.add(
    vscode.window.createStatusBarItem(statusBar.wallet, vscode.StatusBarAlignment.Right, 50),
  );
  item.name = vscode.l10n.t('Model Bench Wallet');
  const reader = store.add(
    new WalletReader({
      read: async (signal) => {
        const environment = connection.active;
        const read = await (await connection.client()).wallet({ signal });
        if (environment && read.wallet) guard?.noteBalance(environment.baseUrl, read.wallet.balance);
        return read;
      },
      watched: () => vscode.window.state.focused && vscode.window.state.active,
      now: Date.now,
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    }),
  );
  const openRaw = async () => {
    if (reader.state.kind === 'notUnderstood')
      await executeCommand('modelBench.openAnswer', reader.state.raw);
  };
  store.add(registerCommands(log, { 'modelBench.openWalletAnswer': openRaw }));
  const show = () => {
    const environment = connection.active;
    const lowBalance = readAmount(vscode.workspace.getConfiguration('modelBench').get('wallet.lowBalance'));
    const spending = environment && guard?.spending(environment.baseUrl);
    const facts = { state: reader.state, environment, lowBalance, spending, locale: vscode.env.language };
    apply(item, lookOf(facts));
  };
  store.add({ dispose: reader.onDidChange(show) });
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('modelBench.wallet') || event.affectsConfiguration('modelBench.budget'))
        show();
    }),
  );
  store.add(vscode.window.onDidChangeWindowState(() => reader.attend()));
  // "Refresh" and a first listing: the catalog was asked for anew, so the wallet may be too.
  store.add(catalog.onDidChange(() => reader.requestUnlessNew()));

  const restart = async () => reader.restart(await connection.hasKey());
  const restartLogged = () => restart().catch((error: unknown) => log.error(String(error)));
  store.add(connection.onDidChange(() => void restartLogged()));
  void restartLogged();

  const follow = once(async () => {
    guard = await services.guard();
    // The first balance was read before the guard was opened.
    const environment = connection.active;
    if (environment && reader.state.kind === 'read') {
      guard.noteBalance(environment.baseUrl, reader.state.wallet.balance);
    }
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
      follow().catch((error: unknown) => log.error(String(error)));
    }),
  });
  show();
  item.show();
  return store;
}

/** A run that has ended: its cost will change the balance. */
function isFinished(record: RunRecord): boolean {
  return record.state !== 'running' && record.state !== 'notSent';
}

/** Sets only what differs: each property that is set redraws the item. */
function apply(item: vscode.StatusBarItem, look: WalletLook): void {
  if (item.text !== look.text) item.text = look.text;
  if (item.command !== look.click) item.command = look.click;
  const background = backgrounds[look.colour];
  if (item.backgroundColor?.id !== background?.id) item.backgroundColor = background;
  if (item.accessibilityInformation?.label !== look.label)
    item.accessibilityInformation = { label: look.label };
  const tooltip = new vscode.MarkdownString();
  const [heading = '', ...lines] = look.tooltip;
  // Texts of services and settings are appended as text, never as Markdown, so that they cannot contain links.
  tooltip.appendMarkdown('**').appendText(heading).appendMarkdown('**');
  for (const line of lines) {
    tooltip.appendMarkdown('\n\n');
    // Appended as text, an address would become a link with escaped hyphens.
    for (const part of line.split(/(https?:\/\/[^\s`]+)/))
      if (/^https?:/.test(part)) tooltip.appendMarkdown(`\`${part}\``);
      else tooltip.appendText(part);
  }
  if (!(item.tooltip instanceof vscode.MarkdownString) || item.tooltip.value !== tooltip.value) {
    item.tooltip = tooltip;
  }
}

const backgrounds = {
  plain: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
} as const;
