import * as z from 'zod/mini';

// A response mapping: where the responses of one service have which part, in the user's own words. It names places of
// bodies, words and a path below the base URL, never an address, a header or a key: a wrong one misleads only in words.

/** A JSON pointer (RFC 6901) into a body; empty: the whole body. */
const place = z.string().check(z.maxLength(1000), z.regex(/^(?:\/|$)/));
const words = z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(50));
const unit = z.enum(['whole', 'cents', 'micros']);
const currency = z.string().check(z.minLength(1), z.maxLength(24));

const next = z.strictObject({
  /** Of the query. */
  parameter: z.string().check(z.regex(/^[\w.[\]-]{1,60}$/)),
  /** Of the cursor or the number in a page; missing: the number of entries received so far. */
  value: z.optional(place),
  /** Added to that number: 1 where it is that of the page itself. */
  add: z.optional(z.int()),
});

const list = z.strictObject({ list: z.optional(place), total: z.optional(place), next: z.optional(next) });

const run = z.strictObject({
  state: z.optional(place),
  /** `"status"`: every response with a status of success has finished. */
  finished: z.optional(z.union([words, z.literal('status')])),
  failed: z.optional(words),
  accepted: z.optional(words),
  result: z.optional(place),
  id: z.optional(place),
  cost: z.optional(place),
  unit: z.optional(unit),
  currency: z.optional(currency),
  message: z.optional(place),
  /** Below the base URL: "/api/runs/{id}". */
  poll: z.optional(
    z.string().check(z.maxLength(200), z.regex(/^\/api\/(?!.*(?:\.\.|\/\/))[\w./{}-]*\{id\}[\w./-]*$/)),
  ),
  notExecuted: z.optional(z.array(z.int().check(z.gte(400), z.lte(599)))),
});

export const responseMappingSchema = z.strictObject({
  run: z.optional(run),
  /** Entries of an index run, and the places of ID and state in each. */
  batch: z.optional(z.strictObject({ entries: place, id: z.optional(place), state: z.optional(place) })),
  search: z.optional(z.strictObject({ hits: place })),
  models: z.optional(list),
  model: z.optional(z.strictObject({ contract: place })),
  wallet: z.optional(
    z.strictObject({ balance: place, unit: z.optional(unit), currency: z.optional(currency) }),
  ),
  usage: z.optional(z.strictObject({ rows: place })),
  activity: z.optional(list),
  upload: z.optional(
    z.strictObject({ url: z.optional(place), id: z.optional(place), reference: z.optional(place) }),
  ),
});

export type ResponseMapping = z.infer<typeof responseMappingSchema>;
export type RunMapping = NonNullable<ResponseMapping['run']>;
export type ListMapping = NonNullable<ResponseMapping['models']>;

/** By base URL, as `modelBench.responses` has them. */
export const responseMappingsSchema = z.record(z.string(), responseMappingSchema);

let find: (baseUrl: string) => ResponseMapping | undefined = () => undefined;

/** Names the mappings of this process: those of the settings, or of a file of the command line. */
export function useResponseMappings(source: typeof find): void {
  find = source;
}

/** The mapping of a service; undefined: the usual names alone are read. */
export function responseMappingOf(baseUrl: string): ResponseMapping | undefined {
  return find(withoutSlash(baseUrl));
}

/** The mapping for a base URL among several. */
export function mappingAmong(
  mappings: Readonly<Record<string, ResponseMapping>>,
  baseUrl: string,
): ResponseMapping | undefined {
  const wanted = withoutSlash(baseUrl);
  return Object.entries(mappings).find(([url]) => withoutSlash(url) === wanted)?.[1];
}

function withoutSlash(url: string): string {
  return url.trim().replace(/(?<!\/)\/+$/, '');
}
