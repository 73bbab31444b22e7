import * as z from 'zod/mini';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A JSON Schema of any draft, as the service sent it. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export const json: z.ZodMiniType<Json, Json> = z.json();
export const jsonObject = z.record(z.string(), json);
