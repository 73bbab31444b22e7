import type { ModelSummary } from '../../contract/model';

/** Whether every word of the filter stands somewhere in what a catalog row tells of a model, whatever the case. */
export function matchesFilter(model: ModelSummary, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [model.name, model.slug, model.description, model.group, ...model.tags, ...model.modeNames]
    .join('\n')
    .toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

/** A filter as typed, as words. */
export function filterWords(filter: string): string[] {
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
