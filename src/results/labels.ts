import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber, sampled, scoreKeys } from './sampling';

/** Property names of labels, the likelier first. */
export const labelKeys = words(`
  label class class_name className category name tag language lang
  sentiment emotion topic answer sequence token_str word value
`);

/** Properties that bars of labels and scores may leave out. */
const besideLabels = words('id index rank token token_str class_id code start end words');

/** Labels with scores, the highest score first. */
export function resultLabels(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
): PartOf<'labels'> | undefined {
  const scoreKey = commonKey(sample, scoreKeys, isNumber);
  const labelKey = commonKey(sample, ['entity_group', ...labelKeys], (value) => typeof value === 'string');
  if (!scoreKey || !labelKey) return undefined;
  const others = new Set(sample.flatMap((item) => Object.keys(item)));
  for (const key of [scoreKey, labelKey]) others.delete(key);
  if ([...others].some((key) => !besideLabels.includes(key))) return undefined; // a table shows them
  const labels = items
    .flatMap((item) => {
      const [label, score] = [item[labelKey], item[scoreKey]];
      const beside = [...others].map((key) => item[key]).filter((value) => typeof value === 'string');
      const about = beside.join(' · ').slice(0, limits.cellCharacters);
      return typeof label === 'string' && isNumber(score) ? [{ label, score, ...(about && { about }) }] : [];
    })
    .sort((a, b) => b.score - a.score);
  return { kind: 'labels', labels: labels.slice(0, limits.labels), total: items.length };
}

/** `{ labels: [...], scores: [...] }`, side by side. */
export function parallelLabels(object: UnknownObject): PartOf<'labels'> | undefined {
  const { labels, scores } = object;
  if (!Array.isArray(labels) || !Array.isArray(scores) || labels.length !== scores.length) return undefined;
  return resultLabels(
    labels.map((label: unknown, index) => ({ label, score: scores[index] as unknown })),
    sampled(labels).map((label: unknown) => ({ label, score: scores[labels.indexOf(label)] as unknown })),
  );
}

const geometryNames = /^(?:x|y|z|w|h|width|height|left|right|top|bottom|lat|lon|lng|latitude|longitude)$/i;
const scoreMapNames = /^(?:scores?|probabilit(?:y|ies)|labels|classes|distribution|confidences?|emotions?)$/i;

/** `{ "positive": 0.9, "negative": 0.1 }`: an object with shares as its values. */
export function scoreMap(
  object: UnknownObject,
  key: string | undefined,
  areScores = false,
): PartOf<'labels'> | undefined {
  const entries = Object.entries(object);
  if (entries.length < 2 || entries.some(([name]) => geometryNames.test(name))) return undefined;
  const low = key !== undefined && scoreMapNames.test(key) ? -1 : 0;
  if (!entries.every(([, value]) => isNumber(value) && value >= low && value <= 1)) return undefined;
  if (!areScores && entries.every(([, value]) => Number.isInteger(value)) && low === 0) return undefined; // flags or counts
  return resultLabels(
    entries.map(([label, score]) => ({ label, score })),
    sampled(entries).map(([label, score]) => ({ label, score })),
  );
}
