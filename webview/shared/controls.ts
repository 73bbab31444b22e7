import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { visibleText } from '../../src/wording/plainText';

/** The value of the field that an event is of. */
export function typedIn({ target }: Event): string {
  return (target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
}

/** @param isShown false: the name is for screen readers alone */
export function choice<T extends string | number | undefined>(
  name: string,
  value: T,
  options: readonly (readonly [value: T, text: string])[],
  choose: (value: T) => unknown,
  isShown = true,
): TemplateResult {
  const select = html`<select
    aria-label=${isShown ? nothing : name}
    .value=${live(String(value ?? ''))}
    @change=${({ target }: Event) => choose(options[(target as HTMLSelectElement).selectedIndex]![0])}
  >
    ${options.map(([one, text]) => html`<option value=${one ?? ''} ?selected=${one === value}>${visibleText(text)}</option>`)}
  </select>`;
  return isShown ? html`<label class="line">${name} ${select}</label>` : select;
}

interface SliderOptions {
  readonly min?: number;
  readonly max: number;
  readonly step?: number;
  readonly name?: string;
  /** Called when the slider is released. */
  release?(value: number): unknown;
}

/** A slider, which is filled up to its value. */
export function slider(
  value: number,
  move: (value: number) => unknown,
  { min = 0, max, step = 1, name, release }: SliderOptions,
): TemplateResult {
  const numberOf = ({ target }: Event) => (target as HTMLInputElement).valueAsNumber;
  return html`<input
    type="range"
    min=${min}
    max=${max}
    step=${step}
    aria-label=${name ?? nothing}
    .value=${live(String(value))}
    .style=${`--filled:${((value - min) / (max - min)) * 100}%`}
    @input=${(event: Event) => move(numberOf(event))}
    @change=${(event: Event) => release?.(numberOf(event))}
  />`;
}
