import * as z from 'zod/mini';
import { json, jsonObject } from '../domain/json';
import { hit as resultHit } from '../results/resultView';

/** The messages between the search page and its host. */

const paramBase = {
  name: z.string(),
  label: z.string(),
  description: z.optional(z.string()),
  /** The service's default when the parameter is not sent. */
  default: z.optional(json),
};

/** A parameter of the mode, by the control that shows it. */
const param = z.discriminatedUnion('kind', [
  z.object({
    ...paramBase,
    kind: z.literal('number'),
    integer: z.boolean(),
    min: z.optional(z.number()),
    max: z.optional(z.number()),
  }),
  z.object({
    ...paramBase,
    kind: z.literal('choice'),
    choices: z.array(z.object({ value: json, label: z.string() })),
  }),
  z.object({ ...paramBase, kind: z.literal('text') }),
  z.object({ ...paramBase, kind: z.literal('json') }),
]);

export const searchQuery = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri: z.string(), name: z.string(), src: z.optional(z.string()) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
]);

const hit = z.extend(z.omit(resultHit, { pointer: true, file: true }), {
  /** The user's own file, as a relative path; missing: this machine has no file of this ID. */
  path: z.optional(z.string()),
  /** The beginning of a text. */
  excerpt: z.optional(z.string()),
  /** It is the file that was searched with. */
  own: z.optional(z.boolean()),
});

/** A search that the user keeps, by its run in the history. */
const pinnedSearch = z.object({ run: z.string(), label: z.string() });

export const searchState = z.object({
  modelName: z.string(),
  scope: z.string(),
  environment: z.string(),
  production: z.boolean(),
  /** The searched dataset: by it a panel is found again after a reload. */
  saved: z.object({ model: z.string(), scope: z.string(), baseUrl: z.string() }),
  takes: z.enum(['media', 'text']),
  /** The user's choice of view, for every search. */
  view: z.object({
    /** The query itself stays among its hits. */
    withQuery: z.boolean(),
    /** Of a tile, in pixels. */
    tileSize: z.number(),
  }),
  query: z.optional(searchQuery),
  params: z.array(param),
  /** The expected cost and time of a search; empty while they are unknown. */
  price: z.string(),
  values: jsonObject,
  /** The step of the running search, as text; missing without one. */
  running: z.optional(z.string()),
  /** Newest first. */
  pinned: z.array(pinnedSearch),
  /** Files of the scope, before the first search. */
  items: z.array(hit),
  problem: z.optional(z.object({ message: z.string(), action: z.optional(z.string()) })),
  result: z.optional(
    z.object({
      /** Of its record in the history. */
      run: z.string(),
      hits: z.array(hit),
      measure: z.string(),
      total: z.number(),
      cost: z.optional(z.string()),
      tookMs: z.optional(z.number()),
      /** False: no list of hits was found in the response; "Show Response" opens it. */
      recognised: z.boolean(),
      /** The search looked at a part of the scope. */
      isPartial: z.optional(z.boolean()),
      /** When it was searched, as text, if that was before the window was reloaded. */
      from: z.optional(z.string()),
    }),
  ),
});

export const searchHostMethods = {
  ready: { params: z.null(), result: searchState },
  search: { params: z.null() },
  stop: { params: z.null() },
  /** Missing: not sent. `invalid`: the typed text is no value, and searching waits until it is one. */
  setParam: {
    params: z.object({ name: z.string(), value: z.optional(json), invalid: z.optional(z.boolean()) }),
  },
  setView: { params: z.object({ withQuery: z.optional(z.boolean()), tileSize: z.optional(z.number()) }) },
  pickFile: { params: z.null() },
  useOpenFile: { params: z.null(), result: z.void() },
  /** Keeps the search that is shown, or keeps it no longer. */
  pin: { params: z.object({ pinned: z.boolean() }) },
  /** Shows a kept search without sending it. */
  showPinned: { params: z.object({ run: z.string() }) },
  useFile: { params: z.object({ uri: z.string() }) },
  /** A file that only the page has: dropped from the system, or pasted. */
  useBytes: { params: z.object({ filename: z.string(), bytes: z.instanceof(Uint8Array) }) },
  searchText: { params: z.object({ text: z.string() }) },
  openQuery: { params: z.null() },
  openHit: { params: z.object({ id: z.string() }) },
  revealHit: { params: z.object({ id: z.string() }) },
  copyId: { params: z.object({ id: z.string() }) },
  searchWith: { params: z.object({ id: z.string() }) },
  /** Takes a file of the scope as the query, without a search. */
  chooseQuery: { params: z.object({ id: z.string() }) },
  exportHits: { params: z.object({ format: z.enum(['json', 'csv']) }) },
  showResponse: { params: z.null() },
  measure: { params: z.null() },
  takeStep: { params: z.null() },
} as const;

export const searchPageMethods = {
  show: { params: searchState },
  /** Chosen from the context menu of a tile. */
  copyImage: { params: z.object({ id: z.string() }) },
} as const;

export type SearchState = z.infer<typeof searchState>;
export type SearchHit = z.infer<typeof hit>;
export type SearchParam = z.infer<typeof param>;
export type PinnedSearch = z.infer<typeof pinnedSearch>;
export type SearchQuery = z.infer<typeof searchQuery>;

export type SearchHostMethods = typeof searchHostMethods;
export type SearchPageMethods = typeof searchPageMethods;
