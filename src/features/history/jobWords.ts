import type { PastJob } from '../../domain/pastJob';

/** Whether each word begins a word in the kept texts of a job, like the search for runs. */
export function matchesWords({ head }: PastJob, words: string): boolean {
  const text = Object.values(head)
    .filter((value) => typeof value === 'string')
    .join('\n');
  const known = wordsOf(text);
  return wordsOf(words).every((word) => known.some((one) => one.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
