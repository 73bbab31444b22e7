/**
 * Where a text differs from another: all between the common beginning and the common end, in whole words. Empty where
 * they are equal, or where the other one only has more.
 */
export function changedPart(text: string, other: string): { readonly from: number; readonly to: number } {
  if (text === other) return { from: 0, to: 0 };
  const [words, others] = [splitWords(text), splitWords(other)];
  const most = Math.min(words.length, others.length);
  let start = 0;
  while (start < most && words[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++;
  const lengthOf = (some: readonly string[]) => some.join('').length;
  return {
    from: lengthOf(words.slice(0, start)),
    to: text.length - lengthOf(words.slice(words.length - end)),
  };
}

/** Words, and each character between them; together they are the text. */
function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}
