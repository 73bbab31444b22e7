import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/json';
import { requestPlaces } from '../../../src/runs/history/requestChanges';

const side = (input: JsonObject, params: JsonObject = {}) => ({
  draft: { model: 'm', mode: 'execute', input, params },
  attachments: [],
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
});
