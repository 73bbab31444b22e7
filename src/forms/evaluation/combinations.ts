import { isObject } from '../../domain/value';
import { type Schema, schemaList, schemaMap, strings } from '../schema/node';
import type { NodeCheck } from './nodeCheck';
import type { NodeOutcome, Validity } from './outcome';

/** The keywords that apply schemas to the value itself. */
export function checkCombinations(check: NodeCheck): void {
  const { node } = check;
  for (const part of schemaList(node.allOf)) {
    const outcome = apply(check, part);
    check.include('allOf', outcome);
    check.adopt('allOf', outcome);
  }
  if (Array.isArray(node.anyOf)) checkVariants(check, 'anyOf', schemaList(node.anyOf));
  if (Array.isArray(node.oneOf)) checkVariants(check, 'oneOf', schemaList(node.oneOf));
  if ('not' in node) check.demand('not', negated(apply(check, node.not as Schema).verdict));
  if ('if' in node) checkCondition(check);
  checkDependents(check);
}

function apply(check: NodeCheck, schema: Schema): NodeOutcome {
  return check.evaluate(schema, check.value, check.pointer);
}

function negated(verdict: Validity): boolean | undefined {
  return verdict === 'unknown' ? undefined : verdict === 'invalid';
}

function checkVariants(check: NodeCheck, keyword: 'anyOf' | 'oneOf', variants: readonly Schema[]): void {
  const outcomes = variants.map((variant) => apply(check, variant));
  const matching = outcomes.filter(({ verdict }) => verdict === 'valid').length;
  const possible = outcomes.filter(({ verdict }) => verdict !== 'invalid').length;
  const most = keyword === 'oneOf' ? 1 : Number.POSITIVE_INFINITY;
  const isRefused = possible === 0 || matching > most;
  const isSure = matching >= 1 && possible <= most;
  check.demand(keyword, isRefused ? false : isSure || undefined, { tooMany: matching > most });
  for (const outcome of outcomes) check.adopt(keyword, outcome);
}

function checkCondition(check: NodeCheck): void {
  const { node } = check;
  const condition = apply(check, node.if as Schema);
  check.adopt('if', condition);
  const certain = condition.verdict !== 'unknown';
  const branches = [
    { keyword: 'then', applies: condition.verdict !== 'invalid' },
    { keyword: 'else', applies: condition.verdict !== 'valid' },
  ];
  for (const { keyword, applies } of branches) {
    if (!applies || !(keyword in node)) continue;
    const outcome = apply(check, node[keyword] as Schema);
    check.include('if', outcome, certain);
    check.adopt('if', outcome, certain);
  }
}

function checkDependents(check: NodeCheck): void {
  const { node, value, pointer } = check;
  if (!isObject(value)) return;
  for (const [key, names] of Object.entries(schemaMap(node.dependentRequired))) {
    if (!Object.hasOwn(value, key)) continue;
    const absent = strings(names).filter((name) => !Object.hasOwn(value, name));
    if (absent.length > 0)
      check.demand('dependentRequired', false, { rule: { absent, because: key }, pointer });
  }
  for (const [key, part] of Object.entries(schemaMap(node.dependentSchemas))) {
    if (!Object.hasOwn(value, key)) continue;
    const outcome = apply(check, part);
    check.include('dependentSchemas', outcome);
    check.adopt('dependentSchemas', outcome);
  }
}
