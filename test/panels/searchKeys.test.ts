import assert from 'node:assert/strict';
import type { SearchState } from '../../src/protocol/search';
import { openWebviewPage, usePages } from '../support/webviewPage';

const search = {
  ...{ modelName: 'Similarity', scope: 'notes', environment: 'local', production: false },
  saved: { model: 'similarity', scope: 'notes', baseUrl: 'https://models.test' },
  view: { withQuery: false, tileSize: 168 },
  params: [{ name: 'k', label: 'Maximum results', kind: 'number', integer: true, default: 10 }],
  ...{ values: {}, pinned: [], items: [] },
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

  it('searches with a text at Ctrl+Enter in any field', async () => {
    const opened = await open({ takes: 'text' });
    await opened.page.getByRole('textbox', { name: 'Text to search with' }).fill('bicycle');
    await opened.page.getByRole('spinbutton').press('ControlOrMeta+Enter');
    await opened.untilSaid(() => opened.said.length > 1);
    assert.deepEqual(opened.said.at(-1), { method: 'searchText', params: { text: 'bicycle' } });
  });
});
