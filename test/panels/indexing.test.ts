import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { accessibilityViolations } from '../support/axe';
import { check } from '../support/check';
import { chooseInMenu } from '../support/pageMenu';
import { corrupt, makePictures } from '../support/pictures';
import { dropOn, pasteInto } from '../support/webviews';
import { usePanels } from './usePanels';

describe('Indexing a folder by right-click, and finding similar images', () => {
  const suite = usePanels({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 40);
      await corrupt(path.join(workspace, 'images/set-0/picture-0.png'));
      await makePictures(path.join(workspace, 'ignored'), 2);
      await fs.writeFile(path.join(workspace, '.gitignore'), 'ignored/\n');
      const mixed = path.join(workspace, 'mixed');
      await fs.mkdir(mixed);
      for (const n of [3, 4])
        await fs.copyFile(
          path.join(workspace, `images/set-0/picture-${n}.png`),
          path.join(mixed, `${n}.png`),
        );
      await fs.writeFile(path.join(mixed, 'empty.png'), '');
      await fs.writeFile(path.join(mixed, 'note.txt'), 'no picture');
    },
  });

  before('starts the sandbox', () => suite.panels.startSandbox());

  it('keeps the question for a scope that no service takes', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Index Image with Model', 'images');
    const question = await panels.question(/Into which scope/);
    for (const scope of ['-no good', 'photos']) {
      await question.enter(scope);
      question.pick(scope);
    }
    const { text, cancel } = await panels.dialog();
    assert.match(text, /into photos/);
    cancel();
  });

  it('asks once, with the coming work, and indexes the folder', async () => {
    const { panels } = suite;
    await panels.index('images');
    const { text } = await panels.dialog();
    assert.match(text, /40 new/);
    assert.match(text, /3 runs/);
    (await panels.dialog()).pick('Index 40 Files');
    const ended = (await panels.notification(/Indexed \d+ of \d+ files? into playground/)).text;
    assert.match(ended, /39 of 40/);
    assert.match(ended, /1 failed/);
  });

  it('shows the scope with its counts, and the failed file with its reason', async () => {
    const { panels } = suite;
    await panels.row('Scopes', 'picture-0.png');
    const rows = (await panels.allRows('Scopes')).map(({ text }) => text);
    assert.ok(
      rows.some((row) => /^Image Similarity\s*1 failed, 39 items/.test(row)),
      rows.join('\n'),
    );
    assert.ok(
      rows.some((row) => /^picture-0\.png\s*.*rejected/.test(row)),
      rows.join('\n'),
    );
  });

  it('leads from the message to the failed file, first below its model, and opens it', async () => {
    const { panels } = suite;
    await panels.press(/1 failed/, 'Show Failed Files');
    await panels.builtIn('modelBench.scopes.focus');
    const [uri] = await panels.builtIn('vscode.open');
    assert.match(String(uri), /picture-0\.png$/);
    const model = await panels.row('Scopes', /^Image Similarity/);
    const [first] = await panels.rows('Scopes', model.element);
    assert.equal(first?.text, 'Failed 1');
    const files = await panels.rows('Scopes', first.element);
    assert.deepEqual(
      files.map(({ label }) => label),
      ['picture-0.png'],
    );
    assert.match(files[0]?.description ?? '', /rejected/);
  });

  it('opens a search with the files of its scope', async () => {
    const { panels } = suite;
    await panels.rowMenu(await panels.row('Scopes', /^playground/), 'Search Scope');
    const page = await panels.page('Search playground');
    const files = page.getByRole('list', { name: 'Files in this scope' });
    await files
      .getByRole('button', { name: /picture-7\.png/ })
      .first()
      .waitFor();
    await page.locator('mb-thumbnail canvas').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Hit / }).count(), 0);
    assert.deepEqual(await accessibilityViolations(page), []);
  });

  it('chooses the query by a click on a file of the scope, and searches by the button, which has the price', async () => {
    const page = await suite.panels.page('Search playground');
    await page
      .getByRole('list', { name: 'Files in this scope' })
      .getByRole('button', { name: /picture-7\.png/ })
      .first()
      .click();
    const search = page.getByRole('button', { name: 'Search', exact: true });
    await search.waitFor();
    await page.getByText(/^about \$0\.00\d/).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Hit / }).count(), 0);
  });

  it('finds similar images as tiles of the user’s own files, the image itself first if it is wanted', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Find Similar', 'images/set-0/picture-7.png');
    const page = await panels.page('Search playground');
    const first = page.getByRole('button', { name: /^Hit 1: / });
    await first.waitFor();
    await page.getByText(/^9 hits · /).waitFor();
    assert.doesNotMatch((await first.getAttribute('aria-label')) ?? '', /picture-7\.png/);
    await check(page.getByRole('checkbox', { name: 'Show the query itself' }));
    await page.getByText(/^10 hits · /).waitFor();
    assert.match((await first.getAttribute('aria-label')) ?? '', /picture-7\.png/);
    await page.locator('mb-thumbnail canvas').first().waitFor();
    await first.focus();
    await page.keyboard.press('ArrowRight');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(focused, /^Hit 2: /);
  });

  it('changes the maximum number of results, compares a hit with the query, and opens it', async () => {
    const { panels } = suite;
    const page = await panels.page('Search playground');
    await page.getByLabel('Results').fill('4');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^4 hits · /).waitFor();
    const second = page.getByRole('listitem').nth(1);
    const id = /^Hit 2: (.*?),/.exec(
      (await second.getByRole('button', { name: /^Hit 2/ }).getAttribute('aria-label')) ?? '',
    )?.[1];
    assert.ok(id);
    await second.getByRole('button', { name: /^Hit 2/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Query and hit' });
    await dialog.waitFor();
    await dialog.getByRole('status').getByText(id).waitFor();
    const loaded = await dialog
      .locator('img')
      .evaluateAll(async (images) =>
        Promise.all(
          images.map((image) => (image as HTMLImageElement).decode().then(() => image.clientWidth)),
        ),
      );
    assert.ok(loaded.length === 2 && loaded.every((width) => width > 0), String(loaded));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await second.hover();
    await second.getByRole('button', { name: /^Copy ID/ }).click();
    await panels.until(() => panels.kept.clipboard === id, 'The copied ID');
    await second.getByRole('button', { name: /^Hit 2/ }).click({ modifiers: ['ControlOrMeta'] });
    assert.ok(String(await panels.builtIn('vscode.open')).includes(path.basename(id)));
  });

  it('searches with a hit by the keyboard alone', async () => {
    const { panels } = suite;
    const page = await panels.page('Search playground');
    await page.getByRole('button', { name: /^Hit 1: / }).focus();
    await page.keyboard.press('ArrowRight');
    const name = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    const id = /^Hit 2: (.*?),/.exec(await name())?.[1];
    assert.ok(id);
    for (let tabs = 0; !(await name()).startsWith('Find Similar'); tabs++) {
      assert.ok(tabs < 6, await name());
      await page.keyboard.press('Tab');
    }
    assert.equal(await name(), `Find Similar: ${id}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: path.basename(id), exact: true }).waitFor();
    await page.getByRole('button', { name: `Hit 1: ${id}` }).waitFor();
  });

  it('marks the query among its hits, and goes back to the search before', async () => {
    const { panels } = suite;
    const page = await panels.page('Search playground');
    const own = page.getByRole('listitem').filter({ hasText: 'The query itself' });
    assert.equal(await own.count(), 1);
    assert.match(
      (await own.getByRole('button').first().getAttribute('aria-label')) ?? '',
      /the query itself/,
    );
    await panels.runCommand('Model Bench: Back to the Previous Search');
    await page.getByRole('button', { name: /^Hit 1: .*picture-7\.png/ }).waitFor();
  });

  it('marks a hit without a local file, and exports the hits', async () => {
    const { panels } = suite;
    await fs.rename(
      path.join(panels.workspace, 'images/set-0/picture-5.png'),
      path.join(panels.workspace, 'images/moved.png'),
    );
    const page = await panels.page('Search playground');
    await page.getByLabel('Results').fill('');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^10 hits · /).waitFor();
    await page.getByLabel('Results').fill('39');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^39 hits · /).waitFor();
    const gone = page.getByRole('listitem').filter({ hasText: 'picture-5.png' });
    await gone.getByText('No local file').waitFor();
    assert.equal(await gone.getByRole('button', { name: /^Open/ }).count(), 0);
    assert.deepEqual(await accessibilityViolations(page), []);
    for (const [format, first] of [
      ['CSV', /^\ufeffrank,id,score,path,about\n1,images\/set-0\/picture-/],
      ['JSON', /^\[\n {2}\{\n {4}"rank": 1,\n {4}"id": "images\/set-0\/picture-/],
    ] as const) {
      const name = `search-playground.${format.toLowerCase()}`;
      await chooseInMenu(page, 'More Actions', `Export as ${format}`);
      await panels.chooseFile();
      await panels.editor(first);
      const written = await fs.readFile(path.join(panels.workspace, name), 'utf8');
      assert.match(written, first);
      assert.equal(
        written.match(/picture-\d+\.png["',]/g)?.length,
        39 * 2 - 1,
        'ids, and paths but of the one',
      );
    }
    await page.getByLabel('Results').fill('');
    await page.getByLabel('Results').press('Tab');
    await fs.rename(
      path.join(panels.workspace, 'images/moved.png'),
      path.join(panels.workspace, 'images/set-0/picture-5.png'),
    );
  });

  it('searches with an image that is pasted or dropped from outside VS Code', async () => {
    const { panels } = suite;
    const bytes = await fs.readFile(path.join(panels.workspace, 'images/set-0/picture-9.png'));
    const page = await panels.page('Search playground');
    const file = { name: 'from the system.png', mimeType: 'image/png', bytes };
    // The hits of the search before are in sight until the next ones are there.
    const searched = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).waitFor();
      await page.locator('section[aria-busy=false]').waitFor();
      await page.getByRole('button', { name: /^Hit 1: .*picture-9\.png/ }).waitFor();
    };
    await dropOn(page.locator('button.drop'), [file]);
    await searched('from the system.png');
    await pasteInto(page.locator('button.drop'), [{ ...file, name: 'pasted.png' }]);
    await searched('pasted.png');
  });

  it('restores its hits after a reload without a request', async () => {
    const { panels } = suite;
    await panels.reload();
    const page = await panels.page('Search playground');
    await page.getByRole('button', { name: /^Hit 1: .*picture-9\.png/ }).waitFor();
    await page.getByText(/10 hits · .* · searched /).waitFor();
    // A canvas without a drawing is 300 wide; these pictures are 16.
    await page.waitForFunction(() => document.querySelector('canvas')?.width === 16);
  });

  it('sends nothing for a second pass', async () => {
    const { panels } = suite;
    // The side bar is shown again: its views ask for the sandbox.
    await panels.row('Catalog', /^Image Similarity/);
    await panels.rowMenu(await panels.row('Scopes', 'Image Similarity'), 'Index Changes');
    const { text } = await panels.dialog();
    assert.match(text, /39 unchanged/);
    assert.match(text, /1 failed before/);
    (await panels.dialog()).cancel();
  });

  it('lists selected files that cannot be indexed, before anything is sent', async () => {
    const { panels } = suite;
    const names = ['3.png', '4.png', 'empty.png', 'note.txt'].map((name) => `mixed/${name}`);
    await panels.explorerMenu('Index Image with Model', ...names);
    await panels.answer(/Into which scope/, 'playground');
    const text = (await panels.dialog()).text;
    assert.match(text, /2 new, 2 cannot be indexed\./);
    assert.match(text, /mixed\/empty\.png: The file is empty\./);
    assert.match(text, /mixed\/note\.txt: The model does not accept files of this type \(text\/plain\)\./);
    (await panels.dialog()).cancel();
  });

  it('skips a folder that .gitignore excludes, and indexes it when asked', async () => {
    const { panels } = suite;
    await panels.index('ignored');
    await panels.press(/skipped because of \.gitignore/, 'Index Anyway');
    assert.match((await panels.dialog()).text, /2 new\./);
    (await panels.dialog()).cancel();
    panels.clearNotifications();
  });
});
