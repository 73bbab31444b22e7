import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../support/axe';
import { usePanels } from '../support/panels/usePanels';

/** Window sizes in CSS pixels: a wide editor, the same at 200 %, and a narrow one. */
const sizes = { wide: [1400, 900], zoomed: [700, 450], narrow: [400, 700] } as const;

describe('The look of the run panel', () => {
  const suite = usePanels();
  const open = async (model: string, title: RegExp): Promise<Page> => {
    void suite.panels.command('modelBench.runModel', { model });
    const page = await suite.panels.page(title);
    await page.getByRole('tabpanel', { name: 'Form' }).waitFor();
    return page;
  };
  const show = async (page: Page, size: keyof typeof sizes) => {
    const [width, height] = sizes[size];
    await page.setViewportSize({ width, height });
  };
  before('starts the sandbox', async () => {
    void suite.panels.command('modelBench.startSandbox');
    await suite.panels.row('modelBench.catalog', /^Sentiment/);
  });

  for (const [model, title] of [
    ['sentiment', /Sentiment/],
    ['colour-palette', /Colour Palette/],
    ['form-showcase', /Form Showcase/],
    ['image-similarity', /Image Similarity/],
  ] as const)
    it(`begins the form of ${model} at most 130 px below the tab bar`, async () => {
      const page = await open(model, title);
      await show(page, 'wide');
      assert.ok((await page.locator('.head').boundingBox())!.height <= 96);
      const [first] = await fieldsIn(page);
      assert.ok(first!.top <= 130, `${first!.top} px`);
    });

  it('shows two fields in a window of 700 × 450, as at 200 %', async () => {
    const page = await open('colour-palette', /Colour Palette/);
    await show(page, 'zoomed');
    const bar = (await page.locator('.run-bar').boundingBox())!.y;
    const inSight = (await fieldsIn(page)).filter(({ bottom }) => bottom <= bar);
    assert.ok(inSight.length >= 2, `${inSight.length} fields`);
  });

  it('keeps its facts behind a button: description, ID and schema', async () => {
    const page = await open('colour-palette', /Colour Palette/);
    assert.equal(await page.getByText('colour-palette', { exact: true }).isVisible(), false);
    await page.getByRole('button', { name: 'About This Model' }).press('Enter');
    const about = page.getByRole('dialog', { name: 'About This Model' });
    await about.getByText('colour-palette', { exact: true }).waitFor();
    await about.getByRole('button', { name: 'Copy ID' }).click();
    await suite.panels.until(() => suite.panels.kept.clipboard === 'colour-palette', 'The copied ID');
    await about.getByRole('button', { name: 'Use Another Schema…' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.keyboard.press('Escape');
    await about.waitFor({ state: 'hidden' });
  });

  it('marks the model as a favorite, which the catalog shows', async () => {
    const page = await open('colour-palette', /Colour Palette/);
    await page.getByRole('button', { name: 'Add to Favorites' }).click();
    const isFirst = async () => {
      const [row] = await suite.panels.rows('modelBench.catalog');
      return row?.label === 'Colour Palette';
    };
    await suite.panels.until(isFirst, 'The favorite as the first row');
    await page.getByRole('button', { name: 'Remove from Favorites' }).click();
    await suite.panels.until(async () => !(await isFirst()), 'The catalog without favorites');
  });

  it('scrolls nothing sideways in a narrow window', async () => {
    const page = await open('form-showcase', /Form Showcase/);
    await show(page, 'narrow');
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(over, 0);
  });
});

/** Top and bottom of each field of the form, from the top of the page. */
function fieldsIn(page: Page): Promise<{ top: number; bottom: number }[]> {
  return page.locator('.form .field').evaluateAll((fields) =>
    fields.map((field) => {
      const { top, bottom } = field.getBoundingClientRect();
      return { top, bottom };
    }),
  );
}
