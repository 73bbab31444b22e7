import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { eventually } from './eventually';

/** A file that is dropped or pasted, without being on a disk. */
export interface LooseFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Between two looks at the webviews. */
const LOOK_MS = 100;

/** Colours that differ between any two themes of the tests. */
const TELLING_COLOURS = ['--vscode-editor-background', '--vscode-foreground', '--vscode-button-background'];

/**
 * The document inside the webview on screen in the panel with this title, once it is there. Reloads and hidden panels
 * replace it: ask again after one.
 * @param title without the input that follows it after a “·”, or a pattern of the whole title
 */
export async function webviewTitled(page: Page, title: string | RegExp, timeoutMs: number): Promise<Frame> {
  for (const end = Date.now() + timeoutMs; ; ) {
    const shown = await webviewsOnScreen(page);
    const match = shown.find((one) =>
      typeof title === 'string' ? one.title.split(' · ')[0] === title : title.test(one.title),
    );
    if (match) return match.content;
    if (Date.now() > end) {
      const frames = await page.locator('iframe.webview').filter({ visible: true }).count();
      const titles = shown.map((one) => `“${one.title}”`).join(', ') || 'none';
      throw new Error(`No webview is titled ${title}. Of ${frames} on screen these have loaded: ${titles}.`);
    }
    // A look takes the processor several milliseconds, here and in the window, which may need them to come to it.
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * Waits until the webviews on screen have the colours of the window, which arrive a moment later. The window itself
 * may get them after its class, so each look reads both.
 */
export async function coloursReachWebviews(page: Page): Promise<void> {
  const window = page.locator('.monaco-workbench');
  for (const { content } of await webviewsOnScreen(page)) {
    const document = content.locator('html');
    await eventually(async () =>
      assert.deepEqual(
        await document.evaluate(coloursOf, TELLING_COLOURS),
        await window.evaluate(coloursOf, TELLING_COLOURS),
      ),
    );
    // The toolkit’s controls follow in the next frame, and are painted in the one after it.
    await content.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
  }
}

/** Runs inside a page. */
function coloursOf(element: Element, names: readonly string[]): readonly string[] {
  const style = getComputedStyle(element);
  return names.map((name) => style.getPropertyValue(name).trim());
}

interface Webview {
  /** Of its panel. */
  readonly title: string;
  readonly content: Frame;
}

async function webviewsOnScreen(page: Page): Promise<readonly Webview[]> {
  const outers = await page.locator('iframe.webview').filter({ visible: true }).all();
  const found = await Promise.all(outers.map((outer) => webviewIn(outer).catch(() => undefined)));
  return found.filter((webview) => webview !== undefined);
}

/** Rejects when the webview goes away meanwhile. */
async function webviewIn(outer: Locator): Promise<Webview | undefined> {
  const inner = (await contentOf(outer))?.locator('iframe#active-frame');
  if (!inner || (await inner.count()) === 0) return undefined;
  const title = (await inner.getAttribute('title', { timeout: 1000 })) ?? '';
  const content = await contentOf(inner);
  return content && content.url() !== 'about:blank' ? { title, content } : undefined;
}

async function contentOf(iframe: Locator): Promise<Frame | null> {
  const handle = await iframe.elementHandle({ timeout: 1000 }).catch(() => null);
  return (await handle?.contentFrame().catch(() => null)) ?? null;
}

/** A transfer that holds these files, in the page of an element. */
async function dataTransferWith(target: Locator, files: readonly LooseFile[]) {
  const plain = files.map(({ name, mimeType, bytes }) => ({
    name,
    mimeType,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  return target.evaluateHandle((_element, items) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, base64 } of items) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  }, plain);
}

/** Drops files on an element of a page, as the operating system would. */
export async function dropOn(target: Locator, files: readonly LooseFile[]): Promise<void> {
  const dataTransfer = await dataTransferWith(target, files);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(type, { dataTransfer, shiftKey: true, bubbles: true });
}

/** Pastes files into an element of a page. */
export async function pasteInto(target: Locator, files: readonly LooseFile[]): Promise<void> {
  const clipboardData = await dataTransferWith(target, files);
  await target.focus();
  await target.evaluate(
    (element, data) =>
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data as DataTransfer, bubbles: true, composed: true }),
      ),
    clipboardData,
  );
}
