import { endOfString, parsedJson } from '../domain/exactNumbers';

/**
 * Values that programs write into JSON against its rules: NaN and Infinity of Python, JavaScript and C, None, True
 * and False of a printed Python object, undefined of a template.
 */
const ODD = /"|(?<![\w$.])(?:-?(?:NaN|nan|Infinity|infinity|Inf|inf)|undefined|None|True|False)(?![\w$])/g;
const TOKENS: Readonly<Record<string, string>> = { True: 'true', False: 'false' };

export interface ReadJson {
  readonly value: unknown;
  /** Some values are not valid in JSON, and are read as null, or characters are not UTF-8. */
  readonly hasOddValues: boolean;
}

/**
 * The value of JSON text, in which one odd value spoils no other; undefined for other text. Numbers that JavaScript would
 * round are strings of their digits.
 */
export function tolerantJson(text: string): ReadJson | undefined {
  const value = parsedJson(text);
  if (value !== undefined) return { value, hasOddValues: false };
  const repaired = withoutOddValues(text);
  const other = repaired === undefined ? undefined : parsedJson(repaired);
  return other === undefined ? undefined : { value: other, hasOddValues: true };
}

/** Undefined: the text has no such values. */
function withoutOddValues(text: string): string | undefined {
  ODD.lastIndex = 0;
  let repaired = '';
  let end = 0;
  for (let match = ODD.exec(text); match; match = ODD.exec(text)) {
    const [token] = match;
    if (token === '"') {
      ODD.lastIndex = endOfString(text, match.index);
      continue;
    }
    repaired += text.slice(end, match.index) + (TOKENS[token] ?? 'null');
    end = match.index + token.length;
  }
  return end === 0 ? undefined : repaired + text.slice(end);
}
