import type { Json } from '../../domain/json';
import { isLocalRef } from '../../domain/media';
import { sameJson } from '../../domain/value';
import { matchesPattern } from '../patterns/pattern';
import { strings } from '../schema/node';
import type { CheckLimit } from '../work';
import type { NodeCheck } from './nodeCheck';

export function checkAnyType(check: NodeCheck): void {
  const { node, value, work } = check;
  if (node.type !== undefined) {
    const types = typeof node.type === 'string' ? [node.type] : strings(node.type);
    check.demand(
      'type',
      types.some((type) => isOfType(value, type)),
    );
  }
  if (isPending(check)) {
    if ('enum' in node || 'const' in node) check.demand('enum', undefined);
    return;
  }
  if (Array.isArray(node.enum)) {
    const options = node.enum as Json[];
    const holds = work.spend(options.length) ? options.some((option) => sameJson(option, value)) : undefined;
    check.demand('enum', holds);
  }
  if ('const' in node) check.demand('const', sameJson(node.const as Json, value));
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** A file that is not uploaded yet has its URI as its reference; the service's own reference is not known before. */
function isPending({ value, pointer }: NodeCheck): boolean {
  return typeof value === 'string' && pointer.endsWith('/media_ref') && isLocalRef(value);
}

/** The keywords of strings. `format` is an annotation: the form shows a hint, and the value stays valid. */
export function checkString(check: NodeCheck, value: string): void {
  const { node, work } = check;
  const { minLength, maxLength, pattern } = node;
  if (isPending(check)) {
    if (pattern !== undefined || maxLength !== undefined) check.demand('pattern', undefined);
    return;
  }
  if (typeof minLength === 'number') {
    const length = value.length < minLength ? value.length : codePoints(value, work);
    check.demand('minLength', length === undefined ? undefined : length >= minLength);
  }
  if (typeof maxLength === 'number' && value.length > maxLength) {
    // A code point has at most two units: of far longer texts none is counted, nor looked at for a pattern.
    const length = value.length > 2 * maxLength ? value.length : codePoints(value, work);
    check.demand('maxLength', length === undefined ? undefined : length <= maxLength);
    if (length !== undefined && length > maxLength) return;
  }
  if (typeof pattern === 'string') check.demand('pattern', matchesPattern(pattern, value, work));
}

/** In code points; undefined when there are too many to count. */
function codePoints(text: string, work: CheckLimit): number | undefined {
  if (!work.spend(text.length / 4)) return undefined;
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/** The keywords of numbers. */
export function checkNumber(check: NodeCheck, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = check.node;
  if (typeof minimum === 'number') check.demand('minimum', value >= minimum);
  if (typeof maximum === 'number') check.demand('maximum', value <= maximum);
  if (typeof exclusiveMinimum === 'number') check.demand('exclusiveMinimum', value > exclusiveMinimum);
  if (typeof exclusiveMaximum === 'number') check.demand('exclusiveMaximum', value < exclusiveMaximum);
  if (typeof multipleOf === 'number') check.demand('multipleOf', isMultipleOf(value, multipleOf));
}

/**
 * Whether a number is a multiple of another, by the decimal digits in which both are written: in binary fractions 0.3
 * would be no multiple of 0.1.
 *
 * @param divisor more than 0, as every `multipleOf` of a compiled schema is
 */
function isMultipleOf(value: number, divisor: number): boolean {
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shift = exponent - divisorExponent;
  const scaled = shift > 0 ? digits * 10n ** BigInt(shift) : digits;
  const scaledDivisor = shift < 0 ? divisorDigits * 10n ** BigInt(-shift) : divisorDigits;
  return scaled % scaledDivisor === 0n;
}

/** A number as whole digits times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
