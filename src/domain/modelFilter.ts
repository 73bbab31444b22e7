import type { ModelSummary } from './model';

/** The text that is searched, built once for each model: a keystroke filters thousands. */
const texts = new WeakMap<ModelSummary, string>();

/** Whether a model's text contains every word of the filter, ignoring case. */
export function matchesFilter(model: ModelSummary, words: readonly string[]): boolean {
  let text = texts.get(model);
  if (text === undefined) {
    const { name, slug, description, group, tags, modeNames } = model;
    text = [name, slug, description, group, ...tags, ...modeNames].join('\n').toLocaleLowerCase();
    texts.set(model, text);
  }
  return words.every((word) => text.includes(word));
}

/** A filter as typed, as words. */
export function filterWords(filter: string): string[] {
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
