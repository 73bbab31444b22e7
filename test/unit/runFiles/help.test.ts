import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelSummary } from '../../../src/domain/model';
import { type CompletionFacts, completeAt, hoverIn } from '../../../src/runFiles/complete';
import { problemFixes } from '../../../src/runFiles/fixes';
import { problemsIn, readRunFile } from '../../../src/runFiles/read';
import { contractOf, modeWith } from '../../support/runFiles/contract';

const contract = contractOf(
  modeWith({
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: {
      text: { type: 'string', description: 'What to judge' },
      size: { enum: ['small', 'large'] },
      inner: { type: 'object', properties: { threshold: { type: 'number' } } },
    },
  }),
  modeWith({ type: 'object' }, { name: 'search', vectorBacked: true }),
);
const model = (slug: string): ModelSummary => ({
  slug,
  name: slug.toUpperCase(),
  tags: [],
  modeNames: [],
  raw: {},
});
const KNOWN: CompletionFacts = {
  models: [model('m'), model('sentiment'), model('image-similarity')],
  contract,
  environments: ['staging', 'production'],
  scopes: ['animals'],
};

/** `|` in the text is the cursor. */
function at(text: string): [text: string, offset: number] {
  return [text.replace('|', ''), text.indexOf('|')];
}
function complete(marked: string, known = KNOWN) {
  const [text, offset] = at(marked);
  const found = completeAt(readRunFile(text), offset, known);
  return found && { ...found, text, labels: found.items.map(({ label }) => label) };
}
function fixed(text: string): string[] {
  const file = readRunFile(text);
  return problemsIn(file, contract).flatMap((problem) =>
    problemFixes(file, problem, contract).map(
      (fix) => text.slice(0, fix.offset) + fix.text + text.slice(fix.offset + fix.length),
    ),
  );
}

describe('Completion in a run file', () => {
  it('offers models, modes, scopes and environments that are known', () => {
    assert.deepEqual(complete('{ "model": | }')?.labels, ['m', 'sentiment', 'image-similarity']);
    assert.deepEqual(complete('{ "model": "sim|" }')?.labels, ['image-similarity']);
    assert.deepEqual(complete('{ "model": "m", "mode": "|" }')?.labels, ['execute', 'search']);
    assert.deepEqual(complete('{ "scope": "|" }')?.labels, ['animals', 'playground']);
    assert.deepEqual(complete('{ "environment": | }')?.labels, ['staging', 'production']);
  });

  it('replaces only the word being typed', () => {
    const typed = complete('{ "model": "sen|", "input": {} }')!;
    assert.equal(typed.text.slice(typed.place.offset, typed.place.offset + typed.place.length), '"sen"');
    const renamed = complete('{ "model": "m", "input": { "te|": "a" } }')!;
    assert.deepEqual(renamed.items[0]?.insert, '"text"');
  });

  it('never throws, for any position of the cursor in any text', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"input"',
      '"model"',
      '"m"',
      ' ',
      '1',
      '//',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.nat(), (parts, at) => {
        const text = parts.join('');
        completeAt(readRunFile(text), at % (text.length + 1), KNOWN);
        hoverIn(readRunFile(text), at % (text.length + 1), KNOWN);
      }),
    );
  });
});

describe('Quick fixes in a run file', () => {
  it('rename parameters to params, and a member to the one name that is near', () => {
    assert.ok(
      fixed('{"model":"m","input":{"text":"a"},"parameters":{}}').includes(
        '{"model":"m","input":{"text":"a"},"params":{}}',
      ),
    );
    assert.ok(fixed('{"model":"m","input":{"txet":"a"}}').includes('{"model":"m","input":{"text":"a"}}'));
    assert.ok(
      fixed('{"model":"m","input":{"text":"a","sise":"small"}}').includes(
        '{"model":"m","input":{"text":"a","size":"small"}}',
      ),
    );
  });
});
