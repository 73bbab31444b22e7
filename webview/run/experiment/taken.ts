import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { placeTaken } from '../../../src/domain/experimentSetup';
import type { Json } from '../../../src/domain/json';
import type { Field } from '../../../src/forms/fieldTypes';
import { iconButton } from '../../shared/buttons';
import { errors, hint } from '../form/frame';
import { fieldIds } from '../form/ids';
import type { RunPage } from '../page';
import { chooseInputs, editValues, focusLater, setupOf, stopVarying, unmap } from './edits';
import { valuesView } from './values';

/** Enumerations with more options begin with the chosen one alone: each value multiplies the runs. */
const MOST_BEGUN_WITH = 6;

/** Varies a field, beginning with the value that it has; a field that takes files is asked for those. */
export function vary(page: RunPage, field: Field): Promise<void> | void {
  if (field.kind === 'media' || field.kind === 'mediaList') return chooseInputs(page, 'files', field.pointer);
  editValues(page, field.pointer, { values: firstValues(field) });
  focusLater(page, fieldIds(field).control);
}

function firstValues(field: Field): Json[] {
  if (field.kind === 'boolean') return [true, false];
  const options = field.kind === 'enum' ? field.options.map(({ value }) => value) : [];
  if (options.length > 0 && options.length <= MOST_BEGUN_WITH) return options;
  return [field.value ?? field.default ?? field.initial()];
}

/** A field with values from the experiment. */
export function taken(page: RunPage, field: Field): TemplateResult | undefined {
  const { vary: varied, over } = setupOf(page);
  const values = varied[field.pointer];
  if (values) {
    const stop = () => {
      stopVarying(page, field.pointer, field.label);
      focusLater(page, fieldIds(field).control);
    };
    return frame(page, field, l10n.t('Do not vary'), stop, valuesView(page, field, values));
  }
  const place = placeTaken(over?.map ?? {}, field.pointer);
  if (!over || place === undefined) return undefined;
  const text =
    over.kind === 'rows' ? l10n.t('From the column “{0}”', over.map[place]!) : FROM_FILES[over.map[place]!]();
  const stop = () => {
    unmap(page, place, field.label);
    focusLater(page, fieldIds(field).control);
  };
  return frame(
    page,
    field,
    l10n.t('Do not take from the inputs'),
    stop,
    html`<div id=${fieldIds(field).control} tabindex="-1">${text}</div>`,
  );
}

const FROM_FILES = {
  file: () => l10n.t('Each of the files'),
  name: () => l10n.t('The name of each file'),
  text: () => l10n.t('The text of each file'),
} as const;

/** Label, values and problems, with the way back to one value. */
function frame(
  page: RunPage,
  field: Field,
  stopLabel: string,
  stop: () => void,
  content: TemplateResult,
): TemplateResult {
  const ids = fieldIds(field);
  return html`<div class="field taken" data-pointer=${field.pointer} role="group" aria-labelledby=${ids.label}>
    <div class="field-head">
      <span class="label" id=${ids.label}>${field.label}</span> <span class="badge">${l10n.t('varied')}</span>
      ${iconButton('close', stopLabel, stop, { describedBy: ids.label })}
    </div>
    ${hint(field)} ${content} ${errors(page, field, true)}
  </div>`;
}
