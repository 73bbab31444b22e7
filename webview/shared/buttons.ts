import { html, nothing, type TemplateResult } from 'lit';

interface IconButtonOptions {
  readonly disabled?: boolean;
  readonly id?: string;
  /** The accessible name, if it says more than the label. */
  readonly name?: string;
  readonly tab?: 0 | -1;
  /** The element that names the button's object. */
  readonly describedBy?: string;
}

interface TextButtonOptions {
  readonly kind?: 'primary' | 'secondary';
  /** Of a button that is turned on and off. */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  /** The tooltip; by default that of a label that may be cut. */
  readonly title?: string;
}

/** A shorter label is not cut in a narrow page. */
const LONG_LABEL = 30;

/** A button with a text, in VS Code's own look. */
export function textButton(
  label: unknown,
  act: (event: MouseEvent) => unknown,
  { kind = 'secondary', pressed, disabled = false, title }: TextButtonOptions = {},
): TemplateResult {
  const isLong = typeof label === 'string' && label.length > LONG_LABEL;
  return html`<button
    type="button"
    class=${kind}
    title=${title ?? (isLong ? label : nothing)}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    ?disabled=${disabled}
    @click=${(event: MouseEvent) => void act(event)}
    >${label}</button
  >`;
}

/** A button of a toolbar with an icon and a text: its background shows under the pointer. */
export function toolButton(
  glyph: string,
  label: string,
  act: () => unknown,
  { id, describedBy }: Pick<IconButtonOptions, 'id' | 'describedBy'> = {},
): TemplateResult {
  return html`<button
    type="button"
    class="tool-button"
    id=${id ?? nothing}
    aria-describedby=${describedBy ?? nothing}
    @click=${() => void act()}
    ><span class="codicon codicon-${glyph}" aria-hidden="true"></span>${label}</button
  >`;
}

/** A button that is an icon alone. */
export function iconButton(
  glyph: string,
  label: string,
  act: () => unknown,
  { disabled = false, id, name = label, tab, describedBy }: IconButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    id=${id ?? nothing}
    tabindex=${tab ?? nothing}
    title=${label}
    aria-label=${name}
    aria-describedby=${describedBy ?? nothing}
    ?disabled=${disabled}
    @click=${() => void act()}
    ><span class="codicon codicon-${glyph}" aria-hidden="true"></span
  ></button>`;
}
