import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import { rawResponse } from '../../../src/service/rawResponse';
import { readRunResponse } from '../../../src/service/reading/run';
import { withStall } from '../../support/stall';
import { stubVSCode } from '../../support/vscodeStub';

stubVSCode();

const MOST_MS = 50;
const MB = 2 ** 20;
const record = {
  id: 'r',
  baseUrl: 'http://127.0.0.1:1',
  draft: { model: 'm', mode: 'execute', input: {}, params: {} },
  attachments: [],
} as unknown as RunRecord;

const list = (count: number, item: (at: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => item(at)));
/** What a service may send: some of it in an envelope, and each the most of its kind. */
const bodies: Readonly<Record<string, () => string>> = {
  'a list of 500,000 numbers': () => `{"output":${list(500_000, (at) => at % 10)}}`,
  'a list of 200,000 numbers that have no order': () => list(200_000, (at) => ((at * 7_919) % 1_000_003) / 7),
  'a list of 60,000 texts': () => list(60_000, (at) => `text ${(at * 7_919) % 60_013}`),
  '60,000 records': () => list(60_000, (at) => ({ id: `i${at}`, n: at % 7, t: `t${(at * 31) % 977}` })),
  '200,000 hits': () => `{"results":${list(200_000, (at) => ({ id: `a/${at}.png`, score: at / 200_000 }))}}`,
  '200,000 labels': () => list(200_000, (at) => ({ label: `l${at}`, score: at / 200_000 })),
  '100,000 boxes': () => list(100_000, (at) => ({ label: 'x', score: 1, box: [at, 1, 2, 3] })),
  '500,000 names': () => `{${Array.from({ length: 500_000 }, (_, at) => `"n${at}":1`).join()}}`,
  '24,000 names in each of 20': () =>
    list(20, (row) => Object.fromEntries(Array.from({ length: 24_000 }, (_, at) => [`n${row}_${at}`, at]))),
  '1,000 names in each of 500': () =>
    list(500, (row) =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`n${row % 50}_${at}`, at])),
    ),
  '11,000 names': () =>
    `{${Array.from({ length: 11_000 }, (_, at) => `"n${at}":"${'x'.repeat(300)}"`).join()}}`,
  '60,000 lists': () => list(60_000, (at) => [at, [at % 13, { a: `x${at}` }]]),
  'a text of 60 MB': () => JSON.stringify({ output: 'words and words '.repeat(3_750_000) }),
  'a text of 8 MB': () => JSON.stringify({ output: 'words and words '.repeat(500_000) }),
  'a text of 8 million lines': () => JSON.stringify({ output: '\n'.repeat(8_000_000) }),
  'a text of 12 MB that is not JSON': () => 'words <b>and</b> words\n'.repeat(500_000),
  'lists in one another': () => `${'['.repeat(190)}${'[],'.repeat(900_000)}[]${']'.repeat(190)}`,
  'a text of signs that are escaped': () => JSON.stringify({ output: { text: '\u0001'.repeat(2 * MB) } }),
};

/** Each step has a turn of its own: which of them held the host is in the message. */
async function held(
  step: string,
  work: () => unknown,
): Promise<{ readonly step: string; readonly ms: number }> {
  const { stallMs } = await withStall(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return work();
  });
  return { step, ms: Math.round(stallMs) };
}

describe('A response of many megabytes', function () {
  this.timeout(120_000);
  let longest = 0;

  for (const [name, body] of Object.entries(bodies))
    it(`holds the host for less than ${MOST_MS} ms, whatever is asked of it: ${name}`, async () => {
      const { HeldResponse } = await import('../../../src/platform/heldResponse');
      const { copyText, linesOf } = await import('../../../src/platform/longTexts');
      const { openText } = await import('../../../src/platform/textEditor');
      const { readableText } = await import('../../../src/service/jsonText');
      const { Turns } = await import('../../../src/service/turns');
      const bytes = Buffer.from(body());
      const headers = { 'content-type': 'application/json' };
      const raw = await rawResponse(200, headers, bytes, { maxBytes: 64 * MB });
      const steps = [await held('read', () => readRunResponse(raw, new URL(record.baseUrl)))];
      const response = readRunResponse(raw, new URL(record.baseUrl));
      const shown = await HeldResponse.of(record, response);
      assert.ok(shown);
      const { source, output } = shown;
      const text = typeof output === 'string' ? output : '';
      steps.push(
        await held('hold', () => HeldResponse.of(record, response)),
        await held('describe', () => shown.describe()),
        await held('classify', async () => (await HeldResponse.of(record, response))?.source.view),
        await held('children', () => source.children('', 0, 500, new Turns())),
        await held('search', () => source.search('no such text', new Turns())),
        await held('copy', async () => copyText(await shown.readable('output'))),
        await held('open', async () => openText(await shown.readable('body'), 'json')),
        await held('value', async () => openText(await readableText(source.valueAt('')), 'json')),
        await held('lines', () => linesOf(text)),
      );
      for (const { pointer, part } of source.view.sections)
        if (part.kind === 'table')
          for (const descending of [false, true])
            steps.push(
              await held(`sort ${part.columns.length}`, () =>
                source.rows(pointer, { column: 0, descending }, 0, 100, new Turns()),
              ),
            );
      longest = Math.max(longest, ...steps.map(({ ms }) => ms));
      assert.deepEqual(
        steps.filter(({ ms }) => ms >= MOST_MS),
        [],
      );
    });

  after(() => console.log(`      ${Object.keys(bodies).length} bodies: ${longest} ms at most`));
});
