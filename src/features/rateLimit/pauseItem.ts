import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import type { RateLimitState } from '../../service/client';
import { StatusBarItem } from '../../vscode/messages/statusBarItem';
import { formatRoughDuration } from '../../wording/duration';
import { whyWaitingText } from '../../wording/waiting';

interface Pause extends RateLimitState {
  readonly environment: string;
  readonly pausedUntilMs: number;
}

/**
 * Shown in the status bar while a service allows no requests: until when, and for how long it asked. Of several
 * environments the one that waits longest; the tooltip has them all.
 */
export class PauseItem implements vscode.Disposable {
  #item: StatusBarItem | undefined;
  readonly #pauses = new Map<string, Pause>();

  show(environment: string, state: RateLimitState): void {
    const { pausedUntilMs } = state;
    if (pausedUntilMs === undefined) this.#pauses.delete(environment);
    else this.#pauses.set(environment, { ...state, environment, pausedUntilMs });
    const [longest, ...others] = [...this.#pauses.values()].sort((a, b) => b.pausedUntilMs - a.pausedUntilMs);
    if (longest) this.#draw(longest, others);
    else this.#item?.hide();
  }

  #draw(
    { environment, pausedUntilMs, cappedFromMs, reason, serviceMessage }: Pause,
    others: readonly Pause[],
  ): void {
    this.#item ??= new StatusBarItem(statusBar.rateLimit, 49, l10n.t('Model Bench Rate Limit'));
    const until = timeText(pausedUntilMs);
    const lines = [
      whyWaitingText({ reason, serviceMessage }),
      l10n.t('No requests are sent before {0}. They continue automatically.', until),
    ];
    if (cappedFromMs !== undefined) {
      const asked = formatRoughDuration(cappedFromMs, vscode.env.language);
      lines.push(l10n.t('The service asked for {0}; the wait is limited to 1 hour.', asked));
    }
    for (const other of others)
      lines.push(l10n.t('{0}: waiting until {1}', other.environment, timeText(other.pausedUntilMs)));
    lines.push(l10n.t('Click to open the log.'));
    this.#item.show({
      icon: 'watch',
      text: l10n.t('{0}: waiting until {1}', environment, until),
      tooltip: lines,
      label: l10n.t('Model Bench, {0}: {1}', environment, lines.join(' ')),
      command: 'modelBench.showLog',
    });
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

function timeText(atMs: number): string {
  return new Date(atMs).toLocaleTimeString(vscode.env.language);
}
