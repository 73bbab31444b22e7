import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { resultText } from '../../../src/experiments/results/results';
import { draftIn, readRunFile } from '../../../src/runFiles/read';
import { newRunFileText, withDraft } from '../../../src/runFiles/write';
import { mergeResults, readResults } from '../../support/atOnce';

const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
const cell = fc.string({ unit: fc.constantFrom('a', 'ä', '日', ' ', '"', ',', '\t', '=', '1') });

describe('A file that went through an editor of Windows', () => {
  it('gives the same results, torn lines among them, which merge into one', () => {
    const result: fc.Arbitrary<ResultLine> = fc.record({
      custom_id: fc.constantFrom('aa-0', 'ab-0'),
      variation: fc.constant({}),
      item: cell,
      repeat: fc.nat(3),
      request_sha256: fc.constant('aa'),
      state: fc.constantFrom('finished', 'failed', 'unconfirmed'),
      started_at: fc.constant('2026-11-22T10:00:00Z'),
    });
    const lines = fc.array(fc.oneof(result.map(resultText), fc.constant('{"custom_id": "torn\n')));
    fc.assert(
      fc.property(lines, (all) => {
        const text = all.join('');
        assert.deepEqual(readResults(windows(text)), readResults(text));
        assert.equal(mergeResults([text, windows(text)]), mergeResults([text]));
      }),
    );
  });

  it('gives the same run file, and keeps its line ends when a panel writes into it', () => {
    fc.assert(
      fc.property(cell, cell, (before, after) => {
        const draft = (text: string) => ({ model: 'm', mode: 'execute', input: { text }, params: {} });
        const text = newRunFileText(draft(before)).replaceAll('\n', '\r\n');
        assert.deepEqual(draftIn(readRunFile(text)), draftIn(readRunFile(newRunFileText(draft(before)))));
        assert.deepEqual(draftIn(readRunFile(`\ufeff${text}`)), draftIn(readRunFile(text)));
        const written = withDraft(text, { ...draft(after), options: { added: [1, { deep: 2 }] } });
        assert.equal(written.replaceAll('\r\n', '').includes('\n'), false, written);
        assert.deepEqual(draftIn(readRunFile(written)).input, { text: after });
      }),
    );
  });
});
