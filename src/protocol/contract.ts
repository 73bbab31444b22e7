import * as z from 'zod/mini';
import type { ModelContract } from '../contract/model';

/** A model's contract as it crosses to a page: all of it but the raw body, which only the host keeps. */

export const json = z.json();
export const jsonObject = z.record(z.string(), json);

export const money = z.object({ amount: z.string(), currency: z.optional(z.string()) });

const price = z.object({
  money: z.optional(money),
  per: z.optional(z.string()),
  text: z.optional(z.string()),
});

const shape = z.object({
  schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
  origin: z.enum(['declared', 'fields', 'example', 'documented', 'unknown']),
});

const mode = z.object({
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  vectorBacked: z.boolean(),
  input: shape,
  params: shape,
  examples: z.array(z.object({ title: z.optional(z.string()), input: jsonObject, params: jsonObject })),
  price: z.optional(price),
});

export const shownContract = z.object({
  slug: z.string(),
  id: z.optional(z.string()),
  name: z.string(),
  description: z.optional(z.string()),
  group: z.optional(z.string()),
  tags: z.array(z.string()),
  modeNames: z.array(z.string()),
  price: z.optional(price),
  version: z.optional(z.string()),
  modes: z.array(mode),
  modesDeclared: z.boolean(),
});

/** What a page knows of a model. */
export type ShownContract = Omit<ModelContract, 'raw'>;

/** The contract without the raw body. */
export function toShown({ raw: _raw, ...shown }: ModelContract): z.input<typeof shownContract> {
  return structuredClone(shown) as z.input<typeof shownContract>;
}

export const runDraft = z.object({
  model: z.string(),
  mode: z.string(),
  scope: z.optional(z.string()),
  input: jsonObject,
  params: jsonObject,
  options: z.optional(jsonObject),
});

export const runRequest = z.object({
  model: z.string(),
  mode: z.optional(z.string()),
  scope: z.optional(z.string()),
  input: jsonObject,
  params: jsonObject,
  options: z.optional(jsonObject),
});
