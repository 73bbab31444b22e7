import * as z from 'zod/mini';
import { hit as resultHit } from '../results/resultView';

/** The messages between the search page and its host. */

const value = z.union([z.string(), z.number(), z.boolean()]);

/** A parameter of the mode that a plain control can show. */
const param = z.object({
  name: z.string(),
  label: z.string(),
  description: z.optional(z.string()),
  kind: z.enum(['number', 'choice', 'flag']),
  integer: z.optional(z.boolean()),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  choices: z.optional(z.array(value)),
  /** What the service uses when it is not sent. */
  default: z.optional(value),
});

const query = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), uri: z.string(), name: z.string(), src: z.optional(z.string()) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
]);

const hit = z.extend(z.omit(resultHit, { pointer: true, file: true }), {
  /** 0 to 1: how full its bar is, relative to the other hits. */
  share: z.optional(z.number()),
  /** The user's own file, as a relative path; missing: this machine has no file of this ID. */
  path: z.optional(z.string()),
  /** The beginning of a text. */
  excerpt: z.optional(z.string()),
});

export const searchState = z.object({
  modelName: z.string(),
  scope: z.string(),
  environment: z.string(),
  /** Restored after a reload. */
  saved: z.object({
    model: z.string(),
    scope: z.string(),
    baseUrl: z.string(),
    query: z.optional(query),
    /** The run whose hits are shown, by its record in the history. */
    run: z.optional(z.string()),
  }),
  takes: z.enum(['media', 'text']),
  query: z.optional(query),
  params: z.array(param),
  values: z.record(z.string(), value),
  /** The step of the running search, as text; missing: none is running. */
  running: z.optional(z.string()),
  problem: z.optional(z.object({ message: z.string(), action: z.optional(z.string()) })),
  result: z.optional(
    z.object({
      hits: z.array(hit),
      measure: z.string(),
      total: z.number(),
      cost: z.optional(z.string()),
      tookMs: z.number(),
      /** False: no list of hits was found in the response; "Show Response" opens it. */
      recognised: z.boolean(),
      /** When it was searched, as text, if that was before the window was reloaded. */
      from: z.optional(z.string()),
    }),
  ),
});

export const searchHostMethods = {
  ready: { params: z.null(), result: searchState },
  search: { params: z.null() },
  stop: { params: z.null() },
  setParam: { params: z.object({ name: z.string(), value: z.optional(value) }) },
  pickFile: { params: z.null() },
  useFile: { params: z.object({ uri: z.string() }) },
  /** A file that only the page has: dropped from the system, or pasted. */
  useBytes: { params: z.object({ filename: z.string(), bytes: z.instanceof(Uint8Array) }) },
  searchText: { params: z.object({ text: z.string() }) },
  openQuery: { params: z.null() },
  openHit: { params: z.object({ id: z.string() }) },
  revealHit: { params: z.object({ id: z.string() }) },
  copyId: { params: z.object({ id: z.string() }) },
  searchWith: { params: z.object({ id: z.string() }) },
  exportHits: { params: z.object({ format: z.enum(['json', 'csv']) }) },
  showResponse: { params: z.null() },
  takeStep: { params: z.null() },
} as const;

export const searchPageMethods = {
  show: { params: searchState },
} as const;

export type SearchState = z.infer<typeof searchState>;
export type SearchHit = z.infer<typeof hit>;
export type SearchParam = z.infer<typeof param>;
export type SearchQuery = z.infer<typeof query>;
export type ParamValue = z.infer<typeof value>;
export type SearchHostMethods = typeof searchHostMethods;
export type SearchPageMethods = typeof searchPageMethods;
