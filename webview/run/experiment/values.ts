import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { firstInexact } from '../../../src/domain/exactNumbers';
import type { SetUpValues } from '../../../src/domain/experimentSetup';
import type { Json } from '../../../src/domain/json';
import type { RunDraft } from '../../../src/domain/run';
import { sameJson, setAt } from '../../../src/domain/value';
import { valueText } from '../../../src/domain/words';
import { checkDraft } from '../../../src/forms/checkDraft';
import type { EnumOption, Field } from '../../../src/forms/fieldTypes';
import { iconButton, toolButton } from '../../shared/buttons';
import { typedIn } from '../../shared/controls';
import { fieldIds } from '../form/ids';
import { numberFrom } from '../form/number';
import type { RunPage } from '../page';
import { editValues, focusLater } from './edits';

type Listed = Extract<SetUpValues, { values: unknown }>;
type Range = Exclude<SetUpValues, Listed>;

/** Longer ranges begin their list with the first values. */
const MOST_LISTED = 50;

/** The values of a varied field: options to tick, a list, or of numbers a range. */
export function valuesView(page: RunPage, field: Field, values: SetUpValues): TemplateResult {
  if (field.kind === 'enum' && 'values' in values) return ticks(page, field, field.options, values.values);
  if (field.kind === 'boolean' && 'values' in values) return ticks(page, field, BOOLEANS, values.values);
  return html`${field.kind === 'number' ? kindSwitch(page, field, values) : nothing}
    ${'values' in values ? list(page, field, values.values) : rangeView(page, field, values)}`;
}

const BOOLEANS: readonly EnumOption[] = [true, false].map((value) => ({ value, label: String(value) }));

function ticks(
  page: RunPage,
  field: Field,
  options: readonly EnumOption[],
  values: readonly Json[],
): TemplateResult {
  const has = (value: Json) => values.some((one) => sameJson(one, value));
  const tick = (value: Json) => {
    const next = has(value)
      ? values.filter((one) => !sameJson(one, value))
      : options.map((option) => option.value).filter((one) => has(one) || sameJson(one, value));
    editValues(page, field.pointer, { values: [...next] });
  };
  return html`<div class="ticks" role="group" id=${fieldIds(field).control} tabindex="-1" aria-labelledby=${fieldIds(field).label}>
    ${options.map(
      ({ value, label }) => html`<label class="tick">
        <input type="checkbox" .checked=${live(has(value))} @change=${() => tick(value)} />${label}
      </label>`,
    )}
  </div>`;
}

/** A range is shorter than its numbers; a list has any. */
function kindSwitch(page: RunPage, field: Field, values: SetUpValues): TemplateResult {
  const isRange = !('values' in values);
  const change = () =>
    editValues(page, field.pointer, isRange ? listOf(values) : proposedRange(field, values));
  return html`<label class="quiet">
    <input type="checkbox" .checked=${live(isRange)} @change=${change} />${l10n.t('Range of numbers')}
  </label>`;
}

function proposedRange(field: Field, { values }: Listed): Range {
  const numbers = values.filter((value) => typeof value === 'number');
  const from = numbers.length > 0 ? Math.min(...numbers) : 0;
  const step = field.kind === 'number' ? (field.step ?? field.sliderStep) : 1;
  const to = numbers.length > 1 ? Math.max(...numbers) : Number((from + 2 * step).toPrecision(12));
  return { from, to, step };
}

function listOf({ from, to, step }: Range): Listed {
  if (typeof from !== 'number' || typeof to !== 'number' || typeof step !== 'number' || step <= 0)
    return { values: [from] };
  const count = Math.min(MOST_LISTED, Math.max(1, Math.floor((to - from) / step + 1e-9) + 1));
  return { values: Array.from({ length: count }, (_, at) => Number((from + at * step).toPrecision(12))) };
}

