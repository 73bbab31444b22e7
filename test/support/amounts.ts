import fc from 'fast-check';

/** Amounts of up to 12 digits and 8 decimals, beside their value in units of 10^-8. */
export const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
    const text = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
    return { text, units: units * 10n ** BigInt(8 - scale) };
  });
