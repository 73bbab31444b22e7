import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import { isExactNumber, parseExactly } from '../../../src/domain/exactNumbers';
import type { Json } from '../../../src/domain/json';
import { readExperiment } from '../../../src/experiments/file/read';
import { readerFor } from '../../../src/experiments/file/tableText';
import { initialInput } from '../../../src/forms/buildForm';
import { readTable } from '../../../src/intake/readTable';
import { draftIn, problemsIn, readRunFile } from '../../../src/runFiles/read';
import { Turns } from '../../../src/service/turns';

/** Any number of JSON, unchanged. */
const written = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat().map(String), fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));
/** Those around 2^53 among them. */
const numbers = fc.oneof(
  written,
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 9n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

/** The result of each way in for a number: the sent value, or undefined after a rejection. */
const WAYS: Readonly<Record<string, (digits: string) => Json | undefined | Promise<Json | undefined>>> = {
  'a run file': (digits) => {
    const file = readRunFile(`{"version":1,"model":"m","input":{"n":${digits}}}`);
    return problemsIn(file, undefined).length > 0 ? undefined : (draftIn(file).input as { n: Json }).n;
  },
  'a value of an experiment': (digits) => {
    const { experiment } = readExperiment(`{"run":{"model":"m"},"vary":{"/input/n":[${digits}]}}`);
    return experiment && (experiment.vary as { '/input/n': Json[] })['/input/n'][0];
  },
  'a cell of CSV': (digits) => {
    const field = { type: 'object', properties: { n: { type: 'number' } } };
    const contract = readModel({ slug: 'm', input_schema: field }, 'm')!;
    const draft = { model: 'm', mode: contract.modes[0]!.name, input: {}, params: {} };
    const read = readerFor(contract, draft, '/input/n')(digits);
    // Text is a problem of its row.
    return read === digits ? undefined : read;
  },
  'a row of JSONL': async (digits) => {
    const table = await readTable(Buffer.from(`{"n":${digits}}\n`), '.jsonl', new Turns());
    const [row] = table.rows;
    return row === undefined || row.inexact?.n !== undefined ? undefined : row.values.n;
  },
  'a default of a contract': (digits) => {
    const schema = `{"type":"object","properties":{"n":{"type":"number","default":${digits}}},"required":["n"]}`;
    const contract = readModel(parseExactly(`{"slug":"m","input_schema":${schema}}`), 'm')!;
    const { n } = initialInput(contract.modes[0]!.input.schema) as { n: Json };
    // Its digits as text: the form shows them, and refuses to send them.
    return n === digits ? undefined : n;
  },
  'an example of a contract': (digits) => {
    const contract = readModel(parseExactly(`{"slug":"m","examples":[{"input":{"n":${digits}}}]}`), 'm')!;
    const { n } = contract.modes[0]!.examples[0]!.input as { n: Json };
    return n === digits ? undefined : n;
  },
};

describe('A number', () => {
  for (const [way, read] of Object.entries(WAYS))
    it(`leaves exactly as written, or fails, in ${way}`, async () => {
      await fc.assert(
        fc.asyncProperty(numbers, async (digits) => {
          const sent = await read(digits);
          // Of responses, decimals are the nearest number: they are scores and bounds, no identifiers.
          const isNearest = way.endsWith('of a contract') && Math.abs(Number(digits)) < 2 ** 53 - 1;
          if (isExactNumber(digits) || isNearest) assert.equal(sent, Number(digits));
          else assert.equal(sent, undefined);
        }),
        { numRuns: 300 },
      );
    });
});
