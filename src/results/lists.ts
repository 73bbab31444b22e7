import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { limits } from './limits';
import { labelKeys } from './regions';
import type { PartOf } from './resultView';
import { commonKey, isNumber, isScalar, sampleOf, scoreKeys } from './sampling';
import { shortJson } from './tree';

/** Arrays of records and of numbers. */

const idKeys = [
  'id',
  'image_id',
  'imageId',
  'item_id',
  'document_id',
  'doc_id',
  '_id',
  'key',
  'filename',
] as const;
const measureKeys = [...scoreKeys, 'distance', 'relevance', 'relevance_score', 'rank_score'] as const;

/** Beside a label and its score these say nothing that bars would have to show. */
const besideLabels = new Set([
  'id',
  'index',
  'rank',
  'token',
  'token_str',
  'class_id',
  'code',
  'start',
  'end',
  'words',
]);

const isText = (value: unknown) => typeof value === 'string';
const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Search hits: items with an identifier and how near they are. */
export function hitsOf(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
): PartOf<'hits'> | undefined {
  const idKey = commonKey(sample, idKeys, isId);
  const measure = commonKey(sample, measureKeys, isNumber);
  if (!idKey || !measure) return undefined;
  if (commonKey(sample, labelKeys, isText) && idKey === 'id' && sample.every((item) => isNumber(item.id))) {
    return undefined; // a class number beside its label
  }
  const hits = items.slice(0, limits.hits).map((item, index) => {
    const rest = Object.entries(item).filter(([key]) => key !== idKey && key !== measure);
    const about = rest
      .map(([key, value]) => `${key}: ${isText(value) ? value : shortJson(value, 80)}`)
      .join(' · ');
    const score = item[measure];
    return {
      id: String(item[idKey] ?? ''),
      ...(isNumber(score) && { score }),
      ...(about !== '' && { about: about.slice(0, limits.cellCharacters) }),
      pointer: childPointer(pointer, index),
    };
  });
  return { kind: 'hits', hits, total: items.length, measure };
}

/** Labels with scores, the surest first. */
export function labelsOf(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
): PartOf<'labels'> | undefined {
  const scoreKey = commonKey(sample, scoreKeys, isNumber);
  const labelKey = commonKey(sample, ['entity_group', ...labelKeys], isText);
  if (!scoreKey || !labelKey) return undefined;
  const others = new Set(sample.flatMap((item) => Object.keys(item)));
  for (const key of [scoreKey, labelKey, ...besideLabels]) others.delete(key);
  if (others.size > 0) return undefined; // a table shows them
  const labels = items
    .flatMap((item) => {
      const [label, score] = [item[labelKey], item[scoreKey]];
      return typeof label === 'string' && isNumber(score) ? [{ label, score }] : [];
    })
    .sort((a, b) => b.score - a.score);
  return { kind: 'labels', labels: labels.slice(0, limits.labels), total: items.length };
}

/** `{ labels: [...], scores: [...] }`, side by side. */
export function parallelLabelsOf(object: UnknownObject): PartOf<'labels'> | undefined {
  const { labels, scores } = object;
  if (!Array.isArray(labels) || !Array.isArray(scores) || labels.length !== scores.length) return undefined;
  return labelsOf(
    labels.map((label: unknown, index) => ({ label, score: scores[index] as unknown })),
    sampleOf(labels).map((label: unknown) => ({ label, score: scores[labels.indexOf(label)] as unknown })),
  );
}

const geometryNames = /^(?:x|y|z|w|h|width|height|left|right|top|bottom|lat|lon|lng|latitude|longitude)$/i;
const scoreMapNames = /^(?:scores?|probabilit(?:y|ies)|labels|classes|distribution|confidences?|emotions?)$/i;

/** `{ "positive": 0.9, "negative": 0.1 }`: an object whose every value is a share. */
export function scoreMapOf(object: UnknownObject, key: string | undefined): PartOf<'labels'> | undefined {
  const entries = Object.entries(object);
  if (entries.length < 2 || entries.some(([name]) => geometryNames.test(name))) return undefined;
  const low = key !== undefined && scoreMapNames.test(key) ? -1 : 0;
  if (!entries.every(([, value]) => isNumber(value) && value >= low && value <= 1)) return undefined;
  if (entries.every(([, value]) => Number.isInteger(value)) && low === 0) return undefined; // flags or counts
  return labelsOf(
    entries.map(([label, score]) => ({ label, score })),
    sampleOf(entries).map(([label, score]) => ({ label, score })),
  );
}

const colorKeys = ['hex', 'color', 'colour', 'rgb'] as const;
const shareKeys = ['share', 'weight', 'fraction', 'percentage', 'percent', 'proportion', 'score'] as const;
const isColor = (value: unknown) => typeof value === 'string' && /^#(?:[0-9a-f]{3,4}){1,2}$/i.test(value);

/** Colours, bare or with their shares. */
export function colorsOf(
  items: readonly unknown[],
  sample: readonly unknown[],
): PartOf<'colors'> | undefined {
  if (sample.every(isColor)) {
    return {
      kind: 'colors',
      colors: items.slice(0, limits.labels).map((color) => ({ color: String(color) })),
    };
  }
  if (!sample.every(isObject)) return undefined;
  const colorKey = commonKey(sample, colorKeys, isColor);
  if (!colorKey) return undefined;
  const shareKey = commonKey(sample, shareKeys, isNumber);
  const colors = items.slice(0, limits.labels).flatMap((item) => {
    if (!isObject(item) || !isColor(item[colorKey])) return [];
    const share = shareKey ? item[shareKey] : undefined;
    return [{ color: item[colorKey] as string, ...(isNumber(share) && { share }) }];
  });
  return { kind: 'colors', colors };
}

/** Vectors shorter than this are read as a list of numbers. */
const SHORTEST_VECTOR = 8;

/** One vector, or the first of several of one dimension. */
export function vectorOf(items: readonly unknown[]): PartOf<'vector'> | undefined {
  const first = items[0];
  if (Array.isArray(first)) {
    const same = sampleOf(items).every(
      (item) => Array.isArray(item) && item.length === first.length && sampleOf(item).every(isNumber),
    );
    const vector = same ? vectorOf(first) : undefined;
    return vector && { ...vector, vectors: items.length };
  }
  if (items.length < SHORTEST_VECTOR || !items.every(isNumber)) return undefined;
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of items) {
    sum += value * value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const plotted = Math.min(items.length, limits.plotted);
  const values = Array.from(
    { length: plotted },
    (_, index) => items[Math.floor((index * items.length) / plotted)] as number,
  );
  return { kind: 'vector', values, dimension: items.length, norm: Math.sqrt(sum), min, max, vectors: 1 };
}

/** Records with properties in common, or a plain list of values. */
export function tableOf(items: readonly unknown[], sample: readonly unknown[]): PartOf<'table'> | undefined {
  if (sample.every(isScalar)) {
    return {
      kind: 'table',
      columns: [{ name: '', numeric: sample.every(isNumber) }],
      rows: items.length,
      moreColumns: 0,
    };
  }
  if (!sample.every(isObject)) return undefined;
  const names = [...new Set(sample.flatMap((item) => Object.keys(item)))];
  if (names.length === 0) return undefined;
  const columns = names.slice(0, limits.columns).map((name) => ({
    name,
    numeric:
      sample.some((item) => isNumber(item[name])) &&
      sample.every((item) => item[name] === undefined || item[name] === null || isNumber(item[name])),
  }));
  return { kind: 'table', columns, rows: items.length, moreColumns: names.length - columns.length };
}
