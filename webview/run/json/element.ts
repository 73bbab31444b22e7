import * as l10n from '@vscode/l10n';
import type { AttachedFile } from '../../../src/protocol/run';
import { mediaValue, takeFiles } from '../files';
import type { RunPage } from '../page';
import type { JsonEditor, JsonEditorHost } from './editor';
import { draftOfRequest, readText, requestText } from './requestText';

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
  place(files: readonly AttachedFile[], offset?: number): void {
    this.#editor?.place(files.map(mediaValue), offset);
  }

  async #load(): Promise<void> {
    if (this.#editor || this.#loading) return;
    this.#loading = true;
    const { createJsonEditor } = await import('./editor');
    this.#loading = false;
    const { page } = this;
    const work = page?.state.work;
    if (!this.isConnected || !page || !work) return;
    const text = work.brokenJson ?? requestText(work.draft);
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
      dropped: (data, offset) =>
        void page.arrive(takeFiles(page, data).then((files) => this.place(files, offset))),
      notPlaced: () =>
        page.update({
          notice: l10n.t(
            'Put the caret into a value of the JSON, or fix the JSON first, and attach the file again.',
          ),
        }),
      edited: (text) => {
        const { work, contract } = page.state;
        const draft = work && contract && draftOfRequest(text, contract, work.draft);
        if (draft) {
          page.editWork({ draft, brokenJson: undefined, brokenParts: {}, choices: {} });
          // Not within the editor's own change.
          queueMicrotask(() => this.#editor?.replace(requestText(draft)));
          return;
        }
        const read = readText(text);
        if ('problem' in read) page.editWork({ brokenJson: text });
        else if (work) {
          const draft = { ...work.draft, ...read };
          page.editWork({ draft, brokenJson: undefined, brokenParts: {}, choices: {} });
        }
      },
    };
  }
}

if (!customElements.get('mb-request-json')) customElements.define('mb-request-json', RequestJson);
