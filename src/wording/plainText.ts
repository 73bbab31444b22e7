/** U+2060: seen by no reader and spoken by no screen reader, it keeps two characters from being one sign of markup. */
const WORD_JOINER = '\u2060';
/** Code units of a line. VS Code cuts a notification at 1,000; rows and tooltips have no limit of their own. */
const LONGEST_LINE = 2_000;

/**
 * A text of anyone (service, file name, setting, repository) as one line that VS Code shows as it is. In the texts of
 * its window VS Code makes links of `[label](address)`, commands among them (src/vs/base/common/linkedText.ts), and
 * icons of `$(name)` (src/vs/base/common/iconLabels.ts): both are split by a word joiner, which changes neither what
 * is read nor what is spoken. Control characters become their pictures (␊), and those that reorder text their code
 * points ([U+202E], as VS Code's editors show them), so that a name is neither two lines nor read backwards.
 */
export function plainLine(text: string): string {
  const short = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
  return (
    short
      .replaceAll(/\p{Surrogate}/gu, '\ufffd')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are shown
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, visible)
      .replaceAll('](', `]${WORD_JOINER}(`)
      .replaceAll('$(', `$${WORD_JOINER}(`)
  );
}

/** Several lines, each of them plain: only what is made of ours begins a new one. */
export function plainLines(lines: string | readonly string[]): string {
  return typeof lines === 'string' ? plainLine(lines) : lines.map(plainLine).join('\n');
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code < 0xa0) return '\ufffd';
  if (code <= 0x2029) return '␤';
  return `[U+${code.toString(16).toUpperCase()}]`;
}
