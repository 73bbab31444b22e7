import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import { formatNumber } from '../../../src/wording/number';
import { toolButton } from '../../shared/buttons';
import { laidOutInTime, shownAtOnce } from '../../shared/layoutTime';
import type { RunPage } from '../page';

/**
 * A text box with as much of its text as is laid out in time, mostly all; it can be read only where that is a part. A text
 * that the box has already was typed, or laid out before.
 * @param box a part with a note is not waited for any more
 */
export function textInTime(
  page: RunPage,
  id: string,
  text: string,
  box: (shown: string, note: TemplateResult | typeof nothing) => unknown,
): unknown {
  const current = document.getElementById(id);
  const has =
    current instanceof HTMLTextAreaElement || current instanceof HTMLInputElement ? current.value : '';
  const beginning = has === text ? text : shownAtOnce(text);
  if (beginning === text) return box(text, nothing);
  const note = (shown: string) =>
    shown === text
      ? nothing
      : html`<p class="quiet line wraps">
          ${l10n.t('The first {0} of {1} characters.', formatNumber(shown.length), formatNumber(text.length))}
          ${toolButton('arrow-right', l10n.t('Go to the JSON tab'), () => page.editWork({ tab: 'json' }))}
        </p>`;
  return until(
    laidOutInTime(text).then((shown) => box(shown, note(shown))),
    box(beginning, nothing),
  );
}
