import assert from 'node:assert/strict';
import vm from 'node:vm';
import fc from 'fast-check';
import type * as z from 'zod/mini';
import { type Json, json, jsonObject } from '../../../src/domain/json';
import { shownContract } from '../../../src/domain/model';
import { runDraft, runRequest } from '../../../src/domain/run';
import { experimentKind } from '../../../src/experiments/plan/experimentKind';
import { indexKind } from '../../../src/indexing/indexKind';
import { setUpMethods } from '../../../src/protocol/experimentSetUp';
import { workInProgress } from '../../../src/protocol/run';
import { modelOf } from '../../support/runPage';

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'),
  fc.string(),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1.5, ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
})).value;
/** As a service or a file has it: JSON without the sign of a zero. */
const parsed = <T>(of: fc.Arbitrary<T>) => of.map((one) => JSON.parse(JSON.stringify(one)) as Json);
const anyObject = parsed(fc.dictionary(names, value, { maxKeys: 3 })) as fc.Arbitrary<{
  [name: string]: Json;
}>;

const run = { model: 'm', mode: 'execute' };
const read = (schema: z.ZodMiniType) => (given: unknown) => schema.safeParse(given).data;
const ofIndexing = {
  ...{ id: '1', environment: 'e', baseUrl: 'https://a.test', model: 'm', modelName: 'M' },
  scope: 's',
};
const ofExperiment = { customId: '1', requestSha256: 'a', repeat: 0, item: 'row 2', itemSha256: 'b' };

/** The readers, with their copy of the user's or the service's JSON. */
const KEPT: Readonly<Record<string, (given: { [name: string]: Json }) => readonly [unknown, unknown]>> = {
  'a run’s record': (given) => {
    const request = { ...run, input: given, params: given, options: given };
    return [read(runRequest)(request), request];
  },
  'the input of a run panel': (given) => {
    const draft = { ...run, input: given, params: given };
    const work = { draft, otherModes: { search: { input: given, params: given } }, tab: 'form' };
    assert.deepEqual(read(runDraft)(draft), draft);
    return [read(workInProgress)(work), work];
  },
  'the values of an experiment': (given) => {
    const change = { vary: { pointer: '/params/a', values: [given] } };
    return [read(setUpMethods.edit.params)(change), change];
  },
  'a model’s contract': (given) => {
    const contract = modelOf(given, given, { examples: [{ input: given, params: given }] });
    return [(read(shownContract)(contract) as typeof contract).modes, contract.modes];
  },
  'a job that indexes': (given) => {
    const head = { ...ofIndexing, mode: 'index', params: given, at: 1 };
    return [indexKind.head(head), head];
  },
  'a run of an experiment': (given) => {
    const { item: name, itemSha256, ...others } = ofExperiment;
    const item = { ...others, variation: { '/params/a': given }, item: name, itemSha256 };
    return [experimentKind.item(item), item];
  },
};

describe('Kept JSON', () => {
  for (const [what, kept] of Object.entries(KEPT))
    it(`keeps every member, with any name, in ${what}`, () => {
      fc.assert(
        fc.property(anyObject, (given) => {
          const [got, wanted] = kept(given);
          assert.deepEqual(JSON.stringify(got), JSON.stringify(wanted));
        }),
      );
      assert.equal(Object.getPrototypeOf({}), Object.prototype);
    });

  it('accepts objects of another realm, or without a prototype', () => {
    const elsewhere: unknown = vm.runInNewContext('({ a: [{ b: 1 }] })');
    assert.equal(json.parse(elsewhere), elsewhere);
    const bare = Object.assign(Object.create(null), { a: 1 }) as object;
    assert.equal(jsonObject.parse(bare), bare);
  });
});
