import assert from 'node:assert/strict';
import type { ExperimentSetup } from '../../../src/domain/experimentSetup';
import type { JsonSchema } from '../../../src/domain/json';
import { violationsInEachTheme } from '../../support/axe';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import { modelOf, openRunPage, type RunPageHarness, type RunPageOptions } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const input: JsonSchema = {
  type: 'object',
  required: ['prompt', 'image'],
  properties: {
    prompt: { type: 'string', title: 'Prompt' },
    image: {
      type: 'object',
      title: 'Image',
      'x-media-type': 'image',
      properties: { media_ref: { type: 'string', minLength: 1 }, filename: { type: 'string' } },
      required: ['media_ref'],
    },
    secret: { type: 'string', format: 'password' },
  },
};
const params: JsonSchema = {
  type: 'object',
  properties: {
    strength: { type: 'number', title: 'Strength', minimum: 0, maximum: 1 },
    style: { type: 'string', title: 'Style', enum: ['oil', 'ink', 'pen'] },
    tile: { type: 'boolean', title: 'Tile' },
    size: { type: 'object', title: 'Size', properties: { w: { type: 'integer' } }, required: ['w'] },
  },
};
const over: ExperimentSetup['over'] = {
  kind: 'files',
  folder: 'file:///work',
  globs: ['photos/**/*.png'],
  map: { '/input/image': 'file' },
  folderIsLabel: false,
};

