import type { ModelSummary } from '../../domain/model';

/** The text that is searched, built once for each model: a keystroke filters thousands. */
const texts = new WeakMap<ModelSummary, string>();

function textOf(model: ModelSummary): string {
  let text = texts.get(model);
  if (text === undefined) {
    text = [model.name, model.slug, model.description, model.group, ...model.tags, ...model.modeNames]
      .join('\n')
      .toLocaleLowerCase();
    texts.set(model, text);
  }
  return text;
}

/** Whether a model's text contains every word of the filter, ignoring case. */
export function matchesFilter(model: ModelSummary, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = textOf(model);
  return words.every((word) => text.includes(word));
}

/** A filter as typed, as words. */
export function filterWords(filter: string): string[] {
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
