import * as l10n from '@vscode/l10n';
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';
import { isExactNumber } from '../../../src/domain/exactNumbers';
import type { Json } from '../../../src/domain/json';
import { isObject } from '../../../src/domain/value';
import { cannotBeExact } from '../../../src/forms/issueMessage';
import { faultText } from '../../../src/wording/requestFaults';

/** Why a text cannot be sent, and the place of the problem. */
export interface TextProblem {
  readonly problem: string;
  /** Characters from the start of the text. */
  readonly offset: number;
}

/**
 * The value of a JSON text. A text whose value would differ from its look has a problem too: a name that occurs
 * twice, a number with more digits than a number of JavaScript has, `__proto__`.
 */
export function readJson(text: string): { readonly value: Json } | TextProblem {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return syntaxProblem(text);
  }
  return lossOf(text) ?? { value };
}

/** The value of a JSON editor inside the form; the parts of the request itself are objects. */
export function readPart(pointer: string, text: string): { readonly value: Json } | TextProblem {
  const read = readJson(text);
  const isWhole = /^\/(input|params|options)$/.test(pointer);
  if ('problem' in read || !isWhole || isObject(read.value)) return read;
  return { problem: faultText({ fault: 'type', field: pointer.slice(1), expected: 'object' }), offset: 0 };
}

/** "line 3, column 5" of a place in a text, both from 1. */
function placeText(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return l10n.t('line {0}, column {1}', before.length, (before.at(-1)?.length ?? 0) + 1);
}

function syntaxProblem(text: string): TextProblem {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  const offset = Math.min(first?.offset ?? text.length, text.length);
  const reason = REASONS.get(first ? printParseErrorCode(first.error) : '')?.();
  const place = placeText(text, offset);
  const problem = reason
    ? l10n.t('This is not valid JSON ({0}): {1}', place, reason)
    : l10n.t('This is not valid JSON ({0}).', place);
  return { problem, offset };
}

/** By the parser's name of an error. */
const REASONS = new Map<string, () => string>([
  ['PropertyNameExpected', () => l10n.t('a name in double quotes is expected.')],
  ['ValueExpected', () => l10n.t('a value is expected.')],
  ['ColonExpected', () => l10n.t('a colon is expected.')],
  ['CommaExpected', () => l10n.t('a comma is expected.')],
  ['CloseBraceExpected', () => l10n.t('a closing brace is expected.')],
  ['CloseBracketExpected', () => l10n.t('a closing bracket is expected.')],
  ['EndOfFileExpected', () => l10n.t('nothing may follow here.')],
  ['InvalidSymbol', () => l10n.t('text has to be in double quotes.')],
  ['InvalidNumberFormat', () => l10n.t('this number is not written as JSON wants it.')],
  ['InvalidCommentToken', () => l10n.t('JSON has no comments.')],
  ['UnexpectedEndOfComment', () => l10n.t('JSON has no comments.')],
  ['UnexpectedEndOfString', () => l10n.t('the closing quote is missing.')],
  ['UnexpectedEndOfNumber', () => l10n.t('the number is incomplete.')],
  ['InvalidEscapeCharacter', () => l10n.t('this escape is not known.')],
  ['InvalidUnicode', () => l10n.t('this escape is not known.')],
  ['InvalidCharacter', () => l10n.t('this character has to be escaped.')],
]);

/** The first part of a valid text that a parsed value would not keep. */
function lossOf(text: string): TextProblem | undefined {
  let fault: TextProblem | undefined;
  const names: Set<string>[] = [];
  const note = (offset: number, problem: string) => {
    fault ??= { offset, problem: l10n.t('{0} ({1})', problem, placeText(text, offset)) };
  };
  visit(text, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty: (name, offset) => {
      const known = names.at(-1);
      if (name === '__proto__') note(offset, l10n.t('The name “__proto__” cannot be sent. Remove it.'));
      else if (known?.has(name))
        note(offset, l10n.t('The name “{0}” appears twice. Remove one of them.', name));
      known?.add(name);
    },
    onLiteralValue: (value, offset, length) => {
      const digits = text.slice(offset, offset + length);
      if (typeof value === 'number' && !isExactNumber(digits)) note(offset, cannotBeExact(digits));
    },
  });
  return fault;
}
