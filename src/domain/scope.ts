/** Section 8: the longest scope. */
export const LONGEST_SCOPE = 64;

export type ScopeFault = 'missing' | 'tooLong' | 'badStart' | 'badCharacter';

/** The problem with the format of a scope (section 2.1, rule 2); undefined for a valid scope. */
export function scopeFault(text: string): ScopeFault | undefined {
  if (text === '') return 'missing';
  if (text.length > LONGEST_SCOPE) return 'tooLong';
  if (!/^[A-Za-z0-9]/.test(text)) return 'badStart';
  if (!/^[A-Za-z0-9._-]*$/.test(text)) return 'badCharacter';
  return undefined;
}

/**
 * A folder's name as a scope: characters that a scope cannot have become hyphens. Undefined when no character is
 * left.
 */
export function scopeNamed(folder: string): string | undefined {
  const scope = folder
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z\d]+/, '')
    .replace(/[.-]+$/, '');
  return scopeFault(scope) === undefined ? scope : undefined;
}
