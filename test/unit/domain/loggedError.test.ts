import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { assertNever } from '../../../src/domain/assertNever';
import { loggedError } from '../../../src/domain/loggedError';
import { ServiceError } from '../../../src/service/errors';
import { rejected } from '../../../src/service/failures';
import { StoreProblem } from '../../../src/store/storeProblem';
import { rawOf } from '../../support/rawOf';

/** A user's text: recognisable in every derived text, with lines that look like those of a stack. */
const typed = fc
  .tuple(
    fc.string(),
    fc.constantFrom('', '\n    at ', ' is not defined', '": ', 'Cannot read properties of '),
  )
  .map(([text, beside]) => `${beside}MARK ${text} MARK${beside}`);

/** Ways in which an input comes into an error, ours and the platform's. */
const failures: Readonly<Record<string, (input: string) => unknown>> = {
  'a sentence of the service': (input) =>
    rejected(rawOf(JSON.stringify({ error: { message: `No ${input}` } }), 422)),
  'a body that is no JSON': (input) => rejected(rawOf(input, 500)),
  'a cause': (input) => new ServiceError('unreachable', { cause: new Error(input) }),
  'a reason': (input) =>
    new ServiceError('invalidRequest', { why: { reason: 'fileUnreadable', file: input, cause: input } }),
  'a message of ours': (input) => new Error(`“${input}” cannot be used.`),
  'a message that is only the input': (input) => new Error(input),
  'a mistake’s message': (input) => new TypeError(input),
  'JSON.parse': (input) => thrown(() => JSON.parse(input)),
  'a number': (input) => thrown(() => BigInt(input)),
  'an address': (input) => thrown(() => new URL(input)),
  'a pattern': (input) => thrown(() => new RegExp(`(${input}`)),
  'a file': (input) => thrown(() => readFileSync(`/none/${input}`)),
  'a schema': (input) => thrown(() => z.parse(z.object({ a: z.literal('b') }), { a: input })),
  'an unexpected value': (input) => thrown(() => assertNever(input as never)),
  'a member of nothing': (input) =>
    thrown(() => (undefined as unknown as Record<string, string>)[input]?.length),
  'a list of errors': (input) => new AggregateError([new Error(input)], input),
  'the store': (input) => new StoreProblem('io', input, { cause: new Error(input) }),
  'no error': (input) => input,
};

describe('A logged error', () => {
  for (const [way, fail] of Object.entries(failures))
    it(`contains no input of the user that entered it by ${way}`, () => {
      fc.assert(
        fc.property(typed, (input) => {
          const line = loggedError(fail(input));
          assert.ok(!line.includes('MARK'), line);
        }),
        { numRuns: 200 },
      );
    });
});

function thrown(what: () => unknown): unknown {
  try {
    what();
  } catch (error) {
    return error;
  }
  // Some inputs are valid: then there is nothing to log.
  return undefined;
}
