import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeFile } from '../../../webview/run/json/placeFile';

const MEDIA = { media_ref: 'file:///a.png', filename: 'a.png' };
const FILE = '{"media_ref": "file:///a.png", "filename": "a.png"}';

/** The text after the file is put at `|`; undefined when it has no place. */
function placed(marked: string, levels: number): string | undefined {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const change = placeFile(text, caret, MEDIA, levels);
  return change && text.slice(0, change.from) + change.insert + text.slice(change.to);
}

describe('A file put into JSON', () => {
  const cases: [string, number, string | undefined][] = [
    ['{"input": {"image": "ab|c"}}', 2, `{"input": {"image": ${FILE}}}`],
    ['{"input": {"ima|ge": null}}', 2, `{"input": {"image": ${FILE}}}`],
    ['{"input": {"image": {|}}}', 2, `{"input": {"image": ${FILE}}}`],
    ['{"input": {"image": {"media_ref": "o|ld"}}}', 2, `{"input": {"image": ${FILE}}}`],
    ['{"input": {|}, "params": {}}', 2, `{"input": {"file": ${FILE}}, "params": {}}`],
    ['|{"input": {"a": 1}}', 2, `{"input": {"a": 1, "file": ${FILE}}}`],
    ['{"input": {"images": [|]}}', 2, `{"input": {"images": [${FILE}]}}`],
    ['{"input": {"images": [1,| 2]}}', 2, `{"input": {"images": [1, ${FILE}, 2]}}`],
    ['{"input": {"images": [| 2]}}', 2, `{"input": {"images": [${FILE},  2]}}`],
    ['{"a": {"b": 1|}}', 1, `{"a": {"b": ${FILE}}}`],
    ['|', 0, FILE],
    ['"x|"', 0, FILE],
    ['|', 2, undefined],
  ];
  for (const [before, levels, after] of cases)
    it(`${JSON.stringify(before)} becomes ${after === undefined ? 'nothing else' : after}`, () =>
      assert.equal(placed(before, levels), after));

  it('leaves valid JSON valid, for any place of the caret, and its input an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (input, at) => {
        const text = JSON.stringify({ input, params: {} }, null, 1);
        const change = placeFile(text, at % (text.length + 1), MEDIA, 2);
        if (!change) return;
        const next = JSON.parse(text.slice(0, change.from) + change.insert + text.slice(change.to));
        assert.deepEqual(
          [typeof next.input, typeof next.params, Array.isArray(next.input)],
          ['object', 'object', false],
        );
        assert.match(JSON.stringify(next), /file:\/\/\/a\.png/);
      }),
    );
  });
});
