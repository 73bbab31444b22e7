import { limits } from './limits';
import type { PartOf } from './resultView';

export const textNames =
  /^(?:text|generated_text|summary_text|translation_text|output_text|summary|translation|answer|caption|transcript|transcription|completion|content|markdown|md|message|response|description)$/i;

/** Characters from which a member of a hit is read as a text and not as a fact beside others. */
const LONG_MEMBER = 24;

export function isTextMember({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return value.length >= LONG_MEMBER || textNames.test(name);
}

/** Property names of a model's answer, among facts about it. */
export const answerNames = new RegExp(
  `${textNames.source}|^(?:label|class|class_name|className|category|language|sentiment|emotion|topic|prediction|predicted|result|output|score|confidence)$`,
  'i',
);

const markdownNames = /^(?:markdown|md)$/i;

/** Marks that plain prose hardly has: fences, headings, list items, tables, bold words. */
const markdownMarks =
  /^(?: {0,3}#{1,6} \S| {0,3}(?:```|~~~)| {0,3}(?:[-*+]|\d+\.) \S.*\n {0,3}(?:[-*+]|\d+\.) \S|\|.+\|\s*\n\|[ :|-]+\|)|\*\*[^*\n]+\*\*/m;

/** Text, or Markdown by its property name, its type, or marks that only Markdown has. */
export function textPart(text: string, name = '', contentType = ''): PartOf<'text'> {
  const markdown =
    markdownNames.test(name) ||
    contentType.startsWith('text/markdown') ||
    markdownMarks.test(text.slice(0, 20_000));
  return { kind: 'text', text: text.slice(0, limits.textCharacters), characters: text.length, markdown };
}
