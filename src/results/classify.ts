import type { Json } from '../domain/json';
import { childPointer, segmentsOf } from '../domain/pointer';
import { getAt, isObject, ownOf, type UnknownObject } from '../domain/value';
import { labelColors } from './colors';
import { hitIds, hitsInColumns, readHits, unscoredHits } from './hits';
import { parallelLabels, resultLabels, scoreMap } from './labels';
import { limits } from './limits';
import { contentMedium, resultMedia } from './media';
import { resultBoxes, resultMasks } from './regions';
import type { PartOf, ResultPart, ResultSection, ResultView } from './resultView';
import { isNumber, isScalar, sampled } from './sampling';
import { resultTable } from './table';
import { answerNames, textNames, textPart } from './text';
import { treeNodeOf } from './tree';
import { type ChosenViews, partAs, placePattern, withViews } from './viewKinds';

export interface ResultContext {
  /** MIME type of the response: decides whether a response other than JSON is text or a file. */
  readonly contentType?: string;
  /** MIME types of the run's attachments, in order: boxes and masks are drawn over the first image. */
  readonly attachmentTypes?: readonly string[];
  /** Views that were chosen for places of this model's results. */
  readonly views?: ChosenViews;
}

/**
 * The recognised parts of an output of unknown shape in document order, and the tree of all of it.
 * Bounded by `limits`; never throws for any JSON value. Binary responses (a
 * Uint8Array) become one file.
 */
export function classifyResult(output: unknown, context: ResultContext = {}): ResultView {
  if (output instanceof Uint8Array) return fileView(context.contentType);
  const place = { pointer: '', key: undefined, title: undefined, depth: 0 };
  const sections = answerFirst(sectionsOf(output, place, context))
    .slice(0, limits.sections)
    .map((section) => ({ ...section, part: withOverlay(section.part, context) }));
  return { recognised: sections.length > 0, sections, tree: treeNodeOf(output, '') };
}

/** Facts without an answer among them (IDs, counts, finish reasons) come after the other parts. */
function answerFirst(sections: readonly ResultSection[]): ResultSection[] {
  const isAside = ({ part }: ResultSection) =>
    part.kind === 'facts' && !part.facts.some(({ name }) => answerNames.test(name));
  return [...sections.filter((one) => !isAside(one)), ...sections.filter(isAside)];
}

/**
 * The hits in the result of a search, with scores or without. Undefined: no list of hits is understood, or a search that
 * looked at a part only has none.
 */
export function searchHits(output: unknown): (PartOf<'hits'> & { readonly isPartial: boolean }) | undefined {
  const { part: unscored, isPartial } = unscoredHits(output);
  const parts = classifyResult(output).sections.map(({ part }) => part);
  const part = parts.find((one): one is PartOf<'hits'> => one.kind === 'hits') ?? unscored;
  return part && (part.total > 0 || !isPartial) ? { ...part, isPartial } : undefined;
}

/** The IDs of all search hits in an output, including those beyond the page's limit. */
export function hitIdsIn(output: Json | undefined): string[] {
  return hitLists(output).flat();
}

/** The IDs of the first list of hits, in its order; undefined: the output has none. */
export function firstHitIds(output: Json | undefined): string[] | undefined {
  if (latest && shapeAt(output, latest.pointer) === latest.shape) return idsAt(output, latest.pointer);
  const [pointer] = hitPlaces(output);
  if (pointer === undefined) return searchHits(output)?.hits.map(({ id }) => id);
  const shape = shapeAt(output, pointer);
  latest = shape === '' ? undefined : { pointer, shape };
  return idsAt(output, pointer);
}

/** Results of one model are alike: the place of the hits in the one before, and the shape by which it is known. */
let latest: { readonly pointer: string; readonly shape: string } | undefined;

/** The names and kinds of all values beside the way to a place; '' where it leads through a list. */
function shapeAt(output: unknown, pointer: string): string {
  const kindOf = (value: unknown): unknown => {
    if (!Array.isArray(value)) return isObject(value) ? Object.keys(value) : typeof value;
    return [value.length > 0, isObject(value[0]) ? Object.keys(value[0]) : typeof value[0]];
  };
  const shape: unknown[] = [];
  let value = output;
  for (const name of segmentsOf(pointer)) {
    if (!isObject(value)) return '';
    shape.push(Object.entries(value).map(([key, inner]) => [key, kindOf(inner)]));
    value = ownOf(value, name);
  }
  return JSON.stringify([shape, kindOf(value)]);
}

