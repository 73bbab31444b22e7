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
import type { Json, JsonObject, JsonSchema } from '../../../src/domain/json';
import { pointerOf, segmentsOf } from '../../../src/domain/pointer';
import type { Problem } from '../../../src/domain/problems';
import { type Completion, hoverAt, nameCompletions, valueCompletions } from '../../../src/forms/completion';
import { carriesFiles } from '../../shared/fileIntake';
import { styleNonce } from '../../shared/host';
import { markdown } from '../../shared/markdown';
import { colours, look } from './editorLook';
import { placeFile } from './placeFile';
import { readText } from './requestText';

export interface JsonEditorHost {
  /** Schema and last valid value of "input" or "params". */
  part(name: string): { readonly schema: JsonSchema; readonly value: Json } | undefined;
  problems(): readonly Problem[];
  edited(text: string): void;
  /** Files were dropped or pasted at a place of the text. */
  dropped(data: DataTransfer, offset: number): void;
  /** Files have no place in the text. */
  notPlaced(): void;
}

export interface JsonEditor {
  readonly view: EditorView;
  /** Replaces the text, as one step that can be undone. */
  replace(text: string): void;
  moveTo(offset: number): void;
  /** Puts files into the text, at a place or at the caret. */
  place(files: readonly JsonObject[], offset?: number): void;
  /** Renews the marks of the problems. */
  relint(): void;
  dispose(): void;
}

/** A JSON editor with the model's schema behind its completion, hovers and squiggles. */
export function createJsonEditor(parent: HTMLElement, text: string, host: JsonEditorHost): JsonEditor {
  let replacing = false;
  const view = new EditorView({
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
          drop: (event, view) => intake(event, event.dataTransfer, dropPlace(event, view), host),
          paste: (event, view) => intake(event, event.clipboardData, view.state.selection.main.head, host),
        }),
        linter((view) => diagnostics(view, host), { delay: 200 }),
        autocompletion({ override: [(context) => complete(context, host)] }),
        hoverTooltip((view, position) => hover(view, position, host)),
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
          if (update.docChanged && !replacing) host.edited(update.state.doc.toString());
        }),
        look,
      ],
    }),
  });
  return {
    view,
    replace(next) {
      replacing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      replacing = false;
    },
    moveTo: (offset) => moveTo(view, offset),
    place(files, offset) {
      if (offset !== undefined) moveTo(view, offset);
      for (const file of files) {
        const caret = view.state.selection.main.head;
        const change = placeFile(view.state.doc.toString(), caret, file, 2);
        if (!change) {
          host.notPlaced();
          return;
        }
        const head = change.from + change.insert.length;
        view.dispatch({ changes: change, selection: { anchor: head }, scrollIntoView: true });
      }
      view.focus();
    },
    relint: () => forceLinting(view),
    dispose: () => view.destroy(),
  };
}

function moveTo(view: EditorView, offset: number): void {
  const anchor = Math.min(offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
}

function dropPlace(event: DragEvent, view: EditorView): number {
  return view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head;
}

/** Whether the event brought files, which are taken; a text is left to the editor. */
function intake(event: Event, data: DataTransfer | null, offset: number, host: JsonEditorHost): boolean {
  if (!data || !carriesFiles(data)) return false;
  event.preventDefault();
  host.dropped(data, offset);
  return true;
}

/** Why the text is no request; if it is one, its problems, each at its place. */
function diagnostics(view: EditorView, host: JsonEditorHost): Diagnostic[] {
  const text = view.state.doc.toString();
  const read = readText(text);
  if ('problem' in read) {
    const from = Math.max(0, Math.min(read.offset, text.length - 1));
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message: read.problem }];
  }
  const tree = parseTree(text);
  return host
    .problems()
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

function complete(context: CompletionContext, host: JsonEditorHost): CompletionResult | null {
  const text = context.state.doc.toString();
  const location = getLocation(text, context.pos);
  const [root, ...path] = location.path;
  if (typeof root !== 'string') return null;
  const part = host.part(root);
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

function hover(view: EditorView, position: number, host: JsonEditorHost) {
  const [root, ...path] = getLocation(view.state.doc.toString(), position).path;
  const part = typeof root === 'string' ? host.part(root) : undefined;
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
