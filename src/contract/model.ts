/**
 * What is known of a model once the tolerant readers of `service/reading` have been over the service's answer.
 * The interface leaves catalog bodies open (section 4), so every fact says where it came from, and `raw` keeps
 * the body as it came.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A JSON Schema of any draft, as the service sent it. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * Where a shape came from:
 * - `declared`: the model's contract carries a JSON Schema
 * - `fields`: made from a list of field descriptions
 * - `example`: inferred from a bare example
 * - `documented`: the contract says nothing; the shapes of section 2.2 stand in
 * - `unknown`: nothing is known, anything is allowed
 */
export type ShapeOrigin = 'declared' | 'fields' | 'example' | 'documented' | 'unknown';

export interface Shape {
  readonly schema: JsonSchema;
  readonly origin: ShapeOrigin;
}

/** An amount of money. `amount` is a decimal string ("0.0125"), never a binary float; no currency means none was told. */
export interface Money {
  readonly amount: string;
  readonly currency?: string;
}

export interface Price {
  /** Missing when the service gives only words. */
  readonly money?: Money;
  /** What one price buys, in the service's words: "run", "image", "second". */
  readonly per?: string;
  /** The price as it can be shown when `money` is missing. */
  readonly text?: string;
}

/** A published example of a mode: it may break the mode's own schema, and is offered all the same. */
export interface RunExample {
  readonly title?: string;
  readonly input: JsonObject;
  readonly params: JsonObject;
}

export interface ModeContract {
  /** As sent in `mode`: `execute`, `index`, `search`, or what else the contract declares. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Reads or writes an indexed dataset, so that `scope` is required (section 2.1). */
  readonly vectorBacked: boolean;
  readonly input: Shape;
  readonly params: Shape;
  readonly examples: readonly RunExample[];
  readonly price?: Price;
}

/** One row of the catalog. */
export interface ModelSummary {
  /** What `model` of a run request and the path of the detail route take. */
  readonly slug: string;
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  /** Owner, publisher or category, whichever the catalog groups by. */
  readonly group?: string;
  readonly tags: readonly string[];
  /** Empty when the list does not tell them. */
  readonly modeNames: readonly string[];
  readonly price?: Price;
  readonly raw: unknown;
}

export interface ModelContract extends ModelSummary {
  readonly version?: string;
  /** Never empty: when the contract declares none, `execute` stands alone (section 2.1: the default). */
  readonly modes: readonly ModeContract[];
  /** False when the detail told no modes, so that `mode` is left out of an `execute` request. */
  readonly modesDeclared: boolean;
}
