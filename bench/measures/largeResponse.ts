import { resultSource } from '../../src/results/resultSource';
import { launchBrowser } from '../../test/support/browser';
import { modelOf, openRunPage } from '../../test/support/runPage';
import { type Measure, timed } from '../measure';
import { longestStallDuring } from '../support/page';

/** From a response's text to its preview: read and classified as the host does, shown by the page as it does. */
export const largeResponse: Measure = {
  name: 'large-response',
  what: '10 MB of JSON: from its text to the preview in Chromium; the longest stall of the page; / JSON.parse of it',
  goals: [
    { figure: 'ms', label: 'time to preview', unit: 'ms', atMost: 1_000 },
    { figure: 'stall', label: 'longest stall of the page', unit: 'ms', atMost: 100 },
    { figure: 'parse', label: 'JSON.parse alone', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const browser = await launchBrowser();
    const rows = Array.from({ length: 60_000 }, (_, id) => ({
      id,
      nested: { text: 'x'.repeat(100), list: [1, 2, 3] },
    }));
    const text = JSON.stringify({ rows, text: 'y'.repeat(1_000_000) });
    const response = {
      ...{ contentType: 'application/json', sizeBytes: text.length, kind: 'json' as const },
      ...{ recognised: true, bodyChars: text.length },
    };
    return {
      warmUp: 1,
      async pair() {
        const parse = await timed(() => JSON.parse(text));
        const panel = await openRunPage(browser, modelOf({ type: 'object', properties: {} }));
        let ms = 0;
        const stall = await longestStallDuring(panel.page, async () => {
          ms = await timed(async () => {
            const output: unknown = JSON.parse(text);
            resultSource(output);
            const run = {
              ...{ id: 'run', state: 'finished' as const, environment: 'Test', startedAt: 0, finishedAt: 1 },
              ...{ attachments: [], response },
            };
            await panel.showRun({ state: 'done', run }, output);
            await panel.page.getByRole('treeitem').or(panel.page.getByRole('row')).first().waitFor();
          });
        });
        await panel.close();
        return { ms, stall, parse };
      },
      close: () => browser.close(),
    };
  },
};