function hitLists(output: Json | undefined): string[][] {
  return hitPlaces(output).map((pointer) => idsAt(output, pointer));
}

function hitPlaces(output: Json | undefined): string[] {
  const hits = classifyResult(output).sections.filter(({ part }) => part.kind === 'hits');
  return hits.map(({ pointer }) => pointer);
}

function idsAt(output: Json | undefined, pointer: string): string[] {
  const value = getAt(output, pointer);
  return hitIds(hitsInColumns(value)?.hits ?? (value as readonly UnknownObject[])) ?? [];
}

function fileView(contentType: string | undefined): ResultView {
  const file = { pointer: '', medium: contentMedium(contentType), from: 'inline' as const };
  const media = [{ ...file, ...(contentType !== undefined && { contentType }) }];
  const sections = [{ pointer: '', part: { kind: 'media' as const, media, total: 1 } }];
  return { recognised: true, sections, tree: treeNodeOf(null, '') };
}

/** A place in the output; `key` is the nearest property name, a hint to the meaning of a value. */
interface Place {
  readonly pointer: string;
  readonly key: string | undefined;
  readonly title: string | undefined;
  readonly depth: number;
}

/** Parts are looked for this deep; deeper values are in the tree. */
const DEEPEST = 4;

function sectionsOf(value: unknown, place: Place, context: ResultContext): ResultSection[] {
  const chosen = context.views?.get(placePattern(place.pointer));
  const part = (chosen && partAs(chosen, value, place.pointer, place.key)) ?? partOf(value, place, context);
  if (part) return [withViews(sectionOf(place, part), value)];
  if (place.depth >= DEEPEST) return [];
  if (Array.isArray(value)) return sectionsOfItems(value, place, context);
  return isObject(value) ? sectionsOfMembers(value, place, context) : [];
}

function below(place: Place, key: string | number): Place {
  const name = typeof key === 'number' ? `${key + 1}` : key;
  return {
    pointer: childPointer(place.pointer, key),
    key: typeof key === 'number' ? place.key : key,
    title: place.title === undefined ? name : `${place.title} › ${name}`,
    depth: place.depth + 1,
  };
}

/** Longer lists are not looked into, unless their items are messages. */
const SHORT_LIST = 5;

function sectionsOfItems(items: readonly unknown[], place: Place, context: ResultContext): ResultSection[] {
  if (items.length === 1) return sectionsOf(items[0], { ...below(place, 0), title: place.title }, context);
  return items.slice(0, SHORT_LIST).flatMap((item, index) => sectionsOf(item, below(place, index), context));
}

/** Members in their order; plain values are gathered at the position of the first. */
function sectionsOfMembers(object: UnknownObject, place: Place, context: ResultContext): ResultSection[] {
  const facts: PartOf<'facts'>['facts'] = [];
  const sections: ResultSection[] = [];
  let factsAt: number | undefined;
  for (const name of Object.keys(object).slice(0, 200)) {
    const value = object[name];
    const inner = sectionsOf(value, below(place, name), context);
    if (inner.length > 0) sections.push(...inner);
    else if (isScalar(value) && facts.length < limits.facts) {
      factsAt ??= sections.length;
      facts.push({ name, value: typeof value === 'string' ? value.slice(0, limits.cellCharacters) : value });
    }
  }
  if (factsAt !== undefined) {
    sections.splice(factsAt, 0, sectionOf(place, { kind: 'facts', facts }));
  }
  return sections;
}

function sectionOf({ pointer, title }: Place, part: ResultPart): ResultSection {
  return { pointer, ...(title !== undefined && { title }), part };
}

/** The whole value as one part, or undefined when its members have to be looked at. */
function partOf(value: unknown, place: Place, context: ResultContext): ResultPart | undefined {
  const media = resultMedia(value, place.pointer, place.key);
  if (media) return { kind: 'media', media: [media], total: 1 };
  if (typeof value === 'string') return partOfString(value, place, context);
  if (Array.isArray(value)) return value.length > 0 ? partOfArray(value, place) : undefined;
  if (!isObject(value)) return undefined;
  const columns = hitsInColumns(value);
  if (columns) return readHits(columns.hits, sampled(columns.hits), childPointer(place.pointer, columns.ids));
  return parallelLabels(value) ?? scoreMap(value, place.key);
}

