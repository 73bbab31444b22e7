import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

interface CheckboxOptions {
  readonly disabled?: boolean;
  /** A directive that ties the control to its field. */
  readonly control?: unknown;
  /** The element that names it, instead of its text. */
  readonly labelledBy?: string;
}

/** A check box before its name. */
export function checkbox(
  name: unknown,
  isChecked: boolean,
  change: (isChecked: boolean) => unknown,
  { disabled = false, control, labelledBy }: CheckboxOptions = {},
): TemplateResult {
  // It also announces changes that the page makes.
  const changed = ({ target }: Event) => {
    const { checked } = target as HTMLInputElement;
    if (checked !== isChecked) change(checked);
  };
  return html`<vscode-checkbox ${control} aria-labelledby=${labelledBy} ?disabled=${disabled} @change=${changed}
    .checked=${live(isChecked)}>${name}</vscode-checkbox>`;
}

export interface RadioOption {
  readonly content: TemplateResult;
  readonly disabled: boolean;
}

/** One of several, each with its content beside it. @param chosen its index; -1: none */
export function radioGroup(
  name: string,
  options: readonly RadioOption[],
  chosen: number,
  choose: (index: number) => unknown,
): TemplateResult {
  const changed = ({ target }: Event) => {
    const { value } = target as HTMLInputElement;
    if (value !== String(chosen)) choose(Number(value));
  };
  return html`<vscode-radio-group aria-label=${name} orientation="vertical" @change=${changed} .value=${live(String(chosen))}>
    ${options.map(
      ({ content, disabled }, index) =>
        html`<vscode-radio class="choice" value=${index} ?disabled=${disabled}>${content}</vscode-radio>`,
    )}
  </vscode-radio-group>`;
}

/** Beside a text that says the same. */
export function progressRing(): TemplateResult {
  return html`<vscode-progress-ring aria-hidden="true"></vscode-progress-ring>`;
}
