import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../src/domain/json';
import type { ShownContract } from '../../src/domain/model';
import type { RunDraft } from '../../src/domain/run';
import { sameJson } from '../../src/domain/value';
import type { WorkInProgress } from '../../src/protocol/run';
import { iconButton, toolButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import type { RunPage } from './page';
import { resetWork } from './work';

/** The form's content has replaced earlier content, which can be restored. */
export interface Replacement {
  /** The event, as a sentence. */
  readonly text: string;
  readonly before: WorkInProgress;
  /** While the work is still this one, the user has not edited it since. */
  readonly after: WorkInProgress;
}

/** A whole work, as changes: fields that it lacks are removed from the present one too. */
export function changesTo(work: WorkInProgress): Partial<WorkInProgress> {
  const none = { brokenJson: undefined, brokenParts: undefined, choices: undefined, otherModes: undefined };
  return { ...none, ...work };
}

/** Whether the user would miss the replaced work: it was different, and more than the defaults. */
export function isMissed(contract: ShownContract, before: WorkInProgress, after: WorkInProgress): boolean {
  const isSame = before.brokenJson === after.brokenJson && sameDraft(before.draft, after.draft);
  const { draft: untouched } = resetWork(contract, before);
  const isDefault = before.brokenJson === undefined && sameDraft(before.draft, untouched ?? before.draft);
  return !isSame && !isDefault;
}

/** Whether the loss of a value does not matter to the user. */
export function isEmptyValue(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || JSON.stringify(value).length <= 2;
}

function sameDraft(a: RunDraft, b: RunDraft): boolean {
  return sameJson(a as unknown as Json, b as unknown as Json);
}

/** Names the replaced content, with a way back. */
export function replacement(page: RunPage): TemplateResult {
  const { replaced } = page.state;
  return html`<div role="status">
    ${
      replaced
        ? html`<div class="banner replaced">
            ${icon('info')}
            <div>
              ${replaced.text}
              ${toolButton('discard', l10n.t('Undo'), () => page.undoReplacement())}
            </div>
            ${iconButton('close', l10n.t('Dismiss'), () => page.update({ replaced: undefined }))}
          </div>`
        : nothing
    }
  </div>`;
}
