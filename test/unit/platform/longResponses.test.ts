import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import type * as bodyContent from '../../../src/intake/bodyContent';
import type * as runResult from '../../../src/platform/runResult';
import type * as run from '../../../src/readers/run';
import { useCounted } from '../../support/countedWork';
import { stubVSCode } from '../../support/vscodeStub';

stubVSCode();

/** Steps for one byte. */
const MOST_PARSING = 10;
/** Steps of each later stage, which looks at a part of the body only: some milliseconds. */
const MOST_AFTER = 500_000;
const record = {
  id: 'r',
  baseUrl: 'http://127.0.0.1:1',
  draft: { model: 'm', mode: 'execute', input: {}, params: {} },
  attachments: [],
} as unknown as RunRecord;

const list = (count: number, item: (at: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => item(at)));
/** Results of up to 10 MB as models give them, and pictures in base64 of any size. */
const bodies: Readonly<Record<string, () => string>> = {
  'a list of 500,000 numbers': () => `{"output":${list(500_000, (at) => (at % 1000) / 7)}}`,
  'a list of 60,000 texts': () => list(60_000, (at) => `text ${(at * 7_919) % 60_013}`),
  '60,000 records': () => list(60_000, (at) => ({ id: `i${at}`, n: at % 7, t: `t${(at * 31) % 977}` })),
  '100,000 hits': () => `{"results":${list(100_000, (at) => ({ id: `a/${at}.png`, score: at / 200_000 }))}}`,
  '50,000 boxes': () => list(50_000, (at) => ({ label: 'x', score: 1, box: [at, 1, 2, 3] })),
  'a picture of 8 MB': () => JSON.stringify({ output: { image: 'iVBOR'.repeat(1_600_000) } }),
  'a text of 8 MB that is not JSON': () => 'words <b>and</b> words\n'.repeat(350_000),
};

describe('A response of many megabytes', () => {
  // V8's own parts of it (parsing, joining, copying) are linear: npm run bench measures them.
  const given: Record<string, unknown> = {};
  before(async () => {
    given.vscode = await import('vscode');
  });
  const counted = useCounted<typeof bodyContent & typeof run & typeof runResult>(
    ['src/intake/bodyContent.ts', 'src/readers/run.ts', 'src/platform/runResult.ts'],
    given,
  );

  for (const [name, body] of Object.entries(bodies))
    it(`takes steps that grow with its bytes, and few to show: ${name}`, async () => {
      const { code } = counted;
      const bytes = Buffer.from(body());
      const contentType = 'application/json';
      const steps: Record<string, number> = {};
      const step = async <T>(name: string, act: () => T): Promise<T> => {
        let result: T;
        steps[name] = await counted.steps(() => {
          result = act();
        });
        return result!;
      };
      const content = await step('parse', () => code.bodyContent(bytes, contentType));
      const raw = { status: 200, headers: {}, bytes, ...content };
      const response = await step('read', () => code.readRunResponse(raw, new URL(record.baseUrl)));
      const shown = await step('hold', () => code.RunResult.of(record, response)!);
      await step('classify', () => shown.source.view);
      await step('children', () => shown.source.children('', 0, 500));
      const { parse, ...others } = steps;
      assert.ok(parse! < MOST_PARSING * bytes.length, `${parse} steps for ${bytes.length} bytes`);
      for (const [stage, taken] of Object.entries(others))
        assert.ok(taken < MOST_AFTER, `${stage}: ${taken} steps`);
    });
});
