import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { check } from '../../support/check';
import { chooseInHead } from '../../support/pageMenu';
import { makePictures } from '../../support/pictures';
import type { RunPanel } from '../../support/runPanel';
import { dropOn } from '../../support/webviews';
import { useService } from '../useService';

const image = {
  type: 'object',
  properties: { media_ref: { type: 'string', contentMediaType: 'image/*' } },
  required: ['media_ref'],
};
const post = (properties: object, required: string[]) => ({
  post: {
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { model: {}, mode: {}, input: { type: 'object', properties, required } },
          },
        },
      },
    },
  },
});
const Image = { $ref: '#/components/schemas/Image' };
const openApi = (paths: object) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pictures', version: '1' },
    paths,
    components: { schemas: { Image: image } },
  });
const picture = { name: 'image', type: 'image', required: true, label: 'Picture' };
/** A part of the body that is a schema, and not the input's. */
const widget = {
  type: 'object',
  properties: { image: { ...image, title: 'Photo' } },
  required: ['image'],
};

/** Three services' contracts of the same two models. */
const SERVICES = {
  OpenAPI: {
    'image-similarity': {
      slug: 'image-similarity',
      latest_version: {
        openapi_schema: openApi({
          '/index': post(
            {
              images: { type: 'array', items: Image },
              image_ids: { type: 'array', items: { type: 'string' } },
            },
            ['images'],
          ),
          '/search': post({ image: Image }, ['image']),
        }),
      },
    },
    'image-description': {
      name: 'image-description',
      latest_version: { openapi_schema: openApi({ '/predictions': post({ image: Image }, ['image']) }) },
    },
  },
  Fields: {
    'image-similarity': {
      data: {
        operations: ['execute'],
        model: {
          slug: 'image-similarity',
          contract: {
            modes: [
              {
                mode: 'index',
                inputs: [
                  { name: 'images', type: 'image', multiple: true, required: true },
                  { name: 'image_ids', type: 'string[]' },
                ],
              },
              { mode: 'search', inputs: [picture], params: [{ name: 'top_k', label: 'How many' }] },
            ],
          },
        },
      },
    },
    'image-description': {
      model: {
        slug: 'image-description',
        inputs: [picture],
        params: [{ name: 'detail', type: 'string', options: ['brief', 'full'] }],
        playground: { widget },
      },
    },
  },
  Nothing: { 'image-similarity': {}, 'image-description': {} },
} as const;