function rangeView(page: RunPage, field: Field, range: Range): TemplateResult {
  const bound = (name: keyof Range, label: string) => html`<label>
    ${label}
    <input
      class="number"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      id=${name === 'from' ? fieldIds(field).control : nothing}
      aria-invalid=${String(typeof range[name] !== 'number')}
      .value=${String(range[name])}
      @change=${(event: Event) => {
        const text = typedIn(event);
        editValues(page, field.pointer, { ...range, [name]: numberFrom(text) });
      }}
    />
  </label>`;
  return html`<div class="range-bounds">
    ${bound('from', l10n.t('From'))} ${bound('to', l10n.t('To'))} ${bound('step', l10n.t('Step'))}
  </div>`;
}

function list(page: RunPage, field: Field, values: readonly Json[]): TemplateResult {
  const { control } = fieldIds(field);
  const put = (next: readonly Json[]) => editValues(page, field.pointer, { values: [...next] });
  const add = () => {
    put([...values, isText(field) || field.kind === 'number' ? '' : (values.at(-1) ?? field.initial())]);
    focusLater(page, `${control}-value-${values.length}`);
  };
  const remove = (index: number) => {
    put(values.toSpliced(index, 1));
    focusLater(page, control);
  };
  return html`<ol class="values">
      ${values.map((value, index) => {
        const problem = valueProblem(page, field, value);
        return html`<li>
          ${valueInput(page, field, value, index, problem !== undefined, (next) => put(values.with(index, next)))}
          ${iconButton('close', l10n.t('Remove value'), () => remove(index), { name: l10n.t('Remove value {0}', index + 1) })}
          ${problem === undefined ? nothing : html`<div class="error" id="${control}-value-${index}-error">${problem}</div>`}
        </li>`;
      })}
    </ol>
    ${toolButton('add', l10n.t('Add Value'), add, { id: control, describedBy: fieldIds(field).label })}`;
}

function isText(field: Field): boolean {
  return field.kind === 'text';
}

function valueInput(
  page: RunPage,
  field: Field,
  value: Json,
  index: number,
  invalid: boolean,
  put: (value: Json) => void,
): TemplateResult {
  const id = `${fieldIds(field).control}-value-${index}`;
  const element = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement | null;
  const read = (text: string): Json =>
    isText(field) ? text : field.kind === 'number' ? numberFrom(text) : jsonFrom(text);
  // The typed text stays while it means the value: "1.0" is 1.
  const shown = element && sameJson(read(element.value), value) ? element.value : fieldText(field, value);
  const label = l10n.t('Value {0} of {1}', index + 1, field.label);
  const onInput = (event: Event) => put(read(typedIn(event)));
  const described = invalid ? `${id}-error` : nothing;
  return field.kind === 'number'
    ? html`<input id=${id} class="number" type="text" inputmode="decimal" autocomplete="off" aria-label=${label}
        aria-invalid=${String(invalid)} aria-describedby=${described} .value=${live(shown)} @input=${onInput}
        @blur=${() => page.touch(field.pointer)} />`
    : html`<textarea id=${id} rows="1" class=${isText(field) ? '' : 'code'} aria-label=${label}
        aria-invalid=${String(invalid)} aria-describedby=${described} .value=${live(shown)} @input=${onInput}
        @blur=${() => page.touch(field.pointer)}></textarea>`;
}

/** Text that is no JSON stays text: the check of the field reports its problem. */
function jsonFrom(text: string): Json {
  try {
    return firstInexact(text) === undefined ? (JSON.parse(text) as Json) : text;
  } catch {
    return text;
  }
}

function fieldText(field: Field, value: Json): string {
  return isText(field) || field.kind === 'number' ? valueText(value) : JSON.stringify(value);
}

/** The problem with one of the values of a field. A value that was just added is not wrong yet. */
function valueProblem(page: RunPage, { pointer }: Field, value: Json): string | undefined {
  const { work, contract, showAll } = page.state;
  if (!work || !contract || (value === '' && !showAll)) return undefined;
  const draft = setAt(work.draft as unknown as Json, pointer, value) as unknown as RunDraft;
  return checkDraft({ ...contract, raw: undefined }, draft).find(
    (problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`),
  )?.message;
}
