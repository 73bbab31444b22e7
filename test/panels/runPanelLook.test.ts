import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../support/axe';
import { tabStopsToRun } from './tabStops';
import { usePanels } from './usePanels';

/** Window sizes in CSS pixels: a wide editor, the same at 200 %, and a narrow one. */
const sizes = { wide: [1400, 900], zoomed: [700, 450], narrow: [400, 700] } as const;

describe('The look of the run panel', () => {
  const suite = usePanels();
  const open = async (model: string, title: RegExp): Promise<Page> => {
    // An earlier panel may have the same title, and another size.
    suite.panels.closePanels();
    suite.panels.command('modelBench.runModel', { model });
    const page = await suite.panels.page(title);
    await page.getByRole('tabpanel', { name: 'Form' }).waitFor();
    return page;
  };
  const show = async (page: Page, size: keyof typeof sizes) => {
    const [width, height] = sizes[size];
    await page.setViewportSize({ width, height });
  };
  before('starts the sandbox', async () => {
    await suite.panels.startSandbox();
  });

  for (const [model, title] of [
    ['sentiment', /Sentiment/],
    ['color-palette', /Color Palette/],
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
    const page = await open('color-palette', /Color Palette/);
    await show(page, 'zoomed');
    const bar = (await page.locator('.run-bar').boundingBox())!.y;
    const inSight = (await fieldsIn(page)).filter(({ bottom }) => bottom <= bar);
    assert.ok(inSight.length >= 2, `${inSight.length} fields`);
  });

  it('keeps its facts behind a button: description, ID and schema', async () => {
    const page = await open('color-palette', /Color Palette/);
    assert.equal(await page.getByText('color-palette', { exact: true }).isVisible(), false);
    await page.getByRole('button', { name: 'About This Model' }).press('Enter');
    const about = page.getByRole('dialog', { name: 'About This Model' });
    await about.getByRole('button', { name: 'Copy ID' }).waitFor();
    assert.equal(await about.getByText('color-palette', { exact: true }).isVisible(), true);
    await about.getByRole('button', { name: 'Copy ID' }).click();
    await suite.panels.until(() => suite.panels.kept.clipboard === 'color-palette', 'The copied ID');
    await about.getByRole('button', { name: 'Use Another Schema…' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.keyboard.press('Escape');
    await about.waitFor({ state: 'hidden' });
  });

  it('marks the model as a favorite, which the catalog shows', async () => {
    const page = await open('color-palette', /Color Palette/);
    await page.getByRole('button', { name: 'Add to Favorites' }).click();
    const isFirst = async () => {
      const [row] = await suite.panels.rows('Catalog');
      return row?.label === 'Color Palette';
    };
    await suite.panels.until(isFirst, 'The favorite as the first row');
    await page.getByRole('button', { name: 'Remove from Favorites' }).click();
    await suite.panels.until(async () => !(await isFirst()), 'The catalog without favorites');
  });

  for (const [model, title] of [
    ['sentiment', /Sentiment/],
    ['color-palette', /Color Palette/],
    ['image-similarity', /Image Similarity/],
  ] as const)
    it(`needs no more Tab stops to Run than ${model} has fields, and six`, async () => {
      const page = await open(model, title);
      await show(page, 'wide');
      const fields = (await fieldsIn(page)).length;
      const stops = await tabStopsToRun(page);
      assert.ok(stops.length <= fields + 6, `${fields} fields:\n${stops.join('\n')}`);
    });

  it('opens the menu of a field from the keyboard, and goes back to the field', async () => {
    const page = await open('color-palette', /Color Palette/);
    const field = page.getByRole('textbox', { name: 'Colors' });
    await field.fill('3');
    await field.press('ControlOrMeta+.');
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Remove from request' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    assert.ok(await field.evaluate((at) => at === document.activeElement));
    await field.press('ControlOrMeta+.');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), '');
  });

  it('draws fields of at most 560 px, with a number and its slider in one row', async () => {
    const page = await open('color-palette', /Color Palette/);
    await show(page, 'wide');
    const widths = await page
      .locator('.form > .form-section > .field')
      .evaluateAll((all) => all.map((field) => field.getBoundingClientRect().width));
    assert.ok(widths.length > 2 && widths.every((width) => width <= 560), widths.join());
    const rows = await page
      .locator('.control-row:has(input[type=range])')
      .evaluateAll((all) =>
        all.map((row) => [...row.children].map((one) => one.getBoundingClientRect().top)),
      );
    assert.ok(rows.length > 0);
    for (const [number, slider] of rows) assert.equal(slider, number);
  });

  it('keeps every part of the bar in its place before, during and after a run', async () => {
    const page = await open('slow-echo', /Slow Echo/);
    await show(page, 'zoomed');
    await page.getByRole('textbox', { name: 'Text' }).fill('Still?');
    await page.getByRole('textbox', { name: 'Seconds' }).fill('0.5');
    const parts = ['.run-bar', '.run', '.split > .more', '.estimate', '.run-bar > .environment'];
    const places = () =>
      Promise.all(
        parts.map(async (part) => {
          const { x, y, height } = (await page.locator(part).boundingBox())!;
          return `${part} ${x} ${y} ${height}`;
        }),
      );
    const before = await places();
    assert.match(before[0]!, / 44$/);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    assert.deepEqual(await places(), before);
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Result' }).getByRole('tab').first().waitFor();
    assert.deepEqual(await places(), before);
  });

  it('keeps the old result, dimmed, until the next one is there', async () => {
    const page = await suite.panels.page(/Slow Echo/);
    await show(page, 'wide');
    const result = page.getByRole('region', { name: 'Result' });
    const old = await result.getAttribute('data-run');
    await page.getByRole('textbox', { name: 'Text' }).fill('The next text');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    // At one time: the next result may be there a moment later.
    await page.waitForFunction(() => {
      const stale = document.querySelector('.stale');
      return stale?.textContent?.includes('Still?') && getComputedStyle(stale).opacity === '0.5';
    });
    await result.getByText('The next text').first().waitFor();
    assert.equal(await page.locator('.stale').count(), 0);
    assert.notEqual(await result.getAttribute('data-run'), old);
  });

  it('tells of a run in one line, whose icons act on the tab that is shown', async () => {
    const { panels } = suite;
    const page = await panels.page(/Slow Echo/);
    const line = page.locator('.status-line');
    assert.ok((await line.boundingBox())!.height <= 26);
    const result = page.getByRole('region', { name: 'Result' });
    const copied = async (tab: string, text: RegExp) => {
      await result.getByRole('tab', { name: tab }).click();
      await result.getByRole('tabpanel', { name: tab }).waitFor();
      panels.kept.clipboard = '';
      await result.getByRole('button', { name: 'Copy', exact: true }).click();
      await panels.until(() => text.test(panels.kept.clipboard), `The copied ${tab}`);
    };
    await copied('Request', /"model": "slow-echo"/);
    await copied('Headers', /^content-type: application\/json/m);
    await copied('JSON', /The next text/);
    await result.getByTitle('Copy Run ID').click();
    await panels.until(() => /^run_\w+$/.test(panels.kept.clipboard), 'The copied run ID');
    assert.deepEqual(await accessibilityViolations(page), []);
  });

  it('shows the run ID in a narrow window too, whose other actions are in a menu', async () => {
    const { panels } = suite;
    const page = await panels.page(/Slow Echo/);
    await show(page, 'narrow');
    const id = page.getByTitle('Copy Run ID');
    const { width } = (await id.boundingBox())!;
    assert.ok(width >= 56, `${width} px`);
    assert.ok((await page.locator('.status-line').boundingBox())!.height <= 26);
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: 'Open in Editor' }).click();
    await panels.editor('The next text');
    await page.screenshot({ path: 'out/looks/run-id-400.png' });
  });

  for (const width of [480, 400])
    it(`shows the whole estimate in a bar of ${width} px`, async () => {
      const page = await open('slow-echo', /Slow Echo/);
      await page.setViewportSize({ width, height: 700 });
      const estimate = page.locator('.estimate');
      assert.match(await estimate.innerText(), /\$/);
      assert.ok(await estimate.evaluate((at) => at.scrollWidth <= at.clientWidth));
      const { x, width: wide } = (await page.locator('.run-bar > .environment').boundingBox())!;
      assert.ok(wide >= 26 && x + wide <= width);
    });

  it('names the mode of a result where the model has several', async () => {
    const page = await open('text-similarity', /Text Similarity/);
    await show(page, 'wide');
    await page.getByRole('combobox', { name: 'Mode' }).selectOption({ label: 'Compare' });
    for (const name of await page.getByRole('textbox').all()) await name.fill('The same text');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.status-line .mode', { hasText: 'Compare' }).waitFor();
  });

  it('divides form and result at the user’s place, by keyboard too, and keeps it over a reload', async () => {
    const { panels } = suite;
    let page = await open('slow-echo', /Slow Echo/);
    const widthOfForm = async () => (await page.locator('.request-body').boundingBox())!.width;
    await show(page, 'wide');
    assert.equal(await widthOfForm(), 700);
    await page.getByRole('separator', { name: 'Width of the Form' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('separator').and(page.locator('[aria-valuenow="45"]')).waitFor();
    assert.equal(await widthOfForm(), 630);
    await page.mouse.move(630, 400);
    await page.mouse.down();
    await page.mouse.move(840, 400);
    await page.mouse.up();
    assert.equal(await widthOfForm(), 840);
    await panels.reload();
    page = (await panels.runPanel(/Slow Echo/)).frame as Page;
    await show(page, 'wide');
    assert.equal(await widthOfForm(), 840);
  });

  it('keeps a chosen view for the next result', async () => {
    const page = await open('language-id', /Language/);
    await show(page, 'wide');
    const result = page.getByRole('region', { name: 'Result' });
    await page.getByRole('textbox', { name: 'Text' }).fill('Guten Morgen, wie geht es dir?');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result.locator('mb-labels').waitFor();
    await chooseView(page, 'Table');
    await result.getByRole('table', { name: 'labels' }).waitFor();
    assert.equal(await result.locator('mb-labels').count(), 0);
    const old = await result.getAttribute('data-run');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator(`[data-run]:not([data-run="${old}"])`).waitFor();
    assert.equal(await result.getByRole('table', { name: 'labels' }).count(), 1);
    await chooseView(page, 'Bars');
    await result.locator('mb-labels').waitFor();
  });

  it('shows the code from the title bar of its editor', async () => {
    const { panels } = suite;
    const page = await open('slow-echo', /Slow Echo/);
    panels.command('modelBench.showPanelCode');
    await page.getByRole('tabpanel', { name: 'Code' }).waitFor();
  });

  it('underlines the active tab alone in forced colors', async () => {
    const page = await open('form-showcase', /Form Showcase/);
    await page.emulateMedia({ forcedColors: 'active' });
    const lines = await page
      .getByRole('tablist', { name: 'Request' })
      .getByRole('tab')
      .evaluateAll((tabs) => {
        const canvas = getComputedStyle(document.body).backgroundColor;
        return tabs.map((tab) => getComputedStyle(tab).borderBottomColor !== canvas);
      });
    assert.deepEqual(lines, [true, false, false]);
    await page.screenshot({ path: 'out/looks/forced-colors.png' });
    await page.emulateMedia({ forcedColors: 'none' });
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

async function chooseView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'View As…' }).click();
  await page.getByRole('menuitemradio', { name }).click();
}

/** Top and bottom of each field of the form, from the top of the page. */
function fieldsIn(page: Page): Promise<{ top: number; bottom: number }[]> {
  return page.locator('.form .field').evaluateAll((fields) =>
    fields.map((field) => {
      const { top, bottom } = field.getBoundingClientRect();
      return { top, bottom };
    }),
  );
}
