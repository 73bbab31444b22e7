import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';

/** How often a host that is waited for is asked for a sign. */
const EVERY_MS = 5_000;
/** A busy host answers later than usual. */
const PATIENCE_MS = 15_000;

/** Notices that the extension host has died: its page stays in sight, and gets no answers. */
export class HostPulse {
  #isAsked = false;
  #isGone = false;

  /**
   * @param ask a call that the host answers at once
   * @param isWaiting whether the page waits for the host: only then it is asked without an act of the user
   * @param onChange whether the host is gone; it may come back
   */
  constructor(
    private readonly ask: () => Promise<unknown>,
    isWaiting: () => boolean,
    private readonly onChange: (isGone: boolean) => void,
  ) {
    setInterval(() => isWaiting() && this.#check(), EVERY_MS);
    for (const act of ['pointerdown', 'keydown'])
      window.addEventListener(act, () => this.#check(), { capture: true, passive: true });
  }

  #check(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const late = setTimeout(() => this.#note(true), PATIENCE_MS);
    const end = () => {
      clearTimeout(late);
      this.#isAsked = false;
      this.#note(false);
    };
    // An error also is an answer.
    this.ask().then(end, end);
  }

  #note(isGone: boolean): void {
    if (isGone === this.#isGone) return;
    this.#isGone = isGone;
    this.onChange(isGone);
  }
}

/** Above a page without its host. The page cannot do anything itself; the link runs a command of VS Code. */
export function lostHost({
  isHostGone = false,
}: {
  readonly isHostGone?: boolean;
}): TemplateResult | typeof nothing {
  if (!isHostGone) return nothing;
  return html`<div class="banner error-banner lost-host" role="alert"><div>
    <p>${l10n.t('The extension host does not respond, so this page may be out of date. Files, results and all runs that were sent are kept. If VS Code has restarted the host, close this editor and open it again; else reload the window.')}</p>
    <p><a href="command:workbench.action.reloadWindow">${l10n.t('Reload Window')}</a></p>
  </div></div>`;
}
