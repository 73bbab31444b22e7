import * as z from 'zod/mini';
import { jsonObject, jsonSchema } from './json';
import { money } from './money';

/**
 * The known facts of a model after the tolerant readers of `contracts`. The interface leaves catalog bodies
 * open (section 4), so a shape has its origin, and `raw` keeps the body unchanged.
 */

/**
 * - `declared`: the model's contract carries a JSON Schema
 * - `fields`: made from a list of field descriptions
 * - `example`: inferred from a bare example
 * - `documented`: section 2.2 gives the shape, without one in the contract
 * - `unknown`: no shape is known, any value is allowed
 */
const shapeOrigin = z.enum(['declared', 'fields', 'example', 'documented', 'unknown']);

const shape = z.readonly(
  z.object({
    schema: jsonSchema,
    origin: shapeOrigin,
    /** JSON pointer to where the raw response has it. */
    at: z.optional(z.string()),
    /** The user chose it: another place of the response, or a schema of their own. */
    chosen: z.optional(z.enum(['place', 'pasted'])),
  }),
);
export type Shape = z.infer<typeof shape>;

const price = z.readonly(
  z.object({
    /** Missing when the service gives only words. */
    money: z.optional(money),
    /** The unit of one price, in the service's words: "run", "image", "second". */
    per: z.optional(z.string()),
    /** The price as it can be shown when `money` is missing. */
    text: z.optional(z.string()),
  }),
);
export type Price = z.infer<typeof price>;

/** A published example of a mode: it may break the mode's own schema, and is offered all the same. */
const runExample = z.readonly(
  z.object({ title: z.optional(z.string()), input: jsonObject, params: jsonObject }),
);
export type RunExample = z.infer<typeof runExample>;

const modeContract = z.readonly(
  z.object({
    /** The value sent in `mode`: `execute`, `index`, `search`, or another that the contract declares. */
    name: z.string(),
    title: z.optional(z.string()),
    description: z.optional(z.string()),
    /** Reads or writes an indexed dataset, so that `scope` is required (section 2.1). */
    vectorBacked: z.boolean(),
    input: shape,
    params: shape,
    /** Of a result, or of the response around it; missing: the contract has none. */
    output: z.optional(shape),
    examples: z.readonly(z.array(runExample)),
    price: z.optional(price),
  }),
);
export type ModeContract = z.infer<typeof modeContract>;

const summaryFields = {
  /** The value for `model` of a run request and for the path of the detail route. */
  slug: z.string(),
  id: z.optional(z.string()),
  name: z.string(),
  description: z.optional(z.string()),
  /** Owner, publisher or category, depending on the catalog's groups. */
  group: z.optional(z.string()),
  tags: z.readonly(z.array(z.string())),
  /** Empty when the list does not name them. */
  modeNames: z.readonly(z.array(z.string())),
  price: z.optional(price),
};

/** A model's contract without the raw body, which only the host keeps: this crosses to pages. */
export const shownContract = z.readonly(
  z.object({
    ...summaryFields,
    version: z.optional(z.string()),
    /** Never empty: `execute` alone when the contract declares no modes (section 2.1: the default). */
    modes: z.readonly(z.array(modeContract)),
    /** False when the detail declared no modes, so that `mode` is left out of an `execute` request. */
    modesDeclared: z.boolean(),
    /** The response has more values than are gone through, so that nothing of it was read. */
    tooLargeToRead: z.optional(z.boolean()),
    /** The key may not read the catalog: the contract is not known, and runs are sent unchecked. */
    notPermitted: z.optional(z.boolean()),
  }),
);
export type ShownContract = z.infer<typeof shownContract>;

const summary = z.readonly(z.object(summaryFields));

/** One row of the catalog. */
export type ModelSummary = z.infer<typeof summary> & { readonly raw: unknown };

export type ModelContract = ShownContract & { readonly raw: unknown };

/** The mode of a contract by its name, in any case where none has its very spelling: EXECUTE of an enumeration. */
export function modeOf(contract: Pick<ModelContract, 'modes'>, name: string): ModeContract | undefined {
  const { modes } = contract;
  // A draft of a file may have anything as its mode.
  const folded = typeof name === 'string' ? name.toLowerCase() : undefined;
  return modes.find((mode) => mode.name === name) ?? modes.find((mode) => mode.name.toLowerCase() === folded);
}

/** The published price of a mode, else that of the model. */
export function modePrice(contract: Pick<ModelContract, 'modes' | 'price'>, mode: string): Price | undefined {
  return modeOf(contract, mode)?.price ?? contract.price;
}
