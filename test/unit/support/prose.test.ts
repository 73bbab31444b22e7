import assert from 'node:assert/strict';
import { firstRiddle } from '../../support/prose/rules.mjs';

const RIDDLES = [
  'What stands at a pointer, undefined when nothing does.',
  'Runs what an experiment has no result for.',
  'One or two sentences for whatever was thrown.',
  'Nobody else can say so.',
  'Nothing is sent before `start`.',
  'Opens a response as it came.',
  'Undefined: it is over.',
  'One that is small stands as it is.',
  'Prepares again what may have expired.',
  'New results wait so long for others.',
  'A lease that could not be let go of.',
  'The tree is told of each change.',
];

const PLAIN = [
  'The value at a pointer, undefined when the place does not exist.',
  'What does the model return?',
  'Shows “Nothing is sent” in the status bar.',
  'Calls `whatever` as soon as it is loaded, as long as the window is open.',
  'A stand-in for VS Code, also used by the pages.',
  'Shows the value in another view, also in later results.',
];

const OF_KIND = [
  ['it', 'is undefined for a list', 'returns undefined for a list'],
  ['it', 'that failed are kept', 'keeps failed runs'],
  ['describe', 'What is sent again', 'A retry'],
  ['name', 'found', 'match'],
  ['subject', 'fix: a lease is released twice', 'fix: release a lease once'],
  ['subject', 'test: closes the window', 'test: bring the focus back'],
  ['subject', 'feat: keeping of uses', 'feat: guess the uses'],
  ['subject', 'fixed the lease', 'fix(store): keep a lease'],
  ['subject', `fix: keep ${'a'.repeat(70)}`, `fix: keep ${'a'.repeat(60)}`],
] as const;

describe('The rules of prose', () => {
  for (const text of RIDDLES)
    it(`reject “${text}”`, () => assert.ok(firstRiddle({ kind: 'comment', text }), text));

  for (const text of PLAIN)
    it(`accept “${text}”`, () => assert.equal(firstRiddle({ kind: 'comment', text }), undefined));

  for (const [kind, riddle, plain] of OF_KIND)
    it(`prefer “${plain}” to “${riddle}” (${kind})`, () => {
      assert.ok(firstRiddle({ kind, text: riddle }));
      assert.equal(firstRiddle({ kind, text: plain }), undefined);
    });
});
