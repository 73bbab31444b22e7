import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Json } from '../../src/domain/json';
import { variationsOf } from '../../src/experiments/plan/grid';
import { readRunResponse } from '../../src/readers/run';
import { resultSource } from '../../src/results/resultSource';
import { launchBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { openExperimentPage } from '../support/experiments/page';
import { rowOf, tableOf } from '../support/experiments/table';
import { tellFigures } from '../support/figures';
import { done, modelOf, openRunPage } from '../support/runPage';
import type { WebviewPage } from '../support/webviewPage';
import { LENGTH, MOST_BYTES, MOST_HELD_MS, members, oneBit, rawAs, texts, values } from './hostileShapes';

/** Sides of black pictures of a few kilobytes. */
const PICTURES = [
  [1, 16_384],
  [4_096, 4_096],
  [8_192, 6_200],
  [8_192, 8_192],
  [16_384, 16_384],
] as const;
/** Markdown has a second, and is laid out after it. */
const MARKDOWN_MS = 1_200;

/** The longest time without a turn, and the memory, of a page from its beginning. */
class Watched {
  longest = 0;
  bytes = 0;
  #before = 0;

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
    private readonly ofBrowser: CDPSession,
  ) {}

  static async of(browser: Browser, page: Page): Promise<Watched> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ type: 'longtask', buffered: true });`);
    return new Watched(page, session, await browser.newBrowserCDPSession());
  }

  /** After a state was shown. */
  async look(): Promise<void> {
    // Two frames: the first one is laid out.
    await this.page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    await this.page.waitForTimeout(MARKDOWN_MS);
    this.longest = Math.max(this.longest, await this.#held());
    this.bytes = Math.max(this.bytes, await this.#memory());
    await this.session.send('HeapProfiler.collectGarbage');
    // The rest of this input does not count for the next.
    await this.#memory();
  }

  /** Milliseconds since the last look: at most the processor's, since other programs take turns too. */
  async #held(): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    const spent = metrics.find(({ name }) => name === 'ThreadTime')!.value * 1_000;
    const task = await this.page.evaluate<number>('[globalThis.longest, (globalThis.longest = 0)][0]');
    const held = Math.min(task, spent - this.#before);
    this.#before = spent;
    return held;
  }

  /** The most of the largest process of a page since the last look; outside Linux its scripts alone, now. */
  async #memory(): Promise<number> {
    if (process.platform !== 'linux') {
      const { metrics } = await this.session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'JSHeapTotalSize')!.value;
    }
    const { processInfo } = await this.ofBrowser.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return Math.max(...pages.map(({ id }) => peakBytes(id)));
  }
}

/** It begins again. */
function peakBytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // See proc(5).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kilobytes ?? 0) * 1_024;
}

/** Results: texts, values, the read part of a stream, and pictures. */
function* outputs(): Generator<unknown> {
  for (const text of texts()) {
    yield `# Title\n\n${text}`;
    yield readRunResponse(rawAs('text/event-stream', text), new URL('https://models.test/api/runs')).output;
  }
  for (const value of values()) yield value;
  for (const [width, height] of PICTURES)
    yield { image: `data:image/png;base64,${oneBit(width, height).toString('base64')}` };
}

describe('Pages with texts, streams, pictures and requests of any shape', () => {
  let browser: Browser;
  const opened: WebviewPage[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.close();
  });
  after(() => browser?.close());

  async function watched(page: WebviewPage): Promise<Watched> {
    opened.push(page);
    return Watched.of(browser, page.page);
  }

  function judge(kind: string, tried: number, longest: number, bytes: number): void {
    assert.ok(tried > 2 && bytes > 0);
    const beyond = Number(longest > MOST_HELD_MS) + Number(bytes > MOST_BYTES);
    const note = `held ${Math.round(longest)} ms, ${Math.round(bytes / 2 ** 20)} MiB`;
    tellFigures({ case: `hostile ${kind} in a page`, tried, lost: 0, doubled: 0, leaked: beyond, note });
    assert.equal(beyond, 0, note);
  }

  it('show results', async () => {
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
    const watch = await watched(run);
    const preview = run.page.getByRole('tabpanel', { name: 'Preview' });
    let tried = 0;
    for (const output of outputs()) {
      source = resultSource(output);
      const { length: bodyChars } = JSON.stringify(output ?? null);
      const response = { contentType: 'application/json', kind: 'json' as const, recognised: true };
      await run.showRun(
        done({ id: String(tried), response: { ...response, sizeBytes: bodyChars, bodyChars } }),
      );
      await preview.waitFor();
      await eventually(async () => assert.notEqual((await preview.textContent())?.trim(), ''));
      await watch.look();
      tried++;
    }
    judge('results', tried, watch.longest, watch.bytes);
  });

  it('show forms of contracts, and requests of run files', async () => {
    let [tried, longest, bytes] = [0, 0, 0];
    const show = async (fields: number, schema: object, input: object) => {
      const field = { type: 'string', ...schema };
      const contract = modelOf({ type: 'object', properties: { a: field, ...members(fields, () => field) } });
      const page = await openRunPage(browser, contract, {
        work: {
          draft: { model: 'try-me', mode: 'execute', input: input as Record<string, Json>, params: {} },
          tab: 'form',
        },
      });
      const watch = await watched(page);
      await watch.look();
      await page.close();
      opened.pop();
      [tried, longest, bytes] = [tried + 1, Math.max(longest, watch.longest), Math.max(bytes, watch.bytes)];
    };
    for (const text of texts()) {
      await show(0, { description: text }, { a: text });
      // One contract of that length.
      const part = text.slice(0, LENGTH / 300);
      await show(99, { title: part, description: part, default: part }, { a: text });
    }
    for (const value of values()) await show(9, value, { a: value });
    judge('forms', tried, longest, bytes);
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
    const watch = await watched(page);
    let tried = 0;
    for (const text of texts()) {
      await page.show(tableWith(text));
      await watch.look();
      tried++;
    }
    judge('tables', tried, watch.longest, watch.bytes);
  });

  it('show tables of pictures', async () => {
    let [tried, longest, bytes] = [0, 0, 0];
    for (const [width, height] of PICTURES) {
      const page = await openExperimentPage(browser, {
        table: tableOf({
          items: Array.from({ length: 20 }, (_, at) => rowOf(String(at))),
          line: () => ({ result: null, result_file: 'a.results/a.png' }),
        }),
        picture: `data:image/png;base64,${oneBit(width, height).toString('base64')}`,
      });
      const watch = await watched(page);
      await watch.look();
      await page.page.locator('mb-thumbnail').first().waitFor();
      await watch.look();
      [tried, longest, bytes] = [tried + 1, Math.max(longest, watch.longest), Math.max(bytes, watch.bytes)];
    }
    judge('pictures of tables', tried, longest, bytes);
  });
});
