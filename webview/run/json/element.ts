import type { RunPage } from '../page';
import type { JsonEditor, JsonEditorHost } from './editor';
import { readText, textOf } from './requestText';

/** The JSON editor in the page: loads when it is first shown, keeps with the draft in both directions. */
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
    const { work } = page;
    if (work && work.brokenJson === undefined) {
      const read = readText(shown);
      // What the user typed stays as typed while it means the draft.
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
    if (!this.isConnected || !page?.work) return;
    const text = page.work.brokenJson ?? textOf(page.work.draft);
    this.#editor = createJsonEditor(this, text, this.#host(page));
    this.renew(page);
  }

  #host(page: RunPage): JsonEditorHost {
    return {
      part(name) {
        const { mode, work } = page;
        if (!mode || !work || (name !== 'input' && name !== 'params')) return undefined;
        return { schema: mode[name].schema, value: work.draft[name] };
      },
      problems: () => page.problems,
      edited(text) {
        const read = readText(text);
        if ('problem' in read) page.editWork({ brokenJson: text });
        else if (page.work)
          page.editWork({ draft: { ...page.work.draft, ...read }, brokenJson: undefined, brokenParts: {} });
      },
      left: () => undefined,
    };
  }
}

if (!customElements.get('mb-request-json')) customElements.define('mb-request-json', RequestJson);
