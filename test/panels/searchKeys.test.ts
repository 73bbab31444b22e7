import assert from 'node:assert/strict';
import type { SearchState } from '../../src/protocol/search';
import { openWebviewPage, usePages } from '../support/webviewPage';

const search = {
  ...{ modelName: 'Similarity', scope: 'notes', environment: 'local', production: false },
  saved: { model: 'similarity', scope: 'notes', baseUrl: 'https://models.test' },
  view: { withQuery: false, tileSize: 168 },
  params: [{ name: 'k', label: 'Maximum results', kind: 'number', integer: true, default: 10 }],
  ...{ values: {}, pinned: [], items: [], price: 'about $0.001' },
} satisfies Partial<SearchState>;

describe('The search page, by keyboard', () => {
  const openPage = usePages(openWebviewPage);
  const open = (more: Partial<SearchState>) =>
    openPage({
      name: 'search',
      response: (method) => (method === 'ready' ? { ...search, ...more } : undefined),
    });

  it('searches with a file at Ctrl+Enter in a parameter, and with the typed value', async () => {
    const opened = await open({
      takes: 'media',
      query: { kind: 'file', uri: 'file:///a.png', name: 'a.png' },
    });
    const field = opened.page.getByRole('spinbutton', { name: 'Maximum results' });
    await field.fill('3');
    await field.press('ControlOrMeta+Enter');
    await opened.untilSaid(() => opened.said.some(({ method }) => method === 'search'));
    assert.deepEqual(
      opened.said.slice(1).map(({ method }) => method),
      ['setParam', 'search'],
    );
    assert.deepEqual(opened.said[1]!.params, { name: 'k', value: 3 });
    assert.ok(await field.evaluate((at) => at === document.activeElement));
  });

  for (const width of [1400, 1000])
    it(`moves nothing below its query while it searches, at ${width} px`, async () => {
      const query = { kind: 'file', uri: 'file:///a.png', name: 'picture-with-a-name.png' } as const;
      const state = { ...search, takes: 'media' as const, query };
      const { page, notify } = await open(state);
      await page.setViewportSize({ width, height: 800 });
      const height = async () => (await page.locator('.controls').boundingBox())!.height;
      const before = await height();
      await notify('show', { ...state, running: 'Waiting until 12:30 because of a rate limit…' });
      const stop = page.getByRole('button', { name: 'Stop waiting' });
      await stop.waitFor();
      assert.equal(await height(), before);
      assert.match((await stop.getAttribute('title')) ?? '', /may still be executed and billed/);
    });

  it('does not stop at the second click of a double click on Search', async () => {
    const query = { kind: 'file', uri: 'file:///a.png', name: 'a.png' } as const;
    const state = { ...search, takes: 'media' as const, query };
    const opened = await open(state);
    const { page } = opened;
    const { x, y } = (await page.getByRole('button', { name: 'Search', exact: true }).boundingBox())!;
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    await opened.notify('show', { ...state, running: 'Searching…' });
    const stop = page.getByRole('button', { name: 'Stop waiting' });
    await stop.waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await stop.press('Enter');
    const stops = () => opened.said.filter(({ method }) => method === 'stop').length;
    await opened.untilSaid(() => stops() > 0);
    assert.equal(stops(), 1);
  });

  it('searches with a text at Ctrl+Enter in any field', async () => {
    const opened = await open({ takes: 'text' });
    await opened.page.getByRole('textbox', { name: 'Text to search with' }).fill('bicycle');
    await opened.page.getByRole('spinbutton').press('ControlOrMeta+Enter');
    await opened.untilSaid(() => opened.said.length > 1);
    assert.deepEqual(opened.said.at(-1), { method: 'searchText', params: { text: 'bicycle' } });
  });
});
