import { visibleText } from './plainText';

/** A text escaped for HTML and for quoted attributes; characters that hide or reorder text are shown. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
