import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encode } from 'jpeg-js';
import type { Browser } from 'playwright-core';
import { orientationOf } from '../../src/intake/orientation';
import { violationsInEachTheme } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { openResultPage, type ResultPage } from '../support/resultPage';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const picture = `data:image/png;base64,${PNG}`;

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

  it('draws boxes where they belong on a photograph that its camera turns, with a switch', async () => {
    const { page } = shown;
    /** Which side of the picture a box of the stored pixels' top left corner is drawn at. */
    const corner = async (orientation: number, box: readonly number[]) => {
      const { data } = encode({ width: 80, height: 40, data: new Uint8Array(80 * 40 * 4).fill(128) });
      const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0', 'latin1');
      const app1 = Buffer.concat([exif, Buffer.from([orientation, 0, 0, 0, 0, 0, 0, 0])]);
      const head = Buffer.concat([data.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, app1.length + 2]), app1]);
      const photo = Buffer.concat([head, data.subarray(2)]);
      assert.equal(orientationOf(photo.subarray(0, 512)), orientation === 1 ? undefined : orientation);
      await shown.show({ detections: [] });
      await shown.show(
        { detections: [{ label: 'a', score: 1, bbox: box }] },
        { attachmentTypes: ['image/jpeg'] },
        `data:image/jpeg;base64,${photo.toString('base64')}`,
        orientationOf(photo),
      );
      return placeOfBox();
    };
    const placeOfBox = async () => {
      const [inner, outer] = await Promise.all(
        ['.mb-canvas rect', '.mb-canvas'].map((each) => page.locator(each).boundingBox()),
      );
      const share = (at: number, from: number, size: number) => ((at - from) / size < 0.5 ? 'start' : 'end');
      return [
        share(inner!.x + inner!.width / 2, outer!.x, outer!.width),
        share(inner!.y + inner!.height / 2, outer!.y, outer!.height),
      ].join(' ');
    };
    const stored = page.getByRole('checkbox', { name: /unturned/ });
    assert.equal(await corner(1, [1, 1, 70, 18]), 'start start');
    assert.equal(await stored.count(), 0, 'no switch where nothing is turned');
    // Wider than the shown picture: these are boxes of the stored pixels.
    const places = new Map<number, string>();
    for (const orientation of [5, 6, 7, 8]) places.set(orientation, await corner(orientation, [1, 1, 78, 9]));
    assert.deepEqual(Object.fromEntries(places), {
      5: 'start start',
      6: 'end start',
      7: 'end end',
      8: 'start end',
    });
    assert.equal(await corner(6, [1, 1, 9, 9]), 'start start', 'as shown, where it fits');
    await stored.click();
    assert.equal(await placeOfBox(), 'end start');
    assert.equal(await corner(3, [1, 1, 9, 9]), 'start start');
    await stored.click();
    assert.equal(await placeOfBox(), 'end end');
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
