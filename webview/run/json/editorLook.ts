import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor in the colors of VS Code's theme. */

export const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: tokenColor('name') },
  { tag: tags.string, color: tokenColor('string') },
  { tag: tags.number, color: tokenColor('number') },
  { tag: [tags.bool, tags.null], color: tokenColor('boolean') },
]);

/** As those of code: themes do not promise them a contrast of 4.5:1. */
function tokenColor(name: string): string {
  return `color-mix(in srgb, var(--vscode-debugTokenExpression-${name}) 70%, var(--code-text))`;
}

export const look = EditorView.theme({
  '&': {
    color: 'var(--code-text)',
    backgroundColor: 'var(--vscode-editor-background)',
    fontSize: 'var(--vscode-editor-font-size)',
  },
  '&.cm-focused': { outline: '1px solid var(--vscode-focusBorder)' },
  '.cm-scroller': { fontFamily: 'var(--vscode-editor-font-family, monospace)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--vscode-editorCursor-foreground)', minHeight: '12em' },
  '.cm-cursor': { borderLeftColor: 'var(--vscode-editorCursor-foreground)' },
  '.cm-gutters': {
    color: 'var(--vscode-editorLineNumber-foreground)',
    backgroundColor: 'var(--vscode-editor-background)',
    border: 'none',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--vscode-editor-selectionBackground)',
  },
  // No background: the browser gives it to the replacement of the bracket, as a style that the page’s policy forbids.
  '&.cm-focused .cm-matchingBracket': {
    outline: '1px solid var(--vscode-editorBracketMatch-border)',
    backgroundColor: 'transparent',
  },
  '&.cm-focused .cm-nonmatchingBracket': {
    outline: '1px solid var(--vscode-editorError-foreground)',
    backgroundColor: 'transparent',
  },
  '.cm-tooltip': {
    color: 'var(--vscode-editorHoverWidget-foreground)',
    backgroundColor: 'var(--vscode-editorHoverWidget-background)',
    border: '1px solid var(--vscode-editorHoverWidget-border, var(--vscode-contrastBorder))',
    padding: '2px 4px',
    maxWidth: '60ch',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--vscode-editorSuggestWidget-selectedForeground)',
    backgroundColor: 'var(--vscode-editorSuggestWidget-selectedBackground)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.85' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--vscode-errorForeground)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--vscode-editorError-foreground)',
  },
  '.cm-foldPlaceholder': { color: 'inherit', backgroundColor: 'transparent' },
});
