import { visibleText } from './plainText';

/** A text as it is written in HTML, also inside a quoted attribute; characters that hide or reorder text are shown. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
