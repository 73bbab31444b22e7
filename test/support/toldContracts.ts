import assert from 'node:assert/strict';
import { readModel } from '../../src/contracts/model';

// Small contracts, and their readings in one line for each mode.

/** A schema with these fields, each a text. */
export const of = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
export const request = (input: object, params?: object) => ({
  type: 'object',
  properties: { input, ...(params && { params }) },
});
export const list = (...names: string[]) => names.map((name) => ({ name, type: 'string' }));

interface Read {
  readonly schema: unknown;
  readonly origin: string;
  readonly at?: string;
}

const shown = ({ schema, origin, at }: Read) =>
  at === undefined
    ? origin
    : `${Object.keys((schema as { properties?: object }).properties ?? {})}${origin === 'example' ? '?' : ''}@${at}`;

/**
 * Each mode with the fields of its input and of its params, and their places; from a copy, since bodies are
 * remembered.
 */
const told = (body: object, asked = 'm') =>
  readModel(structuredClone(body), asked)?.modes.map(({ name, input, params }) =>
    [name, shown(input), ...(params.origin === 'unknown' ? [] : [shown(params)])].join(' '),
  );

/** The reading of a body without modes. */
export const NONE = 'execute unknown';

export type ToldCase = readonly [what: string, body: object, ...expected: string[]];

/** A test of the reading of each body; an object is that of the model `m`. */
export function tell(cases: readonly ToldCase[]): void {
  for (const [what, body, ...expected] of cases)
    it(what, () => assert.deepEqual(told(Array.isArray(body) ? body : { slug: 'm', ...body }), expected));
}
