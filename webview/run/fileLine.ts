import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownFile } from '../../src/protocol/run';
import { iconButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import type { RunPage } from './page';
import { unreadableText } from './work';

/** The run file that the panel was opened from, and saving into it. */
export function fileLine(page: RunPage): TemplateResult | typeof nothing {
  const { panel, work } = page.state;
  if (!panel || !work) return nothing;
  const { file } = panel;
  if (!file) return nothing;
  const isSaved = file.state === 'saved';
  return html`<div class="file-line line" role="group" aria-label=${l10n.t('Run file')}>
      <button
        type="button"
        class="text-button clip"
        title=${`${file.name}\n${l10n.t('Show the file in an editor')}`}
        @click=${() => void page.ask(page.host.call('showFile', {}))}
      >
        ${icon('file-code')} ${file.name}
      </button>
      <span class="quiet clip" role="status" title=${STATES[file.state]()}>${STATES[file.state]()}</span>
      ${iconButton('save', l10n.t('Save (Ctrl+S)'), () => saveFile(page), { disabled: isSaved, name: l10n.t('Save') })}
      ${iconButton('discard', l10n.t('Discard Changes'), () => page.ask(page.host.call('revertFile', {})), {
        disabled: isSaved || file.state === 'gone',
      })}
    </div>`;
}

/** Saves into the run file, if there is one with changes. */
export async function saveFile(page: RunPage): Promise<void> {
  const { file } = page.state.panel ?? {};
  if (!file || file.state === 'saved' || !isReadable(page)) return;
  page.sendEdit();
  await page.ask(page.host.call('saveFile', {}));
}

/** Makes a run file of the request. */
export async function saveAs(page: RunPage): Promise<void> {
  if (!isReadable(page)) return;
  // Before an edit the host does not know the form's initial content.
  page.sendEdit();
  await page.ask(page.host.call('saveAsRunFile', {}));
}

/** Text that is not JSON yet has no request to save. */
export function isReadable(page: RunPage): boolean {
  const unreadable = page.state.work && unreadableText(page.state.work);
  if (unreadable !== undefined) page.update({ notice: l10n.t('Not saved. {0}', unreadable) });
  return unreadable === undefined;
}

const STATES: Readonly<Record<ShownFile['state'], () => string>> = {
  saved: () => '',
  changed: () => l10n.t('not saved'),
  conflict: () => l10n.t('not saved, and changed elsewhere'),
  gone: () => l10n.t('deleted or moved'),
};

/** Both the panel and the file have changes that the other has not. */
export function fileConflict({ state: { panel } }: RunPage): TemplateResult | typeof nothing {
  if (panel?.file?.state !== 'conflict') return nothing;
  return html`<div class="banner warning" role="alert">
    ${icon('warning')}
    <div>
      ${l10n.t(
        'The file was changed outside this panel, which has changes of its own. Save to write this panel’s request, or discard its changes to use the file’s.',
      )}
    </div>
  </div>`;
}
