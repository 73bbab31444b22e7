import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownRun } from '../../src/protocol/run';
import { icon } from '../shared/icon';

/** The expectations of the panel's run file, one by one, with the wanted and the actual value of failed ones. */
export function checks({ checks = [] }: ShownRun): TemplateResult | typeof nothing {
  if (checks.length === 0) return nothing;
  const passed = checks.filter((check) => check.passed).length;
  return html`<section class="checks" aria-label=${l10n.t('Expectations')}>
    <h3>${l10n.t('{0} of {1} expectations passed', passed, checks.length)}</h3>
    <ul>
      ${checks.map(
        (check) => html`<li class=${check.passed ? 'passed' : 'failed'}>
          ${icon(check.passed ? 'pass' : 'error')}
          <span class="live">${check.passed ? l10n.t('Passed:') : l10n.t('Failed:')}</span>
          <span>${check.title}</span>
          ${
            check.passed
              ? nothing
              : html`<dl>
                  <dt>${l10n.t('Wanted')}</dt>
                  <dd><pre>${check.wanted}</pre></dd>
                  <dt>${l10n.t('Got')}</dt>
                  <dd><pre>${check.got}</pre></dd>
                </dl>`
          }
        </li>`,
      )}
    </ul>
  </section>`;
}