function partOfString(text: string, place: Place, context: ResultContext): ResultPart | undefined {
  const long = text.length > 80 || text.includes('\n');
  if (place.depth > 0 && !long && !(place.key !== undefined && textNames.test(place.key))) return undefined;
  return textPart(text, place.key, place.depth === 0 ? context.contentType : undefined);
}

function partOfArray(items: readonly unknown[], place: Place): ResultPart | undefined {
  const vector = vectorOf(items);
  if (vector) return vector;
  const sample = sampled(items);
  const colors = labelColors(items, sample);
  if (colors) return colors;
  const media = mediaListOf(items, sample, place);
  if (media) {
    // A hit may carry the media_ref that it was indexed with.
    const isReference = media.media.every(({ from }) => from === 'reference') && sample.every(isObject);
    return (isReference && readHits(items as readonly UnknownObject[], sample, place.pointer)) || media;
  }
  if (sample.every(isObject)) {
    const records = items as readonly UnknownObject[];
    const part =
      resultMasks(records, sample, place.pointer) ??
      resultBoxes(records, sample) ??
      readHits(records, sample, place.pointer) ??
      resultLabels(records, sample);
    if (part) return part;
    if (items.length <= SHORT_LIST && sample.every(isMessage)) return undefined;
    if (items.length === 1 && !Object.values(records[0]!).every(isScalar)) return undefined;
  }
  if (isPieces(sample)) return joined(items, place);
  return resultTable(items, sample);
}

/** The pieces of a text as one. */
function joined(items: readonly unknown[], place: Place): PartOf<'text'> {
  return textPart(items.filter((item) => typeof item === 'string').join(''), place.key);
}

/** A message rather than a record: one text, or a chat choice around one. */
function isMessage(item: UnknownObject): boolean {
  const names = Object.keys(item);
  if (isObject(item.message) || (item.type === 'text' && typeof item.text === 'string')) return true;
  return names.length === 1 && textNames.test(names[0]!) && typeof item[names[0]!] === 'string';
}

function mediaListOf(
  items: readonly unknown[],
  sample: readonly unknown[],
  place: Place,
): PartOf<'media'> | undefined {
  if (!sample.every((item) => resultMedia(item, '', place.key))) return undefined;
  const media = items
    .slice(0, limits.media)
    .flatMap((item, index) => resultMedia(item, childPointer(place.pointer, index), place.key) ?? []);
  return { kind: 'media', media, total: items.length };
}

function withOverlay(part: ResultPart, context: ResultContext): ResultPart {
  if (part.kind !== 'boxes' && part.kind !== 'masks') return part;
  const attachment = context.attachmentTypes?.findIndex((type) => type.startsWith('image/')) ?? -1;
  return attachment < 0 ? part : { ...part, over: { attachment } };
}

/** Characters of the longest piece: a token of a language model with its space. */
const LONGEST_PIECE = 40;

/**
 * Pieces of one text, as models that stream return them: short strings, of which a good part begins or ends with a space
 * or a line break. A list of names has none.
 */
function isPieces(sample: readonly unknown[]): sample is readonly string[] {
  if (sample.length < 2) return false;
  const texts = sample.filter((item) => typeof item === 'string');
  if (texts.length < sample.length || texts.some((text) => text.length > LONGEST_PIECE)) return false;
  const joined = texts.filter(
    (text, at) => (at > 0 && /^\s/.test(text)) || (at < texts.length - 1 && /\s$/.test(text)),
  );
  return joined.length >= Math.max(1, texts.length * 0.3);
}

/** Shorter ones are lists of numbers. */
const SHORTEST_VECTOR = 8;
/** Longer ones are too; no embedding has as many dimensions, and all are looked at. */
const LONGEST_VECTOR = 200_000;

/** One vector, or the first of several of one dimension. */
function vectorOf(items: readonly unknown[]): PartOf<'vector'> | undefined {
  const first = items[0];
  if (Array.isArray(first)) {
    const same = sampled(items).every(
      (item) => Array.isArray(item) && item.length === first.length && sampled(item).every(isNumber),
    );
    const vector = same ? vectorOf(first) : undefined;
    return vector && { ...vector, vectors: items.length };
  }
  if (items.length < SHORTEST_VECTOR || items.length > LONGEST_VECTOR) return undefined;
  if (!items.every(isNumber)) return undefined;
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