describe('Varied fields in the run panel', () => {
  let panel: RunPageHarness;
  const openPage = usePages(openRunPage, async ({ page }) => {
    // A button that is half scrolled out of sight counts as too small a target.
    await page.setViewportSize({ width: 1000, height: 2400 });
    assert.deepEqual(await violationsInEachTheme(page), []);
  });
  const open = async (options: RunPageOptions = {}) => {
    panel = await openPage(modelOf(input, params), {
      ...options,
      responses: {
        measureExperiment: () => ({ text: '12 runs, about $0.01', results: ['/label'] }),
        chooseInputs: () => ({ over }),
        runExperiment: () => undefined,
        ...options.responses,
      },
    });
    return panel.page;
  };
  const experiment = () => panel.work()?.experiment;
  const until = async (wanted: Partial<ExperimentSetup> | undefined) => {
    const found = () =>
      wanted && experiment()
        ? Object.fromEntries(Object.keys(wanted).map((key) => [key, (experiment() as never)[key]]))
        : experiment();
    await panel.untilSaid(() => JSON.stringify(found()) === JSON.stringify(wanted));
    assert.deepEqual(found(), wanted);
  };
  const field = (pointer: string) => panel.page.locator(`[data-pointer="${pointer}"]`);
  const vary = (pointer: string) => chooseInMenu(panel.page, fieldMenu(panel.page, pointer), 'Vary');

  it('take a list of values or a range, ticked options, or JSON', async () => {
    const page = await open();
    await vary('/params/strength');
    await page.getByRole('textbox', { name: 'Value 1 of Strength' }).fill('0.2');
    await page.getByRole('button', { name: 'Add Value' }).press('Enter');
    await page.keyboard.type('0.40');
    await until({ vary: { '/params/strength': { values: [0.2, 0.4] } } });
    assert.equal(await page.getByRole('textbox', { name: 'Value 2 of Strength' }).inputValue(), '0.40');
    await page.getByRole('checkbox', { name: 'Range of numbers' }).check();
    await page.getByRole('textbox', { name: 'Step' }).fill('0.1');
    await page.getByRole('textbox', { name: 'Step' }).press('Tab');
    await until({ vary: { '/params/strength': { from: 0.2, to: 0.4, step: 0.1 } } });
    await page.getByRole('checkbox', { name: 'Range of numbers' }).uncheck();
    await until({ vary: { '/params/strength': { values: [0.2, 0.3, 0.4] } } });
    await field('/params/strength').getByRole('button', { name: 'Do not vary' }).click();
    await until(undefined);
    await vary('/params/style');
    await page.getByRole('checkbox', { name: 'ink' }).uncheck();
    await until({ vary: { '/params/style': { values: ['oil', 'pen'] } } });
    await vary('/params/tile');
    await field('/params/size').locator('summary').first().click();
    await vary('/params/size');
    await page.getByRole('textbox', { name: 'Value 1 of Size' }).fill('{"w": "x"}');
    await field('/params/size')
      .getByText(/integer|number/)
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Value 1 of Size' }).fill('{"w": 2}');
    await until({
      vary: {
        '/params/style': { values: ['oil', 'pen'] },
        '/params/tile': { values: [true, false] },
        '/params/size': { values: [{ w: 2 }] },
      },
    });
    await page.getByText('12 runs, about $0.01').waitFor();
  });

  it('takes several texts of several lines, and never a secret', async () => {
    const page = await open();
    await fieldMenu(page, '/input/secret').click();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Copy Path']);
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A cat');
    await vary('/input/prompt');
    await page.getByRole('button', { name: 'Add Value' }).click();
    await page.getByRole('textbox', { name: 'Value 2 of Prompt' }).fill('A dog,\nasleep');
    await until({ vary: { '/input/prompt': { values: ['A cat', 'A dog,\nasleep'] } } });
    await page.getByRole('button', { name: 'Remove value 1' }).click();
    await until({ vary: { '/input/prompt': { values: ['A dog,\nasleep'] } } });
  });

  it('run a field over files, and ask for missing parts before they run', async () => {
    const page = await open();
    await chooseInMenu(page, fieldMenu(page, '/input/image'), 'Run over Files…');
    await until({ over });
    const asked = panel.said.find(({ method }) => method === 'chooseInputs');
    assert.deepEqual(asked?.params, { kind: 'files', mode: 'execute', pointer: '/input/image' });
    await field('/input/image').getByText('Each of the files').waitFor();
    await page.getByRole('checkbox', { name: /folder is the expected result/ }).check();
    await page.getByLabel('Part of the result that is compared').fill('label');
    await page.getByLabel('Part of the result that is compared').press('Tab');
    await page.getByText('A JSON pointer begins with “/”').waitFor();
    await page.getByLabel('Part of the result that is compared').fill('/label');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Fix 1 problem before running:').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Run without validation' }).count(), 0);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A cat');
    await page.keyboard.press('Control+Enter');
    await panel.untilSaid(() => panel.said.some(({ method }) => method === 'runExperiment'));
    const sent = panel.said.find(({ method }) => method === 'runExperiment')?.params as {
      experiment: ExperimentSetup;
    };
    assert.deepEqual(sent.experiment.over, { ...over, folderIsLabel: true });
    assert.equal(sent.experiment.at, '/label');
    assert.ok(panel.said.every(({ method }) => method !== 'run'));
  });

  it('appear in the part Experiment, which stays hidden until it is wanted', async () => {
    const models = [
      { slug: 'b', name: 'Model B' },
      { slug: 'c', name: 'Model C' },
    ];
    const page = await open({ responses: { addModels: () => models } });
    assert.equal(await page.getByRole('region', { name: 'Experiment' }).count(), 0);
    await chooseInMenu(page, 'Other Ways to Run', 'Run Experiment…');
    await page.getByRole('button', { name: 'Add Model…' }).click();
    await page.getByLabel('Times each').fill('3');
    await page.getByLabel('Times each').press('Tab');
    await page.getByLabel('Sample of inputs').fill('5');
    await page.getByLabel('Sample of inputs').press('Tab');
    await until({ models, repeats: 3, sample: 5 });
    for (const tab of ['JSON', 'Code']) {
      await page.getByRole('tab', { name: tab }).first().click();
      await page.getByText('This is one request.').waitFor();
    }
    await page.getByRole('button', { name: 'Discard Experiment' }).click();
    await until(undefined);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until({ models, repeats: 3, sample: 5 });
  });

  it('comes back with the panel, also at places that the form has no longer', async () => {
    const work = {
      draft: { model: 'try-me', mode: 'execute', input: { prompt: 'A cat' }, params: {} },
      experiment: {
        vary: { '/params/gone': { values: [1] }, '/params/tile': { values: [true] } },
        models: [],
        repeats: 1,
      },
      tab: 'form' as const,
    };
    const page = await open({ work, width: 320 });
    await page.getByRole('button', { name: 'Do not vary gone' }).click();
    await until({ vary: { '/params/tile': { values: [true] } } });
    const isScrolled = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isScrolled, false);
  });
});
