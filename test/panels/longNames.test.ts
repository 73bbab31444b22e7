import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { variationsOf } from '../../src/experiments/plan/grid';
import { resultSource } from '../../src/results/resultSource';
import { openExperimentPage } from '../support/experiments/page';
import { rowOf, tableOf } from '../support/experiments/table';
import { done, modelOf, openRunPage } from '../support/runPage';
import { openWebviewPage, usePages, type WebviewPage } from '../support/webviewPage';
import { pixelsTooWide } from './grid';
import { responses, usd } from './shownUsage';
import { openUsagePage } from './usagePage';

const WORD = `a-name-without-any-space-${'x'.repeat(200)}`;
const TEXTS = [
  WORD,
  'هذا نص طويل بالعربية لاختبار الاتجاه',
  '这是一个非常长的中文名称用来测试面板'.repeat(6),
];

const text = (title: string) => ({ type: 'string', title, description: WORD });
const form = modelOf({
  type: 'object',
  properties: {
    text: text(WORD),
    choice: { ...text('Choice'), enum: TEXTS },
    list: { type: 'array', title: 'List', uniqueItems: true, items: { type: 'string', enum: TEXTS } },
    [WORD]: { type: 'boolean' },
  },
} as never);

const search = {
  ...{ modelName: WORD, scope: WORD, environment: WORD, production: true, takes: 'text' },
  saved: { model: 'm', scope: 's', baseUrl: 'b' },
  view: { withQuery: false, tileSize: 168 },
  params: [{ name: 'by', label: WORD, kind: 'choice', choices: [{ value: 'a', label: WORD }] }],
  ...{ values: {}, items: [], query: { kind: 'text', text: WORD }, pinned: [{ run: 'a', label: WORD }] },
  price: WORD,
  problem: { message: WORD, action: 'Set API Key…' },
  result: {
    run: 'r',
    hits: TEXTS.map((excerpt, at) => ({ id: `${WORD}${at}`, excerpt, score: 1, members: [] })),
    ...{ measure: 'score', total: 3, tookMs: 4, recognised: true },
  },
};

const compared = (id: string) => ({ id, name: WORD, facts: [WORD], message: WORD, hasResult: true });
const [one, other] = TEXTS.map((value) => ({ kind: 'text', text: value }));
const comparison = {
  ...{ left: compared('l'), right: compared('r'), more: 0 },
  places: [{ name: WORD, left: one, right: other, same: false }],
};

describe('Names without spaces, in other directions and scripts', () => {
  const openPage = usePages(
    (browser: Browser, open: (browser: Browser) => Promise<Omit<WebviewPage, 'notify'>>) => open(browser),
  );
  const pages: Readonly<Record<string, (browser: Browser) => Promise<Omit<WebviewPage, 'notify'>>>> = {
    'the form of a model': (browser) =>
      openRunPage(browser, { ...form, name: WORD }, { responses: {} }).then(async (opened) => {
        await opened.notify('showFacts', { file: { name: `${WORD}.run.json`, state: 'conflict' } });
        await opened.notify('showContract', { problem: { message: WORD } });
        await opened.page.getByRole('alert').first().waitFor();
        return opened;
      }),
    'a run that waits': (browser) =>
      openRunPage(browser, form).then(async (opened) => {
        const step = { step: 'waiting', reason: 'rateLimit', serviceMessage: WORD, untilMs: 1 } as const;
        await opened.showRun({ state: 'running', elapsedMs: 1, environment: WORD, step, stopping: false });
        await opened.page.locator('.busy').waitFor();
        return opened;
      }),
    'a run that was accepted': (browser) =>
      openRunPage(browser, form).then(async (opened) => {
        await opened.showRun(done({ state: 'accepted', status: 202, message: WORD, runId: WORD }));
        await opened.page.locator('.status-line').waitFor();
        return opened;
      }),
    'a search': (browser) =>
      openWebviewPage(browser, {
        name: 'search',
        response: (method) => (method === 'ready' ? search : null),
      }),
    'a comparison': (browser) =>
      openWebviewPage(browser, {
        name: 'compare',
        response: (method) =>
          method === 'ready'
            ? comparison
            : method === 'resultView'
              ? resultSource({ labels: WORD }).view
              : [],
      }),
    'the usage': (browser) =>
      openUsagePage(browser, {
        ...responses,
        summary: () => ({ state: 'failing', message: WORD, wayOn: 'Connect…' }),
        activity: () => ({
          ...{ state: 'ready', entries: [{ model: WORD, money: usd('1') }], more: false },
          unresolved: [{ historyId: 'x', at: 0, model: WORD, input: WORD, state: 'unconfirmed', job: WORD }],
        }),
      }),
    'a table': (browser) =>
      openExperimentPage(browser, {
        table: tableOf({
          items: TEXTS.map((value) => rowOf(value)),
          variations: variationsOf({ '/model': TEXTS }),
          line: () => ({ result: WORD }),
        }),
        experiment: { description: WORD },
      }),
  };

  for (const [name, open] of Object.entries(pages))
    it(`make ${name} no wider than its panel`, async () => {
      const { page } = await openPage(open);
      await page.locator('h1').first().waitFor();
      for (const width of [1400, 700, 400]) {
        await page.setViewportSize({ width, height: 800 });
        assert.equal(await pixelsTooWide(page), 0, `${width} px`);
      }
    });

  it('leave the model its name beside the one of a run file', async () => {
    const { page } = await openPage(async (browser) => {
      const opened = await openRunPage(browser, form);
      await opened.notify('showFacts', { file: { name: `${WORD}.run.json`, state: 'changed' } });
      return opened;
    });
    await page.getByRole('group', { name: 'Run file' }).waitFor();
    await page.setViewportSize({ width: 400, height: 800 });
    const head = (await page.locator('.head-line').first().boundingBox())!;
    assert.ok(head.height <= 40, `${head.height} px`);
    const { width } = (await page.locator('h1').boundingBox())!;
    assert.ok(width >= 48, `${width} px`);
  });
});
