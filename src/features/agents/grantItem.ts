import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { statusBar } from '../../contributions';
import { environmentId } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { StatusBarItem } from '../../vscode/messages/statusBarItem';
import { grantLines, usedText } from './grantText';

/** How often the time is kept and calls of processes that are gone are found, while a grant lives. */
const LOOK_EVERY_MS = 5_000;

/** Shown in the status bar while a grant lives: how much of it is used. */
export class GrantItem implements vscode.Disposable {
  #item: StatusBarItem | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #stops: readonly (() => void)[];

  constructor(
    private readonly store: Store,
    private readonly services: Pick<Services, 'connection' | 'log'>,
  ) {
    const redraw = services.connection.onDidChange(() => this.#draw());
    this.#stops = [store.changes.on('agents', () => this.#draw()), () => redraw.dispose()];
    this.#draw();
  }

  #draw(): void {
    const grants = this.store.agentGrants.living();
    const { active } = this.services.connection;
    const ofActive = grants.find(
      ({ environment }) => active && environmentId(environment) === environmentId(active),
    );
    const shown = ofActive ?? grants[0];
    clearTimeout(this.#timer);
    if (!shown) {
      this.#item?.hide();
      return;
    }
    const end = Math.min(...grants.map(({ until }) => until)) - this.store.agentGrants.clock.now();
    this.#timer = setTimeout(() => this.#look(), Math.max(0, Math.min(end, LOOK_EVERY_MS))).unref();
    const language = vscode.env.language;
    this.#item ??= new StatusBarItem(statusBar.agents, 48, l10n.t('Model Bench Agents'));
    const text = l10n.t('{0} for agents', usedText(shown, language));
    const lines = [shown, ...grants.filter((one) => one !== shown)].flatMap((one) =>
      grantLines(one, language),
    );
    this.#item.show({
      icon: 'hubot',
      text,
      tooltip: [l10n.t('Agents may spend'), ...lines, l10n.t('Click to change or stop.')],
      label: l10n.t('Model Bench, agents may spend: {0}', text),
      command: 'modelBench.agentSpending',
    });
  }

  #look(): void {
    this.store.agentGrants
      .look()
      .catch((error: unknown) => this.services.log.warn(loggedError(error)))
      .finally(() => this.#draw());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    this.#item?.dispose();
  }
}
