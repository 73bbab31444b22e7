import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Json } from '../../src/domain/json';
import { variationsOf } from '../../src/experiments/plan/grid';
import type { SearchState } from '../../src/protocol/search';
import { readRunResponse } from '../../src/readers/run';
import { searchHits } from '../../src/results/classify';
import { resultSource } from '../../src/results/resultSource';
import { launchBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { openExperimentPage } from '../support/experiments/page';
import { rowOf, tableOf } from '../support/experiments/table';
import { tellFigures } from '../support/figures';
import { done, modelOf, openRunPage } from '../support/runPage';
import { openWebviewPage, type WebviewPage } from '../support/webviewPage';
import {
  choices,
  LENGTH,
  MOST_BYTES,
  MOST_HELD_MS,
  members,
  oneBit,
  rawAs,
  texts,
  values,
} from './hostileShapes';

/** Sides of black pictures of a few kilobytes. */
const PICTURES = [
  [1, 16_384],
  [4_096, 4_096],
  [8_192, 6_200],
  [8_192, 8_192],
  [16_384, 16_384],
] as const;

/** Black pictures, and an SVG of copies of copies. */
function* pictures(): Generator<string> {
  for (const [width, height] of PICTURES)
    yield `data:image/png;base64,${oneBit(width, height).toString('base64')}`;
  const copies = Array.from(
    { length: 9 },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><rect id="a0"/>${copies.join('')}</svg>`;
  yield `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Markdown has half of it, and is laid out after it. */
const MARKDOWN_MS = 1_200;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
  /** Microseconds of the processor; a few tasks have none. */
  readonly tdur?: number;
}

/** The longest turn and the memory of pages, of each state from `begin` to `look`. */
class Watched {
  tried = 0;
  longest = 0;
  bytes = 0;

  constructor(public browser: Browser) {}

  async begin(): Promise<void> {
    await this.browser.startTracing(undefined, { categories: ['toplevel'] });
  }

  /** After a state was shown. */
  async look(page: Page): Promise<void> {
    // Two frames: the first one is laid out.
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    await page.waitForTimeout(MARKDOWN_MS);
    const traced = JSON.parse((await this.browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const session = await page.context().newCDPSession(page);
    this.longest = Math.max(this.longest, longestTask(traced.traceEvents));
    this.bytes = Math.max(this.bytes, await this.#memory(session));
    this.tried++;
    // The rest of this input does not count for the next.
    await session.send('HeapProfiler.collectGarbage');
    await this.#memory(session);
    await session.detach();
  }

  /** The most of the largest process of a page since the last look; outside Linux its scripts alone, now. */
  async #memory(session: CDPSession): Promise<number> {
    if (process.platform !== 'linux') {
      await session.send('Performance.enable');
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'JSHeapTotalSize')!.value;
    }
    const ofBrowser = await this.browser.newBrowserCDPSession();
    const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo');
    await ofBrowser.detach();
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return Math.max(...pages.map(({ id }) => peakBytes(id)));
  }
}

/** Milliseconds of the processor, since other programs take turns too. */
function longestTask(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const threads = new Set(events.filter(isMain).map(threadOf));
  const tasks = events.filter(
    (event) => event.name === 'ThreadControllerImpl::RunTask' && threads.has(threadOf(event)),
  );
  assert.ok(tasks.some(({ tdur }) => tdur !== undefined));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** It begins again. */
function peakBytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // See proc(5).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kilobytes ?? 0) * 1_024;
}

/** Results: texts, values, and the read part of a stream. */
function* outputs(): Generator<unknown> {
  for (const text of texts()) {
    yield `# Title\n\n${text}`;
    yield readRunResponse(rawAs('text/event-stream', text), new URL('https://models.test/api/runs')).output;
  }
  for (const value of values()) yield value;
}

describe('Pages with texts, streams, pictures and requests of any shape', () => {
  let browser: Browser;
  let watch: Watched;
  const opened: WebviewPage[] = [];
  beforeEach(async () => {
    browser = await launchBrowser();
    watch = new Watched(browser);
  });
  afterEach(async () => {
    await closePages();
    await browser.close();
  });

  async function closePages(): Promise<void> {
    for (const page of opened.splice(0)) await page.close();
  }

  /** A page's process keeps its pictures for the next page. */
  async function restart(): Promise<void> {
    await closePages();
    await browser.close();
    browser = await launchBrowser();
    watch.browser = browser;
  }

  function judge(kind: string): void {
    const { tried, longest, bytes } = watch;
    assert.ok(tried > 2 && bytes > 0);
    const beyond = Number(longest > MOST_HELD_MS) + Number(bytes > MOST_BYTES);
    const note = `held ${Math.round(longest)} ms, ${Math.round(bytes / 2 ** 20)} MiB`;
    tellFigures({ case: `hostile ${kind} in a page`, tried, lost: 0, doubled: 0, leaked: beyond, note });
    assert.equal(beyond, 0, note);
  }

  async function showResults(outputs: Iterable<unknown>): Promise<void> {
    let source = resultSource(null);
    const run = await openRunPage(browser, modelOf({ type: 'object', properties: {} }), {
      responses: {
        resultView: () => source.view,
        resultChildren: ({ pointer, from, count }: { pointer: string; from: number; count: number }) =>
          source.children(pointer, from, count),
        resultMedia: ({ pointer }: { pointer: string }) => ({
          src: String(source.valueAt(pointer)),
          contentType: 'image/png',
        }),
      },
    });
    opened.push(run);
    const preview = run.page.getByRole('tabpanel', { name: 'Preview' });
    for (const output of outputs) {
      source = resultSource(output);
      const { length: bodyChars } = JSON.stringify(output ?? null);
      const response = { contentType: 'application/json', kind: 'json' as const, recognised: true };
      await watch.begin();
      await run.showRun(
        done({ id: String(watch.tried), response: { ...response, sizeBytes: bodyChars, bodyChars } }),
      );
      await preview.waitFor();
      await eventually(async () => assert.notEqual((await preview.textContent())?.trim(), ''));
      await watch.look(run.page);
    }
  }

  it('show results', async () => {
    await showResults(outputs());
    judge('results');
  });

  it('show results that are pictures', async () => {
    for (const image of pictures()) {
      await showResults([{ image }]);
      await restart();
    }
    judge('results that are pictures');
  });

  it('show forms of contracts, and requests of run files', async () => {
    const show = async (fields: number, schema: object, input: object, tab: 'form' | 'json' = 'form') => {
      const field = { type: 'string', ...schema };
      const contract = modelOf({ type: 'object', properties: { a: field, ...members(fields, () => field) } });
      await watch.begin();
      const page = await openRunPage(browser, contract, {
        work: {
          draft: { model: 'try-me', mode: 'execute', input: input as Record<string, Json>, params: {} },
          tab,
        },
      });
      opened.push(page);
      await watch.look(page.page);
      await closePages();
    };
    for (const text of texts()) {
      await show(0, { description: text }, { a: text });
      // One contract of that length.
      const part = text.slice(0, LENGTH / 300);
      await show(99, { title: part, description: part, default: part }, { a: text });
    }
    for (const tab of ['form', 'json'] as const) {
      for (const value of values()) await show(9, value, { a: value }, tab);
      for (const choice of choices()) await show(0, choice, { a: choice }, tab);
    }
    judge('forms');
  });

  it('show tables of experiments', async () => {
    const tableWith = (text: string) => {
      const part = (at: number) => text.slice(at * 250, at * 250 + 250);
      return tableOf({
        variations: variationsOf({ '/model': Array.from({ length: 10 }, (_, at) => `${at} ${part(at)}`) }),
        items: Array.from({ length: 40 }, (_, at) => rowOf(part(at), part(at + 1))),
        line: ({ item, variation }) => ({ result: { text: part(item * 10 + variation) }, note: part(item) }),
      });
    };
    const page = await openExperimentPage(browser, { table: tableWith('') });
    opened.push(page);
    for (const text of texts()) {
      await watch.begin();
      await page.show(tableWith(text));
      await watch.look(page.page);
    }
    judge('tables');
  });

  it('show tables of pictures', async () => {
    for (const picture of pictures()) {
      await watch.begin();
      const page = await openExperimentPage(browser, {
        table: tableOf({
          items: Array.from({ length: 20 }, (_, at) => rowOf(String(at))),
          line: () => ({ result: null, result_file: 'a.results/a.png' }),
        }),
        picture,
      });
      opened.push(page);
      await page.page.locator('mb-thumbnail').first().waitFor();
      await watch.look(page.page);
      await restart();
    }
    judge('pictures of tables');
  });

  it('show searches', async () => {
    let part = searchHits([]);
    const page = await openWebviewPage(browser, {
      name: 'search',
      response: (method) => (method === 'ready' ? stateOf() : undefined),
    });
    opened.push(page);
    const stateOf = (): SearchState => ({
      modelName: 'm',
      scope: 's',
      environment: '',
      production: false,
      takes: 'text',
      price: '',
      pinned: [],
      saved: { model: 'm', scope: 's', baseUrl: 'https://models.test' },
      view: { withQuery: true, tileSize: 168 },
      params: [],
      values: {},
      items: [],
      result: { run: 'r', hits: part?.hits ?? [], measure: 'score', total: 1, recognised: true },
    });
    for (const text of texts()) {
      const few = (count: number) =>
        Array.from({ length: count }, (_, at) => {
          const said = text.slice((at * LENGTH) / count, ((at + 1) * LENGTH) / count);
          return { id: `${at} ${said.slice(0, said.length / 2)}`, score: at, caption: said };
        });
      for (const count of [1, 400]) {
        part = searchHits(few(count));
        assert.ok(part);
        await watch.begin();
        await page.notify('show', stateOf());
        await watch.look(page.page);
      }
    }
    judge('searches');
  });
});
