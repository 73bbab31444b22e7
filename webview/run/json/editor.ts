import {
  autocompletion,
  type Completion as CodeMirrorCompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, selectAll } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, getLocation, type JSONPath, parseTree } from 'jsonc-parser';
import { render } from 'lit';
import { pointerOf, segmentsOf } from '../../../src/domain/pointer';
import { type Completion, hoverAt, nameCompletions, valueCompletions } from '../../../src/forms/completion';
import type { AttachedFile } from '../../../src/protocol/run';
import { carriesFiles } from '../../shared/fileIntake';
import { styleNonce } from '../../shared/host';
import { markdown } from '../../shared/markdown';
import { mediaValue, takeFiles } from '../files';
import type { RunPage } from '../page';
import { colours, look } from './editorLook';
import { notPlaced, placeFile } from './placeFile';
import { draftOfRequest, readText, requestText } from './requestText';

/** A JSON editor with the model's schema behind its completion, hovers and squiggles. */
export class JsonEditor {
  readonly view: EditorView;
  #isReplacing = false;

  constructor(
    parent: HTMLElement,
    text: string,
    private readonly page: RunPage,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          // Ctrl+Enter runs the model: the page handles it.
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
          // VS Code handles this key too and would select all a moment later, after more was typed.
          Prec.highest(
            keymap.of([{ key: 'Mod-a', run: selectAll, preventDefault: true, stopPropagation: true }]),
          ),
          editorPhrases(),
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          json(),
          syntaxHighlighting(colours),
          EditorView.domEventHandlers({
            drop: (event, view) => this.#intake(event, event.dataTransfer, dropPlace(event, view)),
            paste: (event, view) => this.#intake(event, event.clipboardData, view.state.selection.main.head),
          }),
          linter((view) => diagnostics(view, page), { delay: 200 }),
          autocompletion({ override: [(context) => complete(context, page)] }),
          hoverTooltip((view, position) => hover(view, position, page)),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': l10n.t('Input and parameters as JSON') }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.#isReplacing) this.#edited(update.state.doc.toString());
          }),
          look,
        ],
      }),
    });
  }

  /** Replaces the text, as one step that can be undone. */
  replace(next: string): void {
    const { view } = this;
    this.#isReplacing = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    this.#isReplacing = false;
  }

  moveTo(offset: number): void {
    const { view } = this;
    view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) }, scrollIntoView: true });
  }

  /** Puts files into the text, at a place or at the caret. */
  place(files: readonly AttachedFile[], offset?: number): void {
    const { view } = this;
    if (offset !== undefined) this.moveTo(offset);
    for (const file of files) {
      const caret = view.state.selection.main.head;
      const change = placeFile(view.state.doc.toString(), caret, mediaValue(file), 2);
      if (!change) {
        this.page.update({ notice: notPlaced() });
        return;
      }
      const head = change.from + change.insert.length;
      view.dispatch({ changes: change, selection: { anchor: head }, scrollIntoView: true });
    }
    view.focus();
  }

  /** Renews the marks of the problems. */
  relint(): void {
    forceLinting(this.view);
  }

  #edited(text: string): void {
    const { work, contract } = this.page.state;
    if (!work) return;
    const pasted = contract && draftOfRequest(text, contract, work.draft);
    const read = readText(text);
    const draft = pasted ?? ('problem' in read ? undefined : { ...work.draft, ...read });
    if (draft) this.page.editWork({ draft, brokenJson: undefined, brokenParts: {}, choices: {} });
    else this.page.editWork({ brokenJson: text });
    // Not within the editor's own change.
    if (pasted) queueMicrotask(() => this.replace(requestText(pasted)));
  }

  /** Whether the event brought files, which are taken; a text is left to the editor. */
  #intake(event: Event, data: DataTransfer | null, offset: number): boolean {
    if (!data || !carriesFiles(data)) return false;
    event.preventDefault();
    void this.page.arrive(takeFiles(this.page, data).then((files) => this.place(files, offset)));
    return true;
  }
}

/** Schema and last valid value of "input" or "params". */
function partOf({ mode, state: { work } }: RunPage, name: string | number | undefined) {
  if (!mode || !work || (name !== 'input' && name !== 'params')) return undefined;
  return { schema: mode[name].schema, value: work.draft[name] };
}

