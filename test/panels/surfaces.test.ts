import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { violationsInEachTheme } from '../support/axe';
import { eventually } from '../support/eventually';
import { makePictures } from '../support/pictures';
import { showInTheme } from '../support/themes';
import { offGrid, pixelsTooWide } from './grid';
import { unseenTabStops } from './tabStops';
import { usePanels } from './usePanels';

/** A wide editor, one beside another, a narrow one, and 1400 × 900 at 200 %. */
const WINDOWS = [
  [1400, 900],
  [700, 800],
  [400, 800],
  [700, 450],
] as const;
const THEMES = ['dark', 'light', 'high contrast', 'high contrast light'] as const;

const SENTENCES = [
  ['Ceci n’est pas une pipe, dit le peintre au musée.', 'fra'],
  ['Repair the bicycle before the weekend, please.', 'eng'],
  ['Guten Tag zusammen, wir beginnen jetzt mit der Arbeit.', 'deu'],
];

/** Every page of the extension, each as a user comes to it. */
describe('Every page', () => {
  const suite = usePanels({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 9);
      const rows = SENTENCES.map(([text, language]) => `"${text}",${language}`).join('\n');
      await writeFile(path.join(workspace, 'labels.csv'), `text,language\n${rows}\n`);
    },
  });

  before('starts the sandbox and indexes pictures', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    await panels.index('images', 'photos');
    (await panels.dialog()).pick('Index 9 Files');
    await panels.indexedInto('photos');
  });

  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    'run panel': async () => {
      const { panels } = suite;
      const panel = await panels.openRunPanel(/^Language/);
      for (const [text] of SENTENCES.slice(0, 2)) {
        await panel.fill('Text', text!);
        await panel.run();
        await panels.row('History', text!.slice(0, 12));
      }
      return panels.page(/Language/);
    },
    'form of every kind of field': async () => {
      const { panels } = suite;
      panels.command('modelBench.runModel', { model: 'form-showcase' });
      const page = await panels.page(/Form Showcase/);
      await page.getByRole('tabpanel', { name: 'Form' }).waitFor();
      return page;
    },
    'tab Code': async () => {
      const page = await suite.panels.page(/Form Showcase/);
      await page.getByRole('tab', { name: 'Code' }).click();
      await page.getByRole('button', { name: 'Run in Terminal' }).waitFor();
      return page;
    },
    'tab JSON': async () => {
      const page = await suite.panels.page(/Form Showcase/);
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.locator('.cm-content').waitFor();
      return page;
    },
    search: async () => {
      const { panels } = suite;
      await panels.explorerMenu('Find Similar', 'images/set-0/picture-3.png');
      const page = await panels.page('Search photos');
      await page
        .getByRole('button', { name: /^Hit \d+: / })
        .first()
        .waitFor();
      return page;
    },
    usage: async () => {
      const { panels } = suite;
      panels.command('modelBench.showUsage');
      const page = await panels.page(/Usage/);
      await page.getByRole('table').first().waitFor();
      return page;
    },
    compare: async () => {
      const { panels } = suite;
      const rows = await Promise.all(
        [0, 1].map((at) => panels.row('History', SENTENCES[at]![0]!.slice(0, 12))),
      );
      await panels.rowMenu(rows[0]!, 'Compare Runs', rows);
      const page = await panels.page(/↔/);
      await page.locator('.mb-labels').nth(1).waitFor();
      return page;
    },
    'set-up of an experiment': async () => {
      const { panels } = suite;
      await panels.explorerMenu('Experiment with Model…', 'labels.csv');
      await panels.answer(/Run which model on the rows/, /^Language Identification/);
      const page = await panels.page(/labels\.experiment\.json/);
      await page.getByRole('button', { name: /^Run 3 \(/ }).waitFor();
      return page;
    },
    'table of an experiment': async () => {
      const page = await suite.panels.page(/labels\.experiment\.json/);
      await page.getByRole('button', { name: /^Run 3 \(/ }).click();
      await page.getByTitle(/^accuracy 1\.000/).waitFor();
      await page.getByRole('gridcell').filter({ hasText: '$0.001 ·' }).first().dblclick();
      await page.getByRole('complementary', { name: 'Cell' }).getByText('cost $0.001').waitFor();
      return page;
    },
  };

  for (const [name, open] of Object.entries(pages))
    describe(`, the ${name},`, () => {
      let page: Page;
      before(async () => {
        page = await open();
      });

      it('draws its controls and texts on one grid', async () => {
        await page.setViewportSize({ width: 1400, height: 900 });
        // Pages without a form load their check boxes after the first rendering.
        await eventually(async () => assert.deepEqual(await offGrid(page), []));
      });

      it('scrolls nothing sideways in any window', async () => {
        for (const [width, height] of WINDOWS) {
          await page.setViewportSize({ width, height });
          for (const theme of THEMES) {
            await showInTheme(page, theme);
            const file = `${name}-${width}x${height}-${theme}.png`.replaceAll(' ', '-');
            await page.screenshot({ path: `out/looks/${file}` });
          }
          assert.ok((await pixelsTooWide(page)) <= 0, `${width} px`);
        }
      });

      it('shows the focus at each Tab stop', async () => {
        await page.setViewportSize({ width: 1400, height: 900 });
        assert.deepEqual(await unseenTabStops(page), []);
      });

      it('passes axe in every theme', async () => {
        await page.setViewportSize({ width: 1400, height: 900 });
        assert.deepEqual(await violationsInEachTheme(page), []);
      });
    });
});
