import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { contractChanges, contractUse } from '../../../src/runFiles/changed';
import { readRunFile } from '../../../src/runFiles/read';
import { contractOf, modeWith } from '../../support/runFiles/contract';

type Property = { readonly [keyword: string]: unknown };

interface Member {
  readonly name: string;
  readonly schema: Property;
  /** Undefined: the file does not use it. */
  readonly value?: string | number;
}

interface World {
  readonly members: readonly Member[];
  readonly closed: boolean;
  /** The members are inside an object of input rather than in input itself, or in each item of a list. */
  readonly nesting: 'none' | 'object' | 'list';
}

const member = (name: string, used: boolean): fc.Arbitrary<Member> =>
  fc.oneof(
    fc
      .record({ low: fc.integer({ min: 0, max: 5 }), span: fc.integer({ min: 1, max: 9 }) })
      .map(({ low, span }) => ({
        name,
        schema: { type: 'number', minimum: low, maximum: low + span },
        ...(used && { value: low + span }),
      })),
    fc.constantFrom('a', 'bb', 'ccc').map((value) => ({
      name,
      schema: { type: 'string', maxLength: 5 },
      ...(used && { value }),
    })),
    fc.constantFrom('a', 'b').map((value) => ({
      name,
      schema: { enum: ['a', 'b', 'c'] },
      ...(used && { value }),
    })),
  );

const world: fc.Arbitrary<World> = fc.record({
  members: fc.tuple(
    member('first', true),
    member('second', true),
    member('third', false),
    member('fourth', false),
  ),
  closed: fc.boolean(),
  nesting: fc.constantFrom('none', 'object', 'list'),
});

/** A change of a world's contract; `breaks`: the member it must be reported at, undefined where it touches nothing. */
interface Mutation {
  readonly name: string;
  readonly change: (
    world: World,
    target: Member,
  ) => { readonly members: readonly Member[]; readonly required?: readonly string[] };
  readonly breaks: (target: Member) => string | undefined;
}

const withSchema = ({ members }: World, target: Member, schema: Property) => ({
  members: members.map((one) => (one === target ? { ...one, schema } : one)),
});
const ifUsed = ({ name, value }: Member) => (value === undefined ? undefined : name);

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a member is gone',
    change: ({ members }, target) => ({ members: members.filter((one) => one !== target) }),
    breaks: ifUsed,
  },
  {
    name: 'a member is renamed',
    change: ({ members }, target) => ({
      members: members.map((one) => (one === target ? { ...one, name: `${one.name}_2` } : one)),
    }),
    breaks: ifUsed,
  },
  {
    name: 'a type changes',
    change: (world, target) => withSchema(world, target, { type: 'boolean' }),
    breaks: ifUsed,
  },
  {
    name: 'a listed value is no longer allowed',
    change: (world, target) => withSchema(world, target, { enum: ['zz'] }),
    breaks: ifUsed,
  },
  {
    name: 'bounds narrow past the value',
    change: (world, target) =>
      withSchema(world, target, {
        ...target.schema,
        ...(typeof target.value === 'number' ? { maximum: target.value - 1 } : { maxLength: 0 }),
      }),
    breaks: ifUsed,
  },
  {
    name: 'bounds narrow down to the value',
    change: (world, target) =>
      withSchema(world, target, {
        ...target.schema,
        ...(typeof target.value === 'number' ? { minimum: target.value } : { minLength: 1 }),
      }),
    breaks: () => undefined,
  },
  {
    name: 'everything is allowed',
    change: (world, target) => withSchema(world, target, {}),
    breaks: () => undefined,
  },
  {
    name: 'its texts and default change',
    change: (world, target) =>
      withSchema(world, target, {
        ...target.schema,
        title: 'New',
        description: 'New',
        default: 'x',
        examples: ['y'],
        deprecated: true,
      }),
    breaks: () => undefined,
  },
  {
    name: 'it becomes required',
    change: ({ members }, target) => ({ members, required: [target.name] }),
    breaks: ({ name, value }) => (value === undefined ? name : undefined),
  },
  {
    name: 'a member is added',
    change: ({ members }) => ({ members: [...members, { name: 'fifth', schema: { type: 'string' } }] }),
    breaks: () => undefined,
  },
  {
    name: 'a required member is added',
    change: ({ members }) => ({
      members: [...members, { name: 'fifth', schema: { type: 'string' } }],
      required: ['fifth'],
    }),
    breaks: () => 'fifth',
  },
  {
    name: 'the order changes',
    change: ({ members }) => ({ members: members.toReversed() }),
    breaks: () => undefined,
  },
];

function contractFor(
  { closed, nesting }: World,
  members: readonly Member[],
  required: readonly string[] = [],
): ModelContract {
  const object = {
    type: 'object',
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    required,
    ...(closed && { additionalProperties: false }),
  };
  if (nesting === 'none') return contractOf(modeWith(object));
  const inner = nesting === 'object' ? object : { type: 'array', items: object };
  return contractOf(modeWith({ type: 'object', properties: { inner } }));
}

function fileFor({ members, nesting }: World) {
  const used = Object.fromEntries(
    members.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
  const input: JsonObject = nesting === 'none' ? used : { inner: nesting === 'object' ? used : [used] };
  return readRunFile(JSON.stringify({ model: 'm', input, params: { top_k: 3 } }));
}

const BASE = { none: '/input', object: '/input/inner', list: '/input/inner/0' };

describe('A model that has changed since a file last ran', () => {
  it('causes problems only in the parts that the file uses', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(world, fc.nat(3), fc.constantFrom(...MUTATIONS), (made, at, mutation) => {
        const target = made.members[at]!;
        const file = fileFor(made);
        const before = contractUse(file, contractFor(made, made.members));
        const { members, required } = mutation.change(made, target);
        const found = contractChanges(file, before, contractFor(made, members, required));
        const breaks = mutation.breaks(target);
        const wanted = breaks === undefined ? [] : [`${BASE[made.nesting]}/${breaks}`];
        seen.set(
          `${mutation.name} ${wanted.length}`,
          1 + (seen.get(`${mutation.name} ${wanted.length}`) ?? 0),
        );
        assert.deepEqual(
          found.map(({ pointer }) => pointer),
          wanted,
          mutation.name,
        );
        for (const { message } of found) assert.match(message, /has changed since this file last ran/);
      }),
      { numRuns: 400 },
    );
    assert.ok(seen.size >= MUTATIONS.length, `each change was tried: ${[...seen.keys()].join(', ')}`);
  });

  it('appears once when its mode is gone, and when the mode now needs a scope', () => {
    const file = readRunFile('{"model":"m","input":{"text":"a"}}');
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    const before = contractUse(file, contractOf(modeWith(schema)));
    const pointers = (now: ModelContract) => contractChanges(file, before, now).map(({ pointer }) => pointer);
    assert.deepEqual(pointers(contractOf(modeWith(schema, { name: 'predict' }))), ['/mode']);
    assert.deepEqual(pointers(contractOf(modeWith(schema, { vectorBacked: true }))), ['/scope']);
    assert.deepEqual(
      pointers(contractOf(modeWith(schema), modeWith({ type: 'object' }, { name: 'other' }))),
      [],
    );
  });

  it('does not report earlier problems of the file again', () => {
    const file = readRunFile('{"model":"m","input":{"text":1,"extra":1}}');
    const contract = contractOf(modeWith({ type: 'object', properties: { text: { type: 'string' } } }));
    assert.deepEqual(contractChanges(file, contractUse(file, contract), contract), []);
  });
});
