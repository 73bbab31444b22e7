/**
 * Whether a number is a multiple of another, by the decimal digits in which both are written: in binary fractions 0.3
 * would be no multiple of 0.1.
 *
 * @param divisor more than 0, as every `multipleOf` of a compiled schema is
 */
export function isMultipleOf(value: number, divisor: number): boolean {
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
