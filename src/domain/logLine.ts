import { errorCode } from './errorCode';

declare const made: unique symbol;

/**
 * A line of the log that holds no text that a user typed, a request sent or a response returned: only `logLine` and
 * `loggedError` make one, and the log accepts no other text.
 */
export type LogLine = string & { readonly [made]: true };

/** The parts between the words of a line: numbers, other lines, and words from the code itself. */
type Fact = number | boolean | string;

/** `never` for a string that is not one of certain words, so that it does not compile. */
type Known<T> = T extends LogLine | number | boolean
  ? T
  : T extends string
    ? Record<never, never> extends Record<T, 1>
      ? never
      : T
    : never;

/** A line of the log, as a tagged template: `` logLine`Imported ${count} files.` ``. */
export function logLine<const Facts extends readonly Fact[]>(
  words: TemplateStringsArray,
  ...facts: { [Index in keyof Facts]: Known<Facts[Index]> }
): LogLine {
  return String.raw({ raw: words }, ...facts) as LogLine;
}

/** A name that the code itself lists, as a member of `known`; another one is only said to be unknown. */
export function loggedName(name: string, known: object): LogLine {
  return (Object.hasOwn(known, name) ? name : 'an unknown name') as LogLine;
}

/** The code of the deepest error that has one, with a space before it; empty where it has none, or a sentence for one. */
export function loggedCode(error: unknown): LogLine {
  const code = errorCode(error);
  return (code !== undefined && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` ${code}` : '') as LogLine;
}
