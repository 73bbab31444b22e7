import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { OverRows } from '../../../src/domain/experimentSetup';
import { formOf } from '../../../src/forms/buildForm';
import type { Field } from '../../../src/forms/fieldTypes';
import { typedIn } from '../../shared/controls';
import type { RunPage } from '../page';
import { editSetup, setupOf } from './edits';

/** The meaning of each column of the table: the value of a field, the expected value, or unused. */
export function columnsView(page: RunPage, over: OverRows): TemplateResult {
  const fields = fieldsOf(page);
  return html`<div class="columns" role="group" aria-label=${l10n.t('Columns of the table')}>
    ${over.columns.map((column) => {
      const use = useOf(over, column);
      const change = (event: Event) => putUse(page, over, column, typedIn(event));
      return html`<label>
        <span>${column}</span>
        <select .value=${live(use)} @change=${change}>
          <option value="" ?selected=${use === ''}>${l10n.t('Not used')}</option>
          <option value=${EXPECTED} ?selected=${use === EXPECTED}>${l10n.t('Expected result')}</option>
          ${fields.map(
            ({ pointer, label }) =>
              html`<option value=${pointer} ?selected=${use === pointer}>${label}</option>`,
          )}
        </select>
      </label>`;
    })}
  </div>`;
}

/** Pointers never equal it. */
const EXPECTED = 'expected';

function useOf({ map, expected }: OverRows, column: string): string {
  if (expected === column) return EXPECTED;
  return Object.keys(map).find((pointer) => map[pointer] === column) ?? '';
}

/** A field takes its values from one column, and a column has one use. */
function putUse(page: RunPage, over: OverRows, column: string, use: string): void {
  const { expected, ...others } = over;
  const kept = Object.entries(over.map).filter(([pointer, name]) => name !== column && pointer !== use);
  const map = Object.fromEntries(use === '' || use === EXPECTED ? kept : [...kept, [use, column]]);
  const wanted = use === EXPECTED ? column : expected === column ? undefined : expected;
  const { [use]: _varied, ...vary } = setupOf(page).vary;
  editSetup(page, { vary, over: { ...others, map, ...(wanted !== undefined && { expected: wanted }) } });
}

/** Fields of the form, those of groups left out. */
export function formFields(page: RunPage): readonly Field[] {
  const { mode } = page;
  const { work } = page.state;
  if (!mode || !work) return [];
  const forms = [
    formOf(mode.input.schema, work.draft.input, '/input', page.form),
    formOf(mode.params.schema, work.draft.params, '/params', page.form),
  ];
  return forms.flatMap((form) => (form.kind === 'object' ? form.children() : []));
}

/** Fields that a cell of a table can fill. */
function fieldsOf(page: RunPage): readonly Field[] {
  return formFields(page).filter(
    ({ kind, readOnly }) => !readOnly && kind !== 'const' && kind !== 'media' && kind !== 'mediaList',
  );
}