describe('Services with contracts of their own', () => {
  let pictures = '';
  const suite = useService({
    environments: Object.keys(SERVICES),
    changes: (service, name) => {
      // The list names only `execute`, under a name of its own.
      service.change('/api/marketplace/models', () => ({
        body: {
          data: {
            offers: ['image-similarity', 'image-description'].map((slug) => ({
              slug,
              operations: ['execute'],
            })),
          },
        },
      }));
      for (const [slug, body] of Object.entries(SERVICES[name as keyof typeof SERVICES]))
        service.change(`/api/marketplace/models/${slug}`, () => ({ body }));
    },
    prepare: async (workspace) => {
      pictures = path.join(workspace, 'images');
      await makePictures(pictures, 6);
      // With one folder alone in it, the Explorer would show both as one row.
      await fs.mkdir(path.join(pictures, 'later'));
    },
  });
  for (const name of Object.keys(SERVICES)) {
    it(`indexes a folder and finds a picture: ${name}`, async () => {
      const { panels } = suite;
      await goTo(name);
      await panels.row('Catalog', 'image-similarity');
      await panels.index('images');
      (await panels.dialog()).pick('Index 6 Files');
      assert.match(await panels.indexedInto('playground'), /6 of 6/);
      await panels.explorerMenu('Find Similar', 'images/set-0/picture-3.png');
      const page = await panels.page('Search playground');
      const first = page.getByRole('button', { name: /^Hit 1: / });
      await first.waitFor();
      await check(page.getByRole('checkbox', { name: 'Show the query itself' }));
      await page.getByRole('button', { name: /^Hit 1: .*picture-3\.png/ }).waitFor();
      panels.closePanels();
    });
  }

  const goTo = async (name: string) => {
    const { panels } = suite;
    if (!panels.window.statusItems.get('modelBench.wallet')?.text.includes(name)) await panels.switchTo(name);
  };
  it('searches with parameters of any kind, and never with others than those on screen', async () => {
    const { panels } = suite;
    await goTo('Fields');
    await panels.explorerMenu('Find Similar', 'images/set-0/picture-3.png');
    const page = await panels.page('Search playground');
    await page.getByRole('button', { name: /^Hit 6: / }).waitFor();
    const howMany = page.getByLabel('How many');
    await howMany.fill('{"2');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('“How many” has no valid value').waitFor();
    await howMany.fill('2');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: /^Hit 3: / }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: /^Hit \d: / }).count(), 2);
    panels.closePanels();
  });

  const file = async () => ({
    name: 'picture-2.png',
    mimeType: 'image/png',
    bytes: await fs.readFile(path.join(pictures, 'set-0/picture-2.png')),
  });
  const DESCRIBED = /square|landscape|portrait/;

  for (const [name, label] of [
    ['OpenAPI', 'image'],
    ['Fields', 'Picture'],
  ] as const)
    it(`runs with a file: ${name}`, async () => {
      await goTo(name);
      const panel = await suite.panels.openRunPanel('image-description');
      await panel.dropFile(label, await file());
      assert.match(await panel.run(), DESCRIBED);
      suite.panels.closePanels();
    });

  it('run with a file inside JSON: Nothing', async () => {
    const { panels } = suite;
    await goTo('Nothing');
    const panel = await panels.openRunPanel('image-description');
    await panel.frame.getByText('This model publishes no schema').first().waitFor();
    const input = panel.frame.getByRole('textbox', { name: 'Input', exact: true });
    await input.fill('{"image": ""}');
    await input.press('End');
    for (let step = 0; step < 2; step += 1) await input.press('ArrowLeft');
    await dropOn(input, [await file()]);
    await panel.frame.waitForFunction(() =>
      [...document.querySelectorAll('textarea')].some(({ value }) => value.includes('"media_ref"')),
    );
    assert.match(await panel.run(), DESCRIBED);
    panels.closePanels();
  });

  it('runs a search with a file, says where the form was found, and shows that place', async () => {
    const { panels } = suite;
    await goTo('Fields');
    const panel = await panels.openRunPanel('image-similarity');
    await panel.frame.getByRole('combobox', { name: 'Mode' }).selectOption('search');
    await panel.dropFile('Picture', await file());
    assert.match(await panel.run(), /picture-2|Hit|100/);
    await panel.button('About This Model').click();
    await panel.button('/data/model/contract/modes/1/inputs').click();
    await panels.editor('"Picture"');
    panels.closePanels();
  });

  /** The facts of the model, which a second press of their button would close. */
  const about = async (panel: RunPanel) => {
    const facts = panel.frame.getByRole('dialog', { name: 'About This Model' });
    if (!(await facts.isVisible())) await panel.button('About This Model').click();
    return facts;
  };
  const useAnother = async (panel: RunPanel, choice: string) => {
    const { panels } = suite;
    await (await about(panel)).getByRole('button', { name: 'Use Another Schema…' }).press('Enter');
    await panels.answer('Choose what the schema describes', 'Input');
    await panels.answer('Choose a part of the model’s response', choice);
  };
  /** The tab of a panel with an input names it. */
  const withPicture = 'image-description · picture-2.png';
  const reloaded = async () => {
    const { panels } = suite;
    await panels.reload();
    return panels.runPanel(withPicture);
  };

  it('use another part of the response as the schema, even after a reload', async () => {
    const { panels } = suite;
    await goTo('Fields');
    const panel = await panels.openRunPanel('image-description');
    // It comes back with the work of the panel that was closed.
    await chooseInHead(panel.frame, 'Reset Form');
    await panel.dropFile('Picture', await file());
    await useAnother(panel, '/model/playground/widget');
    await panel.frame.getByText('Photo', { exact: true }).first().waitFor();
    await panel.frame.getByText('picture-2.png').first().waitFor();
    const again = await reloaded();
    await again.frame.getByText('Photo', { exact: true }).first().waitFor();
    assert.match(await again.run(), DESCRIBED);
    await (await about(again)).getByRole('button', { name: '/model/playground/widget' }).waitFor();
  });

  it('use a pasted schema, even after a reload, and the published one again', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel(withPicture);
    await useAnother(panel, 'Paste a schema…');
    const pasted = await panels.question(/JSON Schema, a list of fields/);
    await pasted.enter('{"not');
    assert.match(pasted.validation ?? '', /This is not JSON that describes fields/);
    await pasted.enter(JSON.stringify([{ ...picture, label: 'Own picture' }]));
    await panel.frame.getByText('Own picture', { exact: true }).first().waitFor();
    const again = await reloaded();
    await again.frame.getByText('Own picture', { exact: true }).first().waitFor();
    assert.match(await again.run(), DESCRIBED);
    await useAnother(again, 'Published schema');
    await again.frame.getByText('Picture', { exact: true }).first().waitFor();
    await (await about(again)).getByRole('button', { name: '/model/inputs' }).waitFor();
  });
});
