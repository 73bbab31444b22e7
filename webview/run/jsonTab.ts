import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { toolButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { chooseFiles } from './files';
import { summary } from './formTab';
import { RequestJson } from './json/element';
import { readText, requestText } from './json/requestText';
import type { RunPage } from './page';
import { textTools } from './textTools';

async function attachAtCaret(page: RunPage): Promise<void> {
  const files = await chooseFiles(page, [], true);
  document.querySelector<RequestJson>('mb-request-json')?.place(files);
}

/** The JSON tab: `input` and `params` of the request, completed and checked by the model's schema. */
export function jsonTab(page: RunPage): TemplateResult {
  const broken = page.state.work?.brokenJson;
  const read = broken === undefined ? undefined : readText(broken);
  const text = broken ?? requestText(page.state.work!.draft);
  return html`<div>
    <mb-request-json
      class="editor-frame"
      ${ref((element) => {
        if (element instanceof RequestJson) element.renew(page);
      })}
    ></mb-request-json>
    ${
      read && 'problem' in read
        ? html`<div class="error" role="status">
            ${icon('error')} ${read.problem} ${l10n.t('The form updates once the JSON is valid.')}
            ${toolButton('discard', l10n.t('Restore Last Valid'), () =>
              page.replaceWork({ brokenJson: undefined }, l10n.t('The last valid JSON was restored.')),
            )}
          </div>`
        : nothing
    }
    ${textTools(
      page,
      text,
      'json',
      toolButton('file-add', l10n.t('Attach File…'), () => page.arrive(attachAtCaret(page))),
    )}
    ${summary(page)}
  </div>`;
}
