/** Section 8: the longest scope. */
export const LONGEST_SCOPE = 64;

export type ScopeFault = 'missing' | 'tooLong' | 'badStart' | 'badCharacter';

/** What is wrong with the format of a scope (section 2.1, rule 2); undefined when nothing is. */
export function scopeFault(text: string): ScopeFault | undefined {
  if (text === '') return 'missing';
  if (text.length > LONGEST_SCOPE) return 'tooLong';
  if (!/^[A-Za-z0-9]/.test(text)) return 'badStart';
  if (!/^[A-Za-z0-9._-]*$/.test(text)) return 'badCharacter';
  return undefined;
}
