import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { regionsTurn } from '../../src/intake/orientation';
import { violationsInEachTheme } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { quarters, TURNED, turnedPictures } from '../support/turnedPictures';
import { openResultPage, type ResultPage } from './resultPage';

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const picture = `data:image/png;base64,${DOT}`;

/** Characters of a string that have to be there: a table's cell shows the beginning of a long one. */
const HEAD = 60;

const word = fc.stringMatching(/^[A-Za-z]{3,10}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const score = fc.double({ min: 0, max: 1, noNaN: true });
const extras = fc.dictionary(word, fc.oneof(sentence, score, fc.boolean(), fc.record({ inner: sentence })), {
  maxKeys: 3,
});
const listOf = (item: fc.Arbitrary<unknown>) => fc.array(item, { minLength: 1, maxLength: 6 });
const withExtras = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(extras, fc.record(shape)).map(([others, own]) => ({ ...others, ...own }));

/** The shapes that have views of their own, each with unexpected members. */
const parts: Record<string, fc.Arbitrary<unknown>> = {
  hits: listOf(withExtras({ id: word, score, text: sentence })),
  labels: listOf(withExtras({ label: word, score })),
  parallel: fc.array(fc.tuple(word, score), { minLength: 1, maxLength: 4 }).chain((pairs) =>
    withExtras({
      labels: fc.constant(pairs.map(([label]) => label)),
      scores: fc.constant(pairs.map(([, value]) => value)),
      sequence: sentence,
    }),
  ),
  boxes: listOf(withExtras({ label: word, score, box: fc.constant({ xmin: 1, ymin: 2, xmax: 3, ymax: 4 }) })),
  colors: listOf(withExtras({ hex: fc.constant('#dcd0be'), name: word, share: score })),
  media: listOf(withExtras({ url: fc.constant('https://x.test/a.png'), alt: sentence })),
  pieces: fc.array(word, { minLength: 2, maxLength: 9 }).map((words) => words.map((one) => ` ${one}`)),
  chat: withExtras({
    choices: listOf(fc.record({ index: fc.nat(5), message: withExtras({ role: word, content: sentence }) })),
  }),
  table: listOf(withExtras({ first: sentence, second: score })),
  text: sentence,
  lists: listOf(listOf(fc.oneof(sentence, extras))),
};
const result = fc.oneof(
  ...Object.values(parts),
  extras,
  fc
    .tuple(extras, fc.constantFrom(...Object.entries(parts)))
    .chain(([others, [name, part]]) => part.map((value) => ({ ...others, [name]: value }))),
);

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('data:') ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Of the quarters of a picture, those at opposite corners. */
const OPPOSITE: Readonly<Record<string, string>> = {
  red: 'yellow',
  yellow: 'red',
  green: 'blue',
  blue: 'green',
};

/** Run in the page: the picture of these pixels as a WebP without loss. */
function pictureOf({ width, height, pixels }: { width: number; height: number; pixels: number[] }): string {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
  return canvas.toDataURL('image/webp', 1);
}

/** Run in the page: the name of the colour that the picture has in the middle of a region. */
async function colourUnder(region: string): Promise<string> {
  for (;;) {
    await new Promise(requestAnimationFrame);
    const image = document.querySelector<HTMLImageElement>('.mb-canvas img');
    const drawn = document.querySelector(`.mb-canvas ${region}`);
    if (!image || !drawn) continue;
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const [inner, outer] = [drawn.getBoundingClientRect(), image.getBoundingClientRect()];
    const x = ((inner.x + inner.width / 2 - outer.x) / outer.width) * width;
    const y = ((inner.y + inner.height / 2 - outer.y) / outer.height) * height;
    const [red = 0, green = 0] = context.getImageData(x, y, 1, 1).data;
    return red > 128 ? (green > 128 ? 'yellow' : 'red') : green > 128 ? 'green' : 'blue';
  }
}

describe('A recognised view of a result', () => {
  let browser: Browser;
  let shown: ResultPage;
  before(async () => {
    browser = await launchBrowser();
    shown = await openResultPage(browser);
  });
  after(() => browser.close());
  const text = async (output: unknown) => {
    await shown.show(output);
    // Tables ask for their rows.
    await shown.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return squeezed(await shown.page.locator('main').evaluate((main) => main.textContent ?? ''));
  };

  it('draws boxes and masks where they belong on a photograph that its camera turns, with a switch', async () => {
    const { page } = shown;
    const turning = page.getByRole('checkbox', { name: /Turn the regions/ });
    const show = (output: unknown, type: string, file: Buffer) =>
      shown.show(
        output,
        { attachmentTypes: [type] },
        `data:${type};base64,${file.toString('base64')}`,
        regionsTurn(file),
      );
    const boxed = (...bbox: readonly number[]) => ({ detections: [{ label: 'a', score: 1, bbox }] });
    const mask = (width: number, height: number) => {
      const image = new PNG({ width, height });
      for (let y = 0; y < height / 2; y++)
        for (let x = 0; x < width / 2; x++)
          image.data.fill(255, (y * width + x) * 4, (y * width + x + 1) * 4);
      return [{ label: 'a', score: 1, mask: PNG.sync.write(image).toString('base64') }];
    };
    const webp = Buffer.from(
      (await page.evaluate(pictureOf, { ...TURNED, pixels: [...quarters()] })).split(',')[1]!,
      'base64',
    );
    // The colour at the top left after the turn; red is there in the file.
    const turned = 'red green yellow blue red blue yellow green'.split(' ');
    for (const [orientation, first] of turned.entries())
      for (const [at, [type, file]] of turnedPictures(orientation + 1, webp).entries()) {
        const isTurned = at < 2;
        const about = `${orientation + 1} in ${type}, ${isTurned ? 'shown turned' : 'shown as it is stored'}`;
        await show(boxed(1, 1, 9, 9), type, file);
        assert.equal(await page.evaluate(colourUnder, 'rect'), isTurned ? first : 'red', about);
        if (orientation === 0) {
          assert.equal(await turning.count(), 0, 'no switch where nothing is turned');
          continue;
        }
        await turning.click();
        assert.equal(await page.evaluate(colourUnder, 'rect'), isTurned ? 'red' : first, about);
        if (orientation < 4) continue;
        // These fit only the other reading, which is chosen.
        const [width, height] = isTurned ? [80, 40] : [40, 80];
        await show(boxed(width - 9, height - 9, width - 1, height - 1), type, file);
        assert.equal(await page.evaluate(colourUnder, 'rect'), isTurned ? 'yellow' : OPPOSITE[first], about);
        for (const [size, isOther] of [
          [[width, height], true],
          [[height, width], false],
        ] as const) {
          await show(mask(...size), type, file);
          await page.locator('image.mb-mask').waitFor();
          const transform = await page.locator('.mb-canvas g').getAttribute('transform');
          assert.equal(transform !== 'matrix(1 0 0 1 0 0)', isOther, about);
        }
      }
  });

  it('hides no string that the JSON shows', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (output) => {
        const page = await text(output);
        for (const one of stringsIn(output)) {
          const head = squeezed(one.slice(0, HEAD));
          assert.ok(page.includes(head), `“${head}” of ${JSON.stringify(output)} is not in “${page}”`);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('ranks hits without pictures as a list with score, ID and text', async () => {
    const hits = [
      { id: 'notes/bike', score: 0.91, text: 'Repair the bicycle before the weekend.', year: 2024 },
      { id: 'notes/milk', score: 0.41, text: 'Buy milk.', year: 2025 },
    ];
    await shown.show({ results: hits });
    const rows = shown.page.getByRole('list', { name: 'results' }).getByRole('listitem');
    assert.match(await rows.first().innerText(), /notes\/bike\s+0\.910\s+Repair the bicycle.*\s+year: 2024/);
    assert.equal(await shown.page.locator('.gallery.tiles').count(), 0);
    await rows.nth(1).getByRole('button', { name: 'Hit 2: notes/milk' }).click();
    assert.deepEqual((await shown.asked()).at(-1), ['copyText', 'notes/milk']);
    const score = (await rows.first().locator('.score span').boundingBox())!;
    assert.ok(score.height < 30, 'on one line');
    const bars = () => rows.locator('rect').evaluateAll((all) => all.map((one) => one.getAttribute('width')));
    assert.deepEqual(await bars(), ['91', '41']);
    await shown.show({ results: hits.map(({ id, score }) => ({ id, _dist: 10 * score })) });
    await shown.page.getByTitle('_dist').first().waitFor();
    assert.deepEqual(
      (await bars()).map((width) => Math.round(Number(width))),
      [0, 55],
    );
    assert.deepEqual(await violationsInEachTheme(shown.page, 'main'), []);
  });

  it('shows hits with pictures as tiles, with their texts, and enlarges the one that is clicked', async () => {
    await shown.show([{ id: 'a.png', score: 0.9, caption: 'A cat asleep' }], {}, picture);
    const tile = shown.page.locator('mb-hits .tile');
    await tile.getByText('caption: A cat asleep').waitFor();
    assert.equal(await shown.page.locator('.gallery.ranked').count(), 0);
    // A click enlarges it, and opens no file.
    await tile.locator('.open').click();
    await shown.page.getByRole('dialog', { name: 'Picture' }).getByText('a.png · 0.900 (1 of 1)').waitFor();
    await shown.page.keyboard.press('Escape');
  });

  it('joins the pieces of a text', async () => {
    await shown.show(['Hel', 'lo', ' wor', 'ld', ', this', ' is', ' a', ' stream.']);
    await shown.page.getByText('Hello world, this is a stream.', { exact: true }).waitFor();
    await shown.show(['cat', 'dog', 'a red bird']);
    await shown.page.getByRole('cell', { name: 'a red bird' }).waitFor();
  });

  it('begins a chat completion with its answer', async () => {
    await shown.show({
      id: 'chat-1',
      model: 'a-model',
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'The answer is **42**.' } },
      ],
      usage: { total_tokens: 12 },
    });
    const first = shown.page.locator('.mb-part').first();
    await first.getByText('The answer is 42.').waitFor();
  });

  it('shows several pictures as a grid, and enlarges them one after another by the arrow keys', async () => {
    const { page } = shown;
    await page.setViewportSize({ width: 900, height: 700 });
    await shown.show({ images: [picture, picture, picture, picture] });
    const pictures = page.getByRole('button', { name: /^Enlarge/ });
    await pictures.nth(3).waitFor();
    const tops = await pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.equal(tops[0], tops[1], 'the first two are side by side');
    await pictures.first().press('Enter');
    const lightbox = page.getByRole('dialog', { name: 'Picture' });
    await lightbox.getByText('(1 of 4)').waitFor();
    await page.keyboard.press('ArrowRight');
    await lightbox.getByText('(2 of 4)').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await lightbox.getByText('(4 of 4)').waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
  });

  it('compares two pictures of the lightbox by a line that is moved over them', async () => {
    const { page } = shown;
    await page
      .getByRole('button', { name: /^Enlarge/ })
      .nth(1)
      .press('Enter');
    const lightbox = page.getByRole('dialog', { name: 'Picture' });
    await lightbox.getByRole('button', { name: 'Compare with the Next' }).click();
    const line = lightbox.getByRole('slider', { name: 'How much of the first picture is shown' });
    const clip = () =>
      lightbox
        .locator('.stacked img')
        .last()
        .evaluate((at) => getComputedStyle(at).clipPath);
    assert.equal(await clip(), 'inset(0px 50% 0px 0px)');
    await line.focus();
    await page.keyboard.press('End');
    assert.equal(await clip(), 'inset(0px 0% 0px 0px)');
    await lightbox.getByText('(2 of 4)').waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await lightbox.getByRole('button', { name: 'Show One Picture' }).click();
    assert.equal(await lightbox.locator('img').count(), 1);
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
  });
});
