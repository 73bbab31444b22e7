import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import type { RateLimitState } from '../../service/client';
import { formatRoughDuration } from '../../wording/duration';

/** Shown in the status bar while no requests may be sent: until when, and for how long the service asked. */
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
      vscode.l10n.t('No requests are sent before {0}. They continue automatically.', until),
    ];
    if (cappedFromMs !== undefined) {
      const asked = formatRoughDuration(cappedFromMs, vscode.env.language);
      lines.push(vscode.l10n.t('The service asked for {0}; the wait is limited to 1 hour.', asked));
    }
    lines.push(vscode.l10n.t('Click to open the log.'));
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
