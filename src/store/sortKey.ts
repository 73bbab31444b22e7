/** Separates a name from its sort key; sorted parts never contain it. */
const SEPARATOR = '\u0001';

/** A name with a sort key in front: without case and accents, numbers by their value. */
export function sortKey(name: string): string {
  const sorted = plain(name)
    .toLowerCase()
    .replace(/\d+/g, (digits) => {
      const value = digits.replace(/^0+(?=\d)/, '');
      return `${String(Math.min(value.length, 99)).padStart(2, '0')}${value}`;
    });
  return `${sorted}${SEPARATOR}${name}`;
}

/** The name of a key. */
export function nameInKey(key: string): string {
  return key.slice(key.indexOf(SEPARATOR) + 1);
}

const isPlain = /^[\x20-\x7e]*$/;

/** Without accents. */
export function plain(name: string): string {
  return isPlain.test(name) ? name : name.normalize('NFKD').replace(/[\p{M}\p{Cc}]/gu, '');
}
