import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { JsonSchema } from '../../../src/domain/json';
import { eventually } from '../../support/eventually';
import {
  attached,
  modelOf,
  openRunPage,
  type RunPageHarness,
  type RunPageOptions,
} from '../../support/runPage';
import { usePages } from '../../support/webviewPage';
import { tabStopsToRun } from '../tabStops';

const medium: JsonSchema = {
  type: 'object',
  properties: { media_ref: { type: 'string' }, filename: { type: 'string' } },
  required: ['media_ref'],
};
const indexInput: JsonSchema = {
  type: 'object',
  properties: {
    images: { type: 'array', items: medium },
    image_ids: { type: 'array', items: { type: 'string' } },
  },
  required: ['images', 'image_ids'],
};

describe('Files and lists in the form of the run panel', () => {
  const openPage = usePages(openRunPage);
  const open = (input: JsonSchema, options: RunPageOptions = {}) => openPage(modelOf(input), options);
  /** Waits until the focus is at a place, on a control of that name or class. */
  const focusIs = async ({ page }: RunPageHarness, wanted: string) => {
    await page.waitForFunction((there) => {
      const at = document.activeElement;
      const place = at?.closest('[data-pointer]')?.getAttribute('data-pointer');
      return `${place} ${at?.getAttribute('aria-label') ?? at?.classList[0]}` === there;
    }, wanted);
  };

  it('take media by a drop, a dialog or the open file, name each for its file, and let them be moved and removed', async () => {
    let uploads = 0;
    const opened = await open(indexInput, {
      responses: {
        beginUpload: () => ({ id: String(++uploads) }),
        uploadChunk: () => undefined,
        endUpload: ({ id }: { id: string }) => attached(`file:///loose/${id}/cat.png`),
        attachUris: ({ uris }: { uris: string[] }) => uris.map(attached),
        pickFiles: () => [attached('file:///photos/picked.png')],
        attachOpenFile: () => [attached('file:///photos/open.png')],
        fileBytes: () => ({ contentType: 'image/png' }),
      },
    });
    const { page } = opened;
    const zone = page.locator('.drop-zone');
    await drop(zone, { files: ['cat.png', 'cat.png'] }, async () => {
      await page.getByText('Hold Shift while dropping so that').waitFor();
    });
    await page.getByRole('textbox', { name: 'image_ids 2' }).waitFor();
    await drop(zone, { uris: ['file:///photos/dog.png', 'vscode-remote://host/photos/bird.png'] });
    await page.getByRole('textbox', { name: 'image_ids 4' }).waitFor();
    await zone.click();
    await page.getByRole('textbox', { name: 'image_ids 5' }).waitFor();
    await page.getByRole('button', { name: /^Use the Open (File|Image)$/ }).click();
    await page.getByRole('textbox', { name: 'image_ids 6' }).fill('mine');
    const ids = () => (opened.work()!.draft.input.image_ids as string[]).join(' ');
    await page.getByRole('textbox', { name: 'image_ids 1' }).press('ControlOrMeta+.');
    await page.getByRole('menuitem', { name: 'Move down' }).click();
    await focusIs(opened, '/input/images/1 File Actions (Ctrl+.)');
    await page.getByRole('button', { name: 'Remove' }).nth(2).click();
    await focusIs(opened, '/input/images drop-zone');
    await page.getByRole('button', { name: 'Replace…' }).nth(2).click();
    await page.waitForFunction(
      () => document.querySelectorAll<HTMLInputElement>('label.id input')[2]?.value === 'picked-2.png',
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await opened.untilRun();
    assert.equal(ids(), 'cat-2.png cat.png picked-2.png picked.png mine');
    const media = opened.work()?.draft.input.images as { media_ref: string; filename: string }[];
    assert.deepEqual(
      media.map(({ filename }) => filename),
      ['cat.png', 'cat.png', 'picked.png', 'picked.png', 'open.png'],
    );
    assert.equal(media[0]?.media_ref, 'file:///loose/2/cat.png');
  });

  it('need one Tab stop for each row of a list, whose menu moves and removes it', async () => {
    const rows = { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } };
    const numbers = { type: 'array', items: { type: 'integer' } };
    const opened = await open(
      { type: 'object', properties: { ...(indexInput.properties as object), rows, numbers } },
      {
        files: ['a', 'b', 'c'].map((name) => attached(`file:///photos/${name}.png`)),
        work: {
          tab: 'form',
          draft: {
            model: 'try-me',
            mode: 'execute',
            input: {
              images: ['a', 'b', 'c'].map((name) => ({ media_ref: `file:///photos/${name}.png` })),
              image_ids: ['a', 'b', 'c'],
              rows: [{ title: 'one' }, { title: 'two' }],
              numbers: [1, 2, 3, 4, 5],
            },
            params: {},
          },
        },
      },
    );
    const { page } = opened;
    await page.getByRole('textbox', { name: 'image_ids 3' }).waitFor();
    const fields = await page.locator('.form :is(.field, .medium-card)').count();
    assert.ok(fields > 12, `${fields} fields`);
    const stops = await tabStopsToRun(page);
    assert.ok(stops.length <= fields + 6, `${fields} fields:\n${stops.join('\n')}`);
    const third = page.locator('[data-pointer="/input/numbers/2"] input');
    await third.press('ControlOrMeta+.');
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await focusIs(opened, '/input/numbers/1 number');
    await page.keyboard.press('ControlOrMeta+.');
    await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
    await page.locator('[data-pointer="/input/numbers/4"]').waitFor({ state: 'detached' });
    await page.locator('[data-pointer="/input/numbers/0"] input').press('ControlOrMeta+.');
    assert.equal(await page.getByRole('menuitem', { name: 'Move up' }).getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');
    await eventually(() => assert.deepEqual(opened.work()?.draft.input.numbers, [1, 2, 4, 5]));
  });

  it('show a note while the field does not take the type of a file', async () => {
    const images = { type: 'array', items: { ...medium, accept: '.jpg,.jpeg' } };
    const picked = ['file:///photos/cat.png', 'file:///photos/cat.jpg', 'file:///photos/<b>.png'];
    const { page } = await open(
      { type: 'object', properties: { images } },
      { responses: { pickFiles: () => [attached(picked.shift() as string)] } },
    );
    const notes = page.getByRole('note');
    await page.locator('.drop-zone').click();
    await notes.getByText('“cat.png” is not of a type that this field takes (.jpg, .jpeg).').waitFor();
    await page.getByRole('button', { name: 'Replace…' }).click();
    await notes.waitFor({ state: 'hidden' });
    await page.locator('.drop-zone').click();
    await notes.getByText('“<b>.png” is not of a type').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    await notes.waitFor({ state: 'hidden' });
  });

  it('take a media_ref typed by hand', async () => {
    const opened = await open({ type: 'object', properties: { image: medium }, required: ['image'] });
    await opened.page.getByRole('button', { name: 'Enter a file reference' }).click();
    await opened.page.getByRole('textbox', { name: 'media_ref' }).fill('med_123');
    await opened.page.keyboard.press('Control+Enter');
    await opened.untilRun();
    assert.deepEqual(opened.work()?.draft.input, { image: { media_ref: 'med_123' } });
  });
});

/** Drags over an element, lets `during` look, and drops. */
async function drop(
  zone: Locator,
  { files = [], uris = [] }: { files?: string[]; uris?: string[] },
  during: () => Promise<void> = async () => undefined,
): Promise<void> {
  const dataTransfer = await zone.evaluateHandle(
    (_zone, [names, addresses]) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File(['picture'], name, { type: 'image/png' }));
      if (addresses.length > 0) transfer.setData('application/vnd.code.uri-list', addresses.join('\r\n'));
      return transfer;
    },
    [files, uris] as const,
  );
  await zone.dispatchEvent('dragenter', { dataTransfer });
  await during();
  await zone.dispatchEvent('drop', { dataTransfer });
}
