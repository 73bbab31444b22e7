import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RunFileProblem } from '../../../src/runFiles/read';
import { problemsIn, readRunFile } from '../../../src/runFiles/read';
import { contractOf, modeWith } from '../../support/runFiles/contract';

const contract = contractOf(
  modeWith({
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: {
      text: { type: 'string' },
      image: { type: 'object', properties: { media_ref: { type: 'string', pattern: '^media_' } } },
    },
  }),
);
const GOOD = { version: 1, model: 'm', input: { text: 'a' } };
const check = (file: object | string, known = true): RunFileProblem[] =>
  problemsIn(
    readRunFile(typeof file === 'string' ? file : JSON.stringify(file)),
    known ? contract : undefined,
  );
const short = (problems: readonly RunFileProblem[]) =>
  problems.map(({ pointer, source }) => `${pointer} ${source}`);

describe('Checking a run file', () => {
  it('reports no problem of a valid one, with any optional members', () => {
    assert.deepEqual(check(GOOD), []);
    assert.deepEqual(check(GOOD, false), []);
    assert.deepEqual(
      check({
        ...GOOD,
        $schema: 'x',
        name: 'n',
        description: 'd',
        environment: 'e',
        mode: 'execute',
        params: {},
        options: {},
        expect: [],
      }),
      [],
    );
  });

  it('reports the problems of the form, each at its place', () => {
    assert.deepEqual(short(check({ ...GOOD, input: { text: 1 } })), ['/input/text model']);
    assert.deepEqual(short(check({ ...GOOD, input: { txt: 'a' } })), [
      '/input/text model',
      '/input/txt model',
    ]);
    assert.deepEqual(short(check({ ...GOOD, params: { top_k: 11 } })), ['/params/top_k model']);
    assert.deepEqual(short(check({ ...GOOD, mode: 'search' })), ['/mode model']);
    assert.deepEqual(short(check({ ...GOOD, mode: 'search' }, false)), ['/scope request']);
    assert.deepEqual(short(check({ ...GOOD, scope: '-' }, false)), ['/scope request']);
  });

  it('keeps unknown members, and reports them', () => {
    const [unknown] = check({ ...GOOD, colour: 'red' });
    assert.deepEqual([unknown?.pointer, unknown?.severity], ['/colour', 'warning']);
    for (const field of ['parameters', 'hardware_tier', 'collection'])
      assert.deepEqual(
        check({ ...GOOD, [field]: {} }).map(({ severity }) => severity),
        ['error'],
        field,
      );
    assert.match(check({ ...GOOD, version: 2 })[0]!.message, /version 2. Update/);
  });

  it('counts only a path that begins with a dot as a file', () => {
    const media = (media_ref: string) => check({ ...GOOD, input: { text: 'a', image: { media_ref } } });
    for (const path of ['./cat.png', '../a/cat.png', 'media_123']) assert.deepEqual(media(path), [], path);
    for (const path of '/etc/passwd file:///etc/passwd C:\\x ~/x .\\x ./a\0b vscode-remote://a/b'.split(' '))
      assert.ok(
        media(path).some(({ pointer, source }) => pointer === '/input/image/media_ref' && source === 'media'),
        path,
      );
  });

  it('never throws, for any file', () => {
    const names = fc.constantFrom(
      'model',
      'mode',
      'scope',
      'input',
      'params',
      'options',
      'expect',
      'version',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.boolean(), (file, known) => {
        check(JSON.stringify(file), known);
      }),
    );
  });
});
