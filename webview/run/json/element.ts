import type { AttachedFile } from '../../../src/protocol/run';
import type { RunPage } from '../page';
import type { JsonEditor } from './editor';
import { readText, requestText } from './requestText';

/** The JSON editor in the page: loaded when it is first shown, synchronized with the draft in both directions. */
export class RequestJson extends HTMLElement {
  page: RunPage | undefined;
  #editor: JsonEditor | undefined;
  #loading = false;

  connectedCallback(): void {
    void this.#load();
  }

  disconnectedCallback(): void {
    this.#editor?.view.destroy();
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
      const same = !('problem' in read) && requestText(read) === requestText(work.draft);
      if (!same) editor.replace(requestText(work.draft));
    } else if (work?.brokenJson !== undefined && work.brokenJson !== shown) {
      editor.replace(work.brokenJson);
    }
    editor.relint();
  }

  override focus(): void {
    const editor = this.#editor;
    const broken = this.page?.state.work?.brokenJson;
    const read = broken === undefined ? undefined : readText(broken);
    editor?.view.focus();
    if (read && 'problem' in read) editor?.moveTo(read.offset);
  }

  /** Puts files into the text at the caret. */
  place(files: readonly AttachedFile[]): void {
    this.#editor?.place(files);
  }

  async #load(): Promise<void> {
    if (this.#editor || this.#loading) return;
    this.#loading = true;
    const { JsonEditor } = await import('./editor');
    this.#loading = false;
    const { page } = this;
    const work = page?.state.work;
    if (!this.isConnected || !page || !work) return;
    const text = work.brokenJson ?? requestText(work.draft);
    this.#editor = new JsonEditor(this, text, page);
    this.renew(page);
  }
}

if (!customElements.get('mb-request-json')) customElements.define('mb-request-json', RequestJson);
