/** Characters of the longest piece: a token of a language model with its space. */
const LONGEST_PIECE = 40;

/**
 * Pieces of one text, as models that stream return them: short strings, of which a good part begins or ends with a space
 * or a line break. A list of names has none.
 */
export function isPieces(sample: readonly unknown[]): sample is readonly string[] {
  if (sample.length < 2) return false;
  const texts = sample.filter((item) => typeof item === 'string');
  if (texts.length < sample.length || texts.some((text) => text.length > LONGEST_PIECE)) return false;
  const joined = texts.filter(
    (text, at) => (at > 0 && /^\s/.test(text)) || (at < texts.length - 1 && /\s$/.test(text)),
  );
  return joined.length >= Math.max(1, texts.length * 0.3);
}
