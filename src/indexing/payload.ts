import type { Json, JsonObject } from '../domain/json';
import type { ModeContract } from '../domain/model';
import { isObject } from '../domain/value';
import { compileSchema } from '../forms/schema/compile';
import { flatten } from '../forms/schema/flatten';
import {
  type CompiledSchema,
  MEDIA_MARK,
  type MediaMark,
  nodeTypes,
  type Schema,
  type SchemaNode,
  schemaMap,
} from '../forms/schema/node';

/** The part of one file in `input`. */
export interface PayloadItem {
  readonly imageId: string;
  readonly filename: string;
  /** From its upload; missing for text that is part of the request itself. */
  readonly mediaRef?: string;
  readonly text?: string;
}

interface EntryShape {
  readonly content: string;
  readonly id?: string;
}

/** Where files and their ids go in the `input` of an index or search run. */
export interface PayloadShape {
  /** Property of `input` that takes the files. */
  readonly property: string;
  readonly list: boolean;
  /** `text`: the request contains the file's content, not a reference to an upload. */
  readonly carries: 'media' | 'text';
  /** Property that takes one id per file (a string when `list` is false); missing: the contract has no place for ids. */
  readonly ids?: string;
  /** Each file is an object of its own, with its content under one name and its id, if there is a place, under another. */
  readonly entry?: EntryShape;
  readonly maxItems: number;
  /** MIME types or wildcards; empty: any file. */
  readonly accept: readonly string[];
}

/** Section 2.2, the documented shapes of image models. */
const DOCUMENTED = {
  index: {
    property: 'images',
    list: true,
    carries: 'media',
    ids: 'image_ids',
    maxItems: Number.POSITIVE_INFINITY,
  },
  search: { property: 'image', list: false, carries: 'media', maxItems: 1 },
} as const;

/** The use of a mode for a dataset. Contracts may name their modes differently ("index_text"). */
export type VectorUse = 'index' | 'search';

/** Whether a mode's name says that it is for this use. */
export function isNamedFor(mode: string, use: VectorUse): boolean {
  return (use === 'index' ? /index|insert|upsert|ingest/i : /search|query|similar|find/i).test(mode);
}

/** How a mode takes files, from its contract; the documented image shapes where it says nothing. Undefined: it takes none. */
export function payloadShape(mode: ModeContract): PayloadShape | undefined {
  const origin = mode.input.origin;
  if (origin === 'documented' || origin === 'unknown') {
    const documented = isNamedFor(mode.name, 'search') ? DOCUMENTED.search : DOCUMENTED.index;
    return { ...documented, accept: ['image/*'] };
  }
  const compiled = compileSchema(mode.input.schema);
  const input = node(compiled, compiled.root);
  const properties = propertiesOf(compiled, input);
  const required = Array.isArray(input.required) ? input.required : [];
  const carriers = properties.flatMap(([name, schema]) => {
    const taken = takes(compiled, name, schema);
    return taken ? [{ name, ...taken, required: required.includes(name) }] : [];
  });
  // A required property before an optional one, media before text, a list before a single file.
  const rank = (place: (typeof carriers)[number]) =>
    (place.required ? 4 : 0) + (place.carries === 'media' ? 2 : 0) + (place.list ? 1 : 0);
  const best = carriers.sort((a, b) => rank(b) - rank(a))[0];
  if (!best) return undefined;
  // Ids inside the entries need no list of ids beside them.
  const ids =
    best.entry?.id === undefined ? idsBeside(compiled, best.name, best.list, properties) : undefined;
  return {
    property: best.name,
    list: best.list,
    carries: best.carries,
    ...(ids !== undefined && { ids: ids.name }),
    ...(best.entry && { entry: best.entry }),
    maxItems: Math.min(best.maxItems, ids?.maxItems ?? Number.POSITIVE_INFINITY),
    accept: best.accept,
  };
}

