import type { Browser, Page } from 'playwright-core';
import { openWebviewPage } from '../support/webviewPage';

/** A page under the panels' own policy that shows one result, its host played by the page itself. */
const pageSource = `
import { html, render } from 'lit';
import { refuseLargePictures } from './webview/shared/picture';
import { renderResult } from './webview/shared/results/renderResult';
import { resultSource } from './src/results/resultSource';
refuseLargePictures();
window.asked = [];
const note = (name) => async (...args) => { window.asked.push([name, ...args]); };
const pauses = { isOver: false, next: async () => {}, sorted: async (list, compare) => [...list].sort(compare) };
const main = document.body.appendChild(document.createElement('main'));
/** The host knows the pictures of hits, and those that boxes are drawn over. */
const withPictures = (view, thumbnail, turn) => {
  for (const { part } of view.sections)
    if (part.kind === 'hits') for (const hit of part.hits) hit.thumbnail = thumbnail;
    else if (part.over) Object.assign(part.over, { src: thumbnail, turn });
  return view;
};
window.show = (output, context = {}, thumbnail = undefined, turn = undefined) => {
  const source = resultSource(output, context);
  const view = withPictures(structuredClone(source.view), thumbnail, turn);
  const actions = {
    children: async (...args) => structuredClone(await source.children(...args, pauses)),
    search: (text) => source.search(text, pauses),
    rows: (...args) => source.rows(...args, pauses),
    media: async (pointer) => { window.asked.push(['media', pointer]); const value = source.valueAt(pointer); return { src: value.startsWith('data:') ? value : 'data:image/png;base64,' + value, contentType: 'image/png' }; },
    saveMedia: note('saveMedia'), openHit: note('openHit'), copyText: note('copyText'),
    copyValue: note('copyValue'), openValue: note('openValue'),
  };
  render(renderResult(view, actions), main);
};
window.ready = true;
`;

export interface ResultPage {
  readonly page: Page;
  /**
   * @param thumbnail address of the picture of each hit, or below boxes
   * @param turn of the regions over that
   */
  show(output: unknown, context?: unknown, thumbnail?: string, turn?: number): Promise<void>;
  /** The page's requests to its host. */
  asked(): Promise<unknown[][]>;
  close(): Promise<void>;
}

export async function openResultPage(browser: Browser): Promise<ResultPage> {
  const { page, close } = await openWebviewPage(browser, {
    name: 'run',
    source: pageSource,
    width: 900,
    height: 700,
    response: () => null,
  });
  await page.waitForFunction(() => (window as unknown as { ready?: boolean }).ready);
  return {
    page,
    show: (output, context = {}, thumbnail, turn) =>
      page.evaluate(
        (parts) => (window as unknown as { show(...parts: unknown[]): void }).show(...parts),
        [output, context, thumbnail, turn],
      ),
    asked: () => page.evaluate(() => (window as unknown as { asked: unknown[][] }).asked),
    close,
  };
}
