import { compareAmounts, readAmount } from './amounts';
import { modelModality } from './modality';
import type { ModelSummary } from './model';

/** The text that is searched, built once for each model: a keystroke filters thousands. */
const texts = new WeakMap<ModelSummary, string>();

/** Whether a model meets every part of the filter: its text has the word, ignoring case, or the condition holds. */
export function matchesFilter(model: ModelSummary, words: readonly string[]): boolean {
  let text = texts.get(model);
  if (text === undefined) {
    const { name, slug, description, group, tags, modeNames } = model;
    text = [name, slug, description, group, ...tags, ...modeNames].join('\n').toLocaleLowerCase();
    texts.set(model, text);
  }
  return words.every((word) => conditionIn(word)?.(model) ?? text.includes(word));
}

/**
 * A filter as typed, as words. As in VS Code's own lists, `@` begins a condition: `@image`, `@text`, `@audio`, `@video`,
 * and `@price<0.01` for published prices of any unit.
 */
export function filterWords(filter: string): string[] {
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Undefined: a word to search for. */
function conditionIn(word: string): ((model: ModelSummary) => boolean) | undefined {
  if (/^@(?:image|text|audio|video)$/.test(word)) return (model) => modelModality(model) === word.slice(1);
  const most = readAmount(/^@price<=?(\d[\d.]*)$/.exec(word)?.[1] ?? '');
  if (most === undefined) return undefined;
  return ({ price }) => {
    const amount = price?.money && readAmount(price.money.amount);
    if (amount === undefined) return false;
    const difference = compareAmounts(amount, most);
    return difference < 0 || (difference === 0 && word.includes('<='));
  };
}

/** Whether a model serves to try clients, not data: its service tags it so. */
export function isForTesting({ tags }: Pick<ModelSummary, 'tags'>): boolean {
  return tags.some((tag) => /^test(s|ing)?$/i.test(tag));
}
