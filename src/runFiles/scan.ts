import { visit } from 'jsonc-parser';
import { isReadable } from './text';

/** The facts of a run file that a list of tests shows. */
export interface ScannedRunFile {
  readonly name: string | undefined;
  /** The name of the member `expect`, with its quotes; undefined when the file has no expectations. */
  readonly expect: NamePlace | undefined;
}

/** Line and column count from 0. */
interface NamePlace {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

const NOTHING: ScannedRunFile = { name: undefined, expect: undefined };

/**
 * Finds the members `name` and `expect` at the top of a run file in one pass, without a tree: a tree takes a hundred
 * times the memory of its text, and this reads files that the user has not opened. The last of members with one name
 * counts, as in a file that is read whole.
 */
export function scanRunFile(text: string): ScannedRunFile {
  // Most files have no expectations; an escape may hide the name.
  if (!text.includes('"expect"') && !text.includes('\\u')) return NOTHING;
  if (!isReadable(text)) return NOTHING;
  let name: string | undefined;
  let expect: NamePlace | undefined;
  let isStarted = false;
  let isInExpect = false;
  /** Whether the next end belongs to a value with skipped content. */
  let isSkipping = false;
  let member = '';
  let place: NamePlace | undefined;
  const take = (value: unknown) => {
    if (isInExpect) expect = place;
    else if (member === 'name') name = typeof value === 'string' ? value : undefined;
    else if (member === 'expect') expect = undefined;
  };
  const skip = () => {
    if (isStarted) take(undefined);
    isStarted = true;
    isSkipping = true;
    return false;
  };
  const end = () => {
    if (!isSkipping) isInExpect = false;
    isSkipping = false;
  };
  visit(
    text.replace(/^\uFEFF/, ' '),
    {
      onObjectBegin() {
        if (isStarted) return skip();
        isStarted = true;
        return true;
      },
      onArrayBegin() {
        if (!isStarted || isInExpect || member !== 'expect') return skip();
        expect = undefined;
        isInExpect = true;
        return true;
      },
      onObjectProperty(property, _offset, length, line, column) {
        member = property;
        if (property === 'expect') place = { line, column, length };
      },
      onLiteralValue: take,
      onObjectEnd: end,
      onArrayEnd: end,
    },
    { allowTrailingComma: true },
  );
  return { name, expect };
}
