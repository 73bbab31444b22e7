import { LitElement } from 'lit';

/** Elements of a result render into the page itself: its theme, its codicons and its labels reach them. */
export abstract class ResultElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Defines an element once, also when two bundles of a page bring it. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
