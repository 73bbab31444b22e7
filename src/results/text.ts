import { limits } from './limits';
import type { PartOf } from './resultView';

/** Property names of generated text. */
export const textNames =
  /^(?:text|generated_text|summary_text|translation_text|output_text|summary|translation|answer|caption|transcript|transcription|completion|content|markdown|md|message|response|description)$/i;

const markdownNames = /^(?:markdown|md)$/i;

/** Marks that plain prose hardly has: fences, headings, list items, tables, bold words. */
const markdownMarks =
  /^(?: {0,3}#{1,6} \S| {0,3}(?:```|~~~)| {0,3}(?:[-*+]|\d+\.) \S.*\n {0,3}(?:[-*+]|\d+\.) \S|\|.+\|\s*\n\|[ :|-]+\|)|\*\*[^*\n]+\*\*/m;

/** Text, or Markdown by its property name, its type, or marks that only Markdown has. */
export function textPart(
  text: string,
  options: { name?: string; contentType?: string } = {},
): PartOf<'text'> {
  const head = text.slice(0, 20_000);
  const markdown =
    (options.name !== undefined && markdownNames.test(options.name)) ||
    options.contentType?.startsWith('text/markdown') === true ||
    markdownMarks.test(head);
  return { kind: 'text', text: text.slice(0, limits.textCharacters), characters: text.length, markdown };
}
