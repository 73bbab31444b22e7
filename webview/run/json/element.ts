import type { RunPage } from '../page';
import type { JsonEditor, JsonEditorHost } from './editor';
import { readText, textOf } from './requestText';

/** The JSON editor in the page: loaded when it is first shown, synchronized with the draft in both directions. */
export class RequestJson extends HTMLElement {
  page: RunPage | undefined;
  #editor: JsonEditor | undefined;
  #loading = false;

  connectedCallback(): void {
    void this.#load();
  }

  disconnectedCallback(): void {
    this.#editor?.dispose();
    this.#editor = undefined;
    this.replaceChildren();
  }

  /** The draft or its problems may have changed. */
  renew(page: RunPage): void {
    this.page = page;
    const editor = this.#editor;
    if (!editor) return;
    const shown = editor.view.state.doc.toString();
    const { work } = page.state;
    if (work && work.brokenJson === undefined) {
      const read = readText(shown);
      // The user's text and its formatting stay while it is equal to the draft.
      const same = !('problem' in read) && textOf(read) === textOf(work.draft);
      if (!same) editor.replace(textOf(work.draft));
    } else if (work?.brokenJson !== undefined && work.brokenJson !== shown) {
      editor.replace(work.brokenJson);
    }
    editor.relint();
  }

  override focus(): void {
    this.#editor?.view.focus();
  }

  async #load(): Promise<void> {
    if (this.#editor || this.#loading) return;
    this.#loading = true;
    const { createJsonEditor } = await import('./editor');
    this.#loading = false;
    const { page } = this;
    const work = page?.state.work;
    if (!this.isConnected || !page || !work) return;
    const text = work.brokenJson ?? textOf(work.draft);
    this.#editor = createJsonEditor(this, text, this.#host(page));
    this.renew(page);
  }

  #host(page: RunPage): JsonEditorHost {
    return {
      part(name) {
        const { mode } = page;
        const { work } = page.state;
        if (!mode || !work || (name !== 'input' && name !== 'params')) return undefined;
        return { schema: mode[name].schema, value: work.draft[name] };
      },
      problems: () => page.state.problems,
      edited(text) {
        const read = readText(text);
        const { work } = page.state;
        if ('problem' in read) page.editWork({ brokenJson: text });
        else if (work)
          page.editWork({ draft: { ...work.draft, ...read }, brokenJson: undefined, brokenParts: {} });
      },
    };
  }
}

if (!customElements.get('mb-request-json')) customElements.define('mb-request-json', RequestJson);
