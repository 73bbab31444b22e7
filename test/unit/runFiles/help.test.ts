import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelSummary } from '../../../src/domain/model';
import { type CompletionFacts, completeAt, hoverIn } from '../../../src/runFiles/complete';
import { readRunFile } from '../../../src/runFiles/read';
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

describe('Completion in a run file', () => {
  it('offers models, modes, scopes and environments that are known', () => {
    assert.deepEqual(complete('{ "model": | }')?.labels, ['m', 'sentiment', 'image-similarity']);
    assert.deepEqual(complete('{ "model": "sim|" }')?.labels, ['image-similarity']);
    assert.deepEqual(complete('{ "model": "m", "mode": "|" }')?.labels, ['execute', 'search']);
    assert.deepEqual(complete('{ "scope": "|" }')?.labels, ['animals', 'playground']);
    assert.deepEqual(complete('{ "environment": | }')?.labels, ['staging', 'production']);
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