/** The `input` of a run over these files. */
export function batchInput(shape: PayloadShape, items: readonly PayloadItem[]): JsonObject {
  const values = items.map((item): Json => {
    const content: Json =
      shape.carries === 'text'
        ? (item.text ?? '')
        : { media_ref: item.mediaRef ?? '', filename: item.filename };
    if (!shape.entry) return content;
    const { content: name, id } = shape.entry;
    return { ...(id !== undefined && { [id]: item.imageId }), [name]: content };
  });
  const ids = items.map((item) => item.imageId);
  const input: JsonObject = { [shape.property]: shape.list ? values : (values[0] ?? null) };
  if (shape.ids !== undefined) input[shape.ids] = shape.list ? ids : (ids[0] ?? '');
  return input;
}

interface Taken {
  readonly list: boolean;
  readonly carries: 'media' | 'text';
  readonly maxItems: number;
  readonly accept: readonly string[];
  readonly entry?: EntryShape;
}

function takes(compiled: CompiledSchema, name: string, schema: SchemaNode): Taken | undefined {
  const one = carried(name, schema);
  if (one) return { ...one, list: false, maxItems: 1 };
  if (!nodeTypes(schema).includes('array')) return undefined;
  const items = node(compiled, schema.items as Schema);
  const item = carried(name, items) ?? carriedInEntry(compiled, items);
  if (!item) return undefined;
  const maxItems =
    typeof schema.maxItems === 'number' ? Math.max(1, schema.maxItems) : Number.POSITIVE_INFINITY;
  return { ...item, list: true, maxItems };
}

/** `{ id, text }`, `{ document_id, image: { media_ref } }`: content and id of one file in one object. */
function carriedInEntry(
  compiled: CompiledSchema,
  schema: SchemaNode,
): Pick<Taken, 'carries' | 'accept' | 'entry'> | undefined {
  const properties = propertiesOf(compiled, schema);
  for (const [content, property] of properties) {
    const carrier = carried(content, property);
    if (!carrier) continue;
    const id = properties.find(
      ([name, other]) => name !== content && ID_NAME.test(name) && nodeTypes(other).includes('string'),
    )?.[0];
    return { ...carrier, entry: { content, ...(id !== undefined && { id }) } };
  }
  return undefined;
}

const ID_NAME = /(^|_|-)(ids?|keys?)$|Ids?$/;
const TEXT_NAME = /^(text|texts|documents?|passages?|contents?|sentences|query)$/i;

function carried(name: string, schema: SchemaNode): Pick<Taken, 'carries' | 'accept'> | undefined {
  const mark = schema[MEDIA_MARK] as MediaMark | undefined;
  if (mark) return { carries: 'media', accept: mark.accept };
  const isText = nodeTypes(schema).includes('string') && !('enum' in schema) && TEXT_NAME.test(name);
  return isText ? { carries: 'text', accept: ['text/*'] } : undefined;
}

/** `image_ids` for `images`, `ids`, `document_ids`: strings, as many as there are files. */
function idsBeside(
  compiled: CompiledSchema,
  name: string,
  list: boolean,
  properties: readonly (readonly [string, SchemaNode])[],
): { readonly name: string; readonly maxItems: number } | undefined {
  // `galler` of galleries, `mov` of movies: `gallery_ids`, `movie_ids`.
  const stem = name.toLowerCase().replace(/(ie)?s$/, '');
  const candidates = properties.filter(([other, schema]) => {
    if (other === name || !ID_NAME.test(other)) return false;
    const types = nodeTypes(schema);
    if (!list) return types.includes('string');
    return (
      types.includes('array') &&
      !nodeTypes(node(compiled, schema.items as Schema)).some((type) => type !== 'string')
    );
  });
  const best = candidates.find(([other]) => other.toLowerCase().startsWith(stem)) ?? candidates[0];
  if (!best) return undefined;
  const [field, schema] = best;
  return {
    name: field,
    maxItems: list && typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY,
  };
}

function propertiesOf(compiled: CompiledSchema, { properties }: SchemaNode) {
  return Object.entries(schemaMap(properties)).map(
    ([name, schema]) => [name, node(compiled, schema)] as const,
  );
}

function node(compiled: CompiledSchema, schema: Schema | undefined): SchemaNode {
  const flat = flatten(compiled, schema ?? true, undefined).node;
  return isObject(flat) ? flat : {};
}
