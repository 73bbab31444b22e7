import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ResultActions } from './results/channelActions';

/** Renders into the page itself, so that its theme, codicons and labels apply. */
export abstract class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A view of one part of a result. Subclasses declare only their own state. */
export abstract class ResultElement<Shown> extends PageElement {
  static override properties: PropertyDeclarations = {
    shows: { attribute: false },
    pointer: { attribute: false },
    actions: { attribute: false },
    name: { attribute: false },
    problem: { state: true },
  };
  declare shows: Shown;
  declare pointer: string;
  declare actions: ResultActions;
  declare name: string;
  /** Why something could not be loaded. */
  declare problem: string | undefined;

  /** Called before the first rendering of another part. */
  protected abstract reset(): void;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('shows') || changed.get('shows') === this.shows) return;
    this.problem = undefined;
    this.reset();
  }
}

/** A button with a text alone in the toolbar of a result. */
export function resultButton(label: string, onClick: () => unknown): TemplateResult {
  return html`<button type="button" class="tool-button" @click=${() => void onClick()}>${label}</button>`;
}

/** Defines an element once, even if two bundles of a page contain it. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
