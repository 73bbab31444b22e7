import * as z from 'zod/mini';

/**
 * The page's part of a run's output: bounded slices of plain data. Large data stays with the host (`resultSource.ts`)
 * and is requested by pointer, so that 10 MB of JSON never cross to the page at once.
 */

/** RFC 6901 pointer into the run's output; "" is the whole output. */
const pointer = z.string();

const labelled = z.object({
  label: z.string(),
  score: z.number(),
  /** Its other strings, in one line: a code beside a name. */
  about: z.optional(z.string()),
});

export const hit = z.object({
  id: z.string(),
  score: z.optional(z.number()),
  /** Set by the host: the user's own file of this id, and the URL of its thumbnail. */
  file: z.optional(z.string()),
  thumbnail: z.optional(z.string()),
  /** The other properties of the hit. */
  members: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  /** The same in one line. */
  about: z.optional(z.string()),
  pointer,
});

const box = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  label: z.optional(z.string()),
  score: z.optional(z.number()),
});

const medium = z.enum(['image', 'audio', 'video', 'file']);

/**
 * Media in an output.
 * - `inline`: the bytes are in the output (data URI, base64, or the whole response)
 * - `remote`: behind an address; the host fetches it when the user asks
 * - `reference`: a `media_ref` of the service, which the interface has no way to download
 */
const media = z.object({
  pointer,
  medium,
  from: z.enum(['inline', 'remote', 'reference']),
  contentType: z.optional(z.string()),
  name: z.optional(z.string()),
  /** The address or reference, as text. */
  address: z.optional(z.string()),
});

/**
 * The input image that boxes and masks are drawn over: an index into the run's attachments. `turn`: how they are turned
 * where a model has read it otherwise than it is shown, as an orientation of Exif.
 */
const overlay = z.object({
  attachment: z.number(),
  src: z.optional(z.string()),
  turn: z.optional(z.number()),
});

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), characters: z.number(), markdown: z.boolean() }),
  z.object({ kind: z.literal('labels'), labels: z.array(labelled), total: z.number() }),
  z.object({
    kind: z.literal('hits'),
    hits: z.array(hit),
    total: z.number(),
    /** The service's name of the score: "score", "similarity", "distance" (smaller is nearer). */
    measure: z.string(),
  }),
  z.object({
    kind: z.literal('boxes'),
    boxes: z.array(box),
    total: z.number(),
    /** `fraction`: coordinates are parts of the image's width and height. */
    unit: z.enum(['pixels', 'fraction']),
    /** Four numbers may be two corners, or a corner and a size: these are read as corners. */
    orderGuessed: z.boolean(),
    over: z.optional(overlay),
  }),
  z.object({
    kind: z.literal('masks'),
    masks: z.array(z.object({ label: z.optional(z.string()), score: z.optional(z.number()), media })),
    total: z.number(),
    over: z.optional(overlay),
  }),
  z.object({
    kind: z.literal('vector'),
    /** At most `MAX_PLOTTED` values, evenly picked. */
    values: z.array(z.number()),
    dimension: z.number(),
    norm: z.number(),
    min: z.number(),
    max: z.number(),
    /** How many vectors of this dimension there are; `values` are the first one's. */
    vectors: z.number(),
  }),
  z.object({
    kind: z.literal('table'),
    columns: z.array(z.object({ name: z.string(), numeric: z.boolean() })),
    rows: z.number(),
    /** Columns that are not shown; the tree has them. */
    moreColumns: z.number(),
  }),
  z.object({ kind: z.literal('media'), media: z.array(media), total: z.number() }),
  z.object({
    kind: z.literal('colors'),
    colors: z.array(
      z.object({
        color: z.string(),
        /** 1 is all. */
        share: z.optional(z.number()),
        name: z.optional(z.string()),
        /** Its other properties, in one line. */
        about: z.optional(z.string()),
      }),
    ),
  }),
  z.object({ kind: z.literal('facts'), facts: z.array(z.object({ name: z.string(), value: scalar })) }),
]);

/** Views between which a user can choose. */
export const viewKind = z.enum(['hits', 'labels', 'text', 'table']);

/** One recognised part of an output. */
const section = z.object({
  pointer,
  title: z.optional(z.string()),
  part,
  /** The views that the value can have, where there are several. */
  views: z.optional(z.array(viewKind)),
});

/** A node of the JSON tree: itself and how many children it has, never the children. */
export const treeNode = z.object({
  pointer,
  /** Property name or index; missing at the root. */
  key: z.optional(z.union([z.string(), z.number()])),
  type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
  /** Values as JSON, shortened; containers as their first few children. */
  preview: z.string(),
  /** Children of a container; 0 for others. */
  size: z.number(),
});

export const resultView = z.object({
  /** False: no part was recognized, so only the tree is shown. */
  recognised: z.boolean(),
  sections: z.array(section),
  /** The parts do not show all strings: the tree does. */
  incomplete: z.optional(z.boolean()),
  tree: treeNode,
});

/** Cells of table rows, as text ready to show; `row` is the row's place in the output. */
export const tableRows = z.array(z.object({ row: z.number(), cells: z.array(z.string()) }));

export const treeMatches = z.object({
  /** Nodes with the text in their key or value, in document order; `path` is the place at each level, from the root. */
  matches: z.array(z.object({ pointer, path: z.array(z.number()) })),
  /** True when the search stopped at its limit. */
  more: z.boolean(),
});

export type ResultView = z.infer<typeof resultView>;
export type ResultSection = z.infer<typeof section>;
export type ViewKind = z.infer<typeof viewKind>;
export type ResultPart = z.infer<typeof part>;
export type PartOf<K extends ResultPart['kind']> = Extract<ResultPart, { kind: K }>;
export type Hit = z.infer<typeof hit>;
export type ResultMedia = z.infer<typeof media>;
export type Medium = z.infer<typeof medium>;
export type TreeNode = z.infer<typeof treeNode>;
export type TableRows = z.infer<typeof tableRows>;
export type TreeMatches = z.infer<typeof treeMatches>;

export interface TableSort {
  readonly column: number;
  readonly descending: boolean;
}
