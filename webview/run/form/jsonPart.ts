import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { sameJson } from '../../../src/domain/value';
import type { JsonField } from '../../../src/forms/fieldTypes';
import type { AttachedFile } from '../../../src/protocol/run';
import { toolButton } from '../../shared/buttons';
import { typedIn } from '../../shared/controls';
import { allowDrop, carriesFiles } from '../../shared/fileIntake';
import { icon } from '../../shared/icon';
import { chooseFiles, mediaValue, takeFiles } from '../files';
import { readPart } from '../json/jsonText';
import { notPlaced, placeFile } from '../json/placeFile';
import type { RunPage } from '../page';
import { control, frame } from './frame';
import { fieldIds } from './ids';
import { textInTime } from './textInTime';

/** A part of the request as JSON, if no control of the form fits. Invalid text is kept. Takes files at the caret. */
export function jsonField(page: RunPage, field: JsonField): TemplateResult {
  const ids = fieldIds(field);
  const broken = page.state.work?.brokenParts?.[field.pointer];
  const current = document.getElementById(ids.control) as HTMLTextAreaElement | null;
  const text = broken ?? textFor(field, current?.value);
  const take = (files: readonly AttachedFile[]) => attach(page, field, files);
  const onFiles = (event: Event, data: DataTransfer | null) => {
    if (!data || !carriesFiles(data)) return;
    event.preventDefault();
    page.update({ dragging: false });
    void page.arrive(takeFiles(page, data).then(take));
  };
  return frame(
    page,
    field,
    html`${textInTime(
      page,
      ids.control,
      text,
      (shown, note) => html`<textarea
        ${control(page, field, { below: true, invalid: broken !== undefined })}
        class="code"
        rows=${Math.min(14, Math.max(3, shown.split('\n').length))}
        spellcheck="false"
        .value=${live(shown)}
        placeholder=${field.required ? l10n.t('JSON') : l10n.t('JSON; not sent if empty')}
        ?readonly=${field.readOnly || shown !== text}
        @input=${(event: Event) => write(page, field, typedIn(event))}
        @paste=${(event: ClipboardEvent) => onFiles(event, event.clipboardData)}
        @drop=${(event: DragEvent) => onFiles(event, event.dataTransfer)}
        @dragover=${(event: DragEvent) => carriesFiles(event.dataTransfer) && allowDrop(event)}
      ></textarea>${note}`,
    )}
      ${
        field.readOnly
          ? nothing
          : toolButton(
              'file-add',
              l10n.t('Attach File…'),
              () => page.arrive(chooseFiles(page, [], true).then(take)),
              { describedBy: ids.label },
            )
      }
      ${broken === undefined ? nothing : brokenNote(page, field, broken)}
      ${
        field.reason === 'misfit'
          ? html`<div class="quiet">
              ${l10n.t('This value does not match the model’s schema.')}
              ${toolButton(
                'discard',
                l10n.t('Reset and use the form'),
                () => page.editAt(field.pointer, field.initial()),
                { describedBy: ids.label },
              )}
            </div>`
          : nothing
      }`,
    { below: true },
  );
}

/** Where the text is wrong, and the way back to the last text that was not. */
function brokenNote(page: RunPage, field: JsonField, text: string): unknown {
  const read = readPart(field.pointer, text);
  if (!('problem' in read)) return nothing;
  const isShown = page.problemsAt(field.pointer, true).some(({ message }) => message === read.problem);
  return html`<div class="error" role="status">
    ${isShown ? nothing : html`${icon('error')} ${read.problem}`}
    ${toolButton(
      'discard',
      l10n.t('Restore Last Valid'),
      () => page.editBrokenPart(field.pointer, undefined),
      { describedBy: fieldIds(field).label },
    )}
  </div>`;
}

function write(page: RunPage, field: JsonField, text: string): void {
  if (text.trim() === '' && !field.required) {
    page.editBrokenPart(field.pointer, undefined);
    page.editAt(field.pointer, undefined);
    return;
  }
  const read = readPart(field.pointer, text);
  page.editBrokenPart(field.pointer, 'problem' in read ? text : undefined);
  if ('value' in read) page.editAt(field.pointer, read.value);
}

/** Puts files into the text, where the caret is. */
function attach(page: RunPage, field: JsonField, files: readonly AttachedFile[]): void {
  const area = document.getElementById(fieldIds(field).control) as HTMLTextAreaElement | null;
  if (!area) return;
  const levels = /^\/(input|params|options)$/.test(field.pointer) ? 1 : 0;
  for (const file of files) {
    // A part of a long text has no place for it.
    const change = area.readOnly
      ? undefined
      : placeFile(area.value, area.selectionStart, mediaValue(file), levels);
    if (!change) {
      page.update({ notice: notPlaced() });
      return;
    }
    area.setRangeText(change.insert, change.from, change.to, 'end');
    write(page, field, area.value);
  }
  area.focus();
}

/** The user's text and its formatting stay while it is equal to the value. */
function textFor(field: JsonField, typed: string | undefined): string {
  if (field.value === undefined) return '';
  const read = typed === undefined ? undefined : readPart(field.pointer, typed);
  if (typed !== undefined && read && 'value' in read && sameJson(read.value, field.value)) return typed;
  return JSON.stringify(field.value, null, 2);
}
