import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json';
import { requestPlaces } from '../../../src/runs/history/requestChanges';

const side = (input: JsonObject, params: JsonObject = {}) => ({
  draft: { model: 'm', mode: 'execute', input, params },
  attachments: [],
});
const file = (uri: string, sha256: string, mediaRef: string) => ({
  ...{ uri, sha256, mediaRef },
  ...{ filename: 'a.png', contentType: 'image/png', sizeBytes: 1 },
});
const name = ({ path }: { readonly path: readonly string[] }) => path.join('/');

describe('The differences between two requests', () => {
  it('appear value by value, differing ones first, including values that only one has', () => {
    const places = requestPlaces(
      side({ text: 'a', options: { deep: [{ x: 1 }, { x: 2 }] }, only: true }),
      side({ text: 'a', options: { deep: [{ x: 1 }, { x: 3 }] } }, { top: 5 }),
    );
    assert.deepEqual(
      places.map((place) => `${place.same ? '=' : '≠'} ${name(place)}`),
      [
        '≠ input/options/deep/1/x',
        '≠ input/only',
        '≠ params/top',
        '= model',
        '= mode',
        '= input/text',
        '= input/options/deep/0/x',
      ],
    );
    assert.deepEqual(places[1], { path: ['input', 'only'], left: true, right: undefined, same: false });
  });

  it('exclude new references to the same content', () => {
    const of = (uri: string, sha256: string, mediaRef: string) => ({
      ...side({ image: { media_ref: uri } }),
      attachments: [file(uri, sha256, mediaRef)],
    });
    const differing = (...both: [ReturnType<typeof of>, ReturnType<typeof of>]) =>
      requestPlaces(...both).filter(({ same }) => !same).length;
    assert.equal(differing(of('file:///a.png', 'aa', 'r1'), of('file:///b.png', 'aa', 'r2')), 0);
    assert.equal(differing(of('file:///a.png', 'aa', 'r1'), of('file:///b.png', 'bb', 'r2')), 1);
  });

  it('names scope and options where a request has them, and lists and files as one value', () => {
    const names = (draft: object) =>
      requestPlaces({ ...side({}), draft: { ...side({}).draft, ...draft } }, side({}))
        .filter(({ same }) => !same)
        .map((place) => [name(place), place.left]);
    assert.deepEqual(names({ scope: 's', options: { debug: true } }), [
      ['scope', 's'],
      ['options/debug', true],
    ]);
    const image = { media_ref: 'r', filename: 'a.png' };
    assert.deepEqual(
      names({ input: { tags: ['a', null, 2], image, none: {}, list: [], mixed: ['a', { b: 1 }] } }),
      [
        ['input/tags', ['a', null, 2]],
        ['input/image', image],
        ['input/none', {}],
        ['input/list', []],
        ['input/mixed/0', 'a'],
        ['input/mixed/1/b', 1],
      ],
    );
  });

  it('compare files by known references, but not by unknown ones', () => {
    const of = (mediaRef: string, attachments = [file('file:///a.png', 'aa', 'r1')]) => ({
      ...side({ image: { media_ref: mediaRef } }),
      attachments,
    });
    const isSame = (...both: [ReturnType<typeof of>, ReturnType<typeof of>]) =>
      requestPlaces(...both).every(({ same }) => same);
    assert.equal(isSame(of('r1'), of('file:///a.png')), true);
    assert.equal(isSame(of('r2'), of('r3')), false);
    assert.equal(isSame(of('r2', []), of('r3', [])), false);
    assert.equal(isSame(of('r1'), { ...side({ image: 'r1' }), attachments: of('r1').attachments }), false);
  });

  it('stay empty for equal requests, and include any other value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (input, key) => {
        const left = side(input as JsonObject);
        assert.ok(requestPlaces(left, structuredClone(left)).every(({ same }) => same));
        const changed = side({ ...(input as JsonObject), [`${key}!`]: 'new' });
        assert.ok(requestPlaces(left, changed).some(({ same }) => !same));
      }),
    );
  });

  it('include deep values', () => {
    let deep: JsonObject = { end: 1 };
    for (let n = 0; n < 20_000; n++) deep = { deep };
    assert.equal(requestPlaces(side(deep), side({})).filter(({ same }) => !same).length, 1);
  });
});
