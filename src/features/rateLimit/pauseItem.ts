import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import type { RateLimitState } from '../../service/client';

/** In the status bar while the service lets nothing through: until when, and what it asked for. */
export class PauseItem implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(environment: string, { pausedUntilMs, cappedFromMs }: RateLimitState): void {
    if (pausedUntilMs === undefined) {
      this.hide();
      return;
    }
    this.#item ??= newItem();
    const until = new Date(pausedUntilMs).toLocaleTimeString(vscode.env.language);
    this.#item.text = `$(watch) ${vscode.l10n.t('{0}: waiting until {1}', environment, until)}`;
    const lines = [
      vscode.l10n.t('The service limits the rate of requests.'),
      vscode.l10n.t('Nothing is sent to it before {0}; then everything goes on by itself.', until),
      ...(cappedFromMs === undefined
        ? []
        : [
            vscode.l10n.t(
              'It named a wait of {0} seconds, which is not believed: the wait was cut short.',
              Math.round(cappedFromMs / 1000).toLocaleString(vscode.env.language),
            ),
          ]),
      vscode.l10n.t('Click to see the log.'),
    ];
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Model Bench, {0}: {1}', environment, lines.join(' ')),
    };
    this.#item.show();
  }

  hide(): void {
    this.#item?.hide();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

function newItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(statusBar.rateLimit, vscode.StatusBarAlignment.Right, 49);
  item.name = vscode.l10n.t('Model Bench Rate Limit');
  item.command = 'modelBench.showLog';
  return item;
}
