import { beginning } from '../domain/words';

/** U+2060: seen by no reader and spoken by no screen reader, it keeps two characters from being one sign of markup. */
const WORD_JOINER = '\u2060';
/** Code units of a line. VS Code cuts a notification at 1,000; rows and tooltips have no limit of their own. */
const LONGEST_LINE = 2_000;

/**
 * Characters that command, hide or reorder text: controls, line separators, halves of surrogate pairs, and all that
 * Unicode lets a font leave out (marks of direction, soft hyphens, zero-width spaces, tags). Not among them: joiners after
 * a character outside ASCII, which scripts and emoji need, variation selectors, and our own word joiners.
 */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\ufff9-\ufffb]|(?!\p{Variation_Selector}|\p{Join_Control}|\u2060)\p{DI}|(?<![^\0-\x7f])\p{Join_Control}|(?<![\]$:])\u2060|\u2060(?![(/])/gu;

/** A text of anyone (service, file name, setting, repository) with its hidden characters shown; its lines stay lines. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    /[\t\r\n]/.test(character) ? character : visible(character),
  );
}

/**
 * Turns any text into one line that VS Code shows unchanged. In the texts of its window VS Code makes links of
 * `[label](address)`, commands among them (src/vs/base/common/linkedText.ts), and icons of `$(name)`
 * (src/vs/base/common/iconLabels.ts): both are split by a word joiner, which changes neither the look nor the spoken
 * text. Control characters become their pictures (␊), other hidden ones their code points ([U+202E], as VS Code's
 * editors show them), so that a name is neither two lines nor read backwards.
 */
export function plainLine(text: string): string {
  return beginning(text, LONGEST_LINE)
    .replaceAll(HIDDEN, visible)
    .replaceAll('](', `]${WORD_JOINER}(`)
    .replaceAll('$(', `$${WORD_JOINER}(`);
}

/** Several lines, each of them plain: only line breaks of our own begin a new one. */
export function plainLines(lines: string | readonly string[]): string {
  return typeof lines === 'string' ? plainLine(lines) : lines.map(plainLine).join('\n');
}

/**
 * A text of anyone as one line of a terminal. CI services take commands from a job's output: GitHub `::name::` at the
 * start of a line and `##[name]` anywhere, others `##vso[…]`, TeamCity `##teamcity[…]`. A space splits them: some
 * of these services compare texts without the characters that are not seen, a word joiner among them.
 */
export function terminalLine(text: string): string {
  return plainLine(text)
    .replaceAll(/#(?=\p{DI}*#)/gu, '# ')
    .replace(/^[\s\p{DI}]*:(?=\p{DI}*:)/u, '$& ');
}

/**
 * A value as one line of JSON for a terminal or a pipe: hidden characters and the prefixes of CI commands are escaped, so
 * that it reads back as the same value.
 */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(HIDDEN, (character) => character.split('').map(escaped).join(''))
    .replaceAll(/#(?=\p{DI}*#)/gu, escaped('#'));
}

/** A code unit of a JSON text. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Turns any text into Markdown that shows it unchanged. Every punctuation mark of ASCII is escaped, as CommonMark
 * allows: `appendText` of VS Code leaves addresses, which its Markdown then makes links.
 */
export function markdownText(text: string, lineBreak = '  \n'): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .replaceAll(HIDDEN, visible)
        .trim()
        .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&'),
    )
    .join(lineBreak);
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code === 0x2028 || code === 0x2029) return '␤';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
