import * as l10n from '@vscode/l10n';
import type { Json } from '../domain/json';
import { childPointer } from '../domain/pointer';
import type { Problem } from '../domain/problems';
import { isObject } from '../domain/value';
import { VALUE_CHECKS } from './format';
import { readPattern } from './pattern';

/** Problems that keep expectations from being checked, beyond their JSON schema. */
export function expectationProblems(expect: Json | undefined): Problem[] {
  if (!Array.isArray(expect)) return [];
  return expect.flatMap((check, index) =>
    isObject(check) ? checkProblems(check, childPointer('/expect', index)) : [],
  );
}

/** The same of one check. @param pointer to it */
export function checkProblems(check: { readonly [key: string]: Json }, pointer: string): Problem[] {
  const { at, matches } = check;
  const checks = VALUE_CHECKS.filter((name) => check[name] !== undefined);
  const problems: Problem[] = [];
  if (Object.keys(check).length === 0)
    problems.push({
      pointer,
      message: l10n.t('This expectation checks nothing. Add a member such as “status” or “at”.'),
    });
  if (at === undefined && checks.length > 0) {
    const message = l10n.t(
      'Add “at”: the place of the value, for example "/label", or "" for the whole result.',
    );
    problems.push({ pointer: childPointer(pointer, checks[0]!), message });
  }
  if (at !== undefined && checks.length === 0 && check.hitsContain === undefined) {
    const message = l10n.t(
      'Add what the value must be: one of {0}.',
      [...VALUE_CHECKS, 'hitsContain'].join(', '),
    );
    problems.push({ pointer: childPointer(pointer, 'at'), message });
  }
  if (at === undefined && check.in !== undefined)
    problems.push({
      pointer: childPointer(pointer, 'in'),
      message: l10n.t('“in” belongs to “at”, which is missing.'),
    });
  if (typeof at === 'string' && at !== '' && !/^(?:\/(?:[^~]|~[01])*)$/.test(at))
    problems.push({
      pointer: childPointer(pointer, 'at'),
      message: l10n.t('A JSON pointer is "" or begins with “/”, for example "/labels/0/score".'),
    });
  if (typeof matches === 'string' && readPattern(matches) === undefined)
    problems.push({
      pointer: childPointer(pointer, 'matches'),
      message: l10n.t('This regular expression cannot be used: it is not valid, or could take too long.'),
    });
  return problems;
}