function dropPlace(event: DragEvent, view: EditorView): number {
  return view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head;
}

/** Why the text is no request; if it is one, its problems, each at its place. */
function diagnostics(view: EditorView, page: RunPage): Diagnostic[] {
  const text = view.state.doc.toString();
  const read = readText(text);
  if ('problem' in read) {
    const from = Math.max(0, Math.min(read.offset, text.length - 1));
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message: read.problem }];
  }
  const tree = parseTree(text);
  return page.state.problems
    .filter(({ pointer }) => /^\/(input|params|options)(\/|$)/.test(pointer))
    .map(({ pointer, message }): Diagnostic => {
      for (let path = jsonPath(pointer); ; path = path.slice(0, -1)) {
        const node = tree && findNodeAtLocation(tree, path);
        if (!node && path.length > 0) continue;
        const missing = path.length < jsonPath(pointer).length;
        const name = String(jsonPath(pointer).at(-1));
        // A missing member has no position: its object's opening brace is marked.
        const from = node?.offset ?? 0;
        const to = missing ? from + 1 : from + (node?.length ?? 1);
        return { from, to, severity: 'error', message: missing ? `${name}: ${message}` : message };
      }
    });
}

/** A pointer as a path, in which array indexes are numbers. */
function jsonPath(pointer: string): JSONPath {
  return segmentsOf(pointer).map((segment) => (/^(0|[1-9]\d*)$/.test(segment) ? Number(segment) : segment));
}

function complete(context: CompletionContext, page: RunPage): CompletionResult | null {
  const text = context.state.doc.toString();
  const location = getLocation(text, context.pos);
  const [root, ...path] = location.path;
  const part = partOf(page, root);
  const word = context.matchBefore(/"?[^\s"{}[\],:]*"?/);
  if (!part || (!context.explicit && (!word || word.text === ''))) return null;
  const from = word?.from ?? context.pos;
  if (location.isAtPropertyKey) {
    const completions = nameCompletions(part.schema, part.value, pointerOf(path.slice(0, -1)));
    const hasColon = /^\s*(?:"\s*)?:/.test(text.slice(context.pos));
    return result(
      from,
      completions,
      (insert) =>
        hasColon ? JSON.stringify(JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(insert)?.[0] ?? '""')) : insert,
      true,
    );
  }
  return result(from, valueCompletions(part.schema, part.value, pointerOf(path)), (insert) => insert, false);
}

function result(
  from: number,
  completions: readonly Completion[],
  insertOf: (insert: string) => string,
  names: boolean,
): CompletionResult | null {
  if (completions.length === 0) return null;
  return {
    from,
    // The typed text may begin with a quote, as the label of a string value does.
    filter: true,
    options: completions.map(
      ({ label, insert, detail, documentation }): CodeMirrorCompletion => ({
        label: names ? JSON.stringify(label) : label,
        displayLabel: label,
        apply: insertOf(insert),
        detail,
        info: documentation === undefined ? undefined : () => documented(documentation),
        type: names ? 'property' : 'constant',
      }),
    ),
  };
}

function hover(view: EditorView, position: number, page: RunPage) {
  const [root, ...path] = getLocation(view.state.doc.toString(), position).path;
  const part = partOf(page, root);
  const text = part && hoverAt(part.schema, part.value, pointerOf(path));
  if (text === undefined) return null;
  return { pos: position, create: () => ({ dom: documented(text) }) };
}

function documented(text: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'documentation';
  render(markdown(text), dom);
  return dom;
}

/** Texts of the editor's library, in the user's language; the names are the library's own texts. */
const editorPhrases = () =>
  EditorState.phrases.of({
    Completions: l10n.t('Suggestions'),
    'Control character': l10n.t('Control character'),
    Diagnostics: l10n.t('Problems'),
    'No diagnostics': l10n.t('No problems'),
    'Fold line': l10n.t('Fold'),
    'Unfold line': l10n.t('Unfold'),
    'folded code': l10n.t('Folded text'),
    unfold: l10n.t('Unfold'),
    'Folded lines': l10n.t('Folded lines'),
    'Unfolded lines': l10n.t('Unfolded lines'),
    to: l10n.t({ message: 'to', comment: ['Between two line numbers: “Folded lines 3 to 5.”'] }),
    'Selection deleted': l10n.t('Selection deleted'),
    close: l10n.t('Close'),
  });
