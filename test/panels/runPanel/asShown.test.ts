import assert from 'node:assert/strict';
import type { JsonObject, JsonSchema } from '../../../src/domain/json';
import { violationsInEachTheme } from '../../support/axe';
import { chooseInMenu, fieldMenu } from '../../support/pageMenu';
import {
  attached,
  modelOf,
  openRunPage,
  type RunPageHarness,
  type RunPageOptions,
} from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const MEDIA = { media_ref: 'file:///photos/cat.png', filename: 'cat.png' };
const responses = {
  pickFiles: () => [attached('file:///photos/cat.png')],
  attachUris: ({ uris }: { uris: string[] }) => uris.map(attached),
  fileBytes: () => ({ contentType: 'image/png' }),
};

describe('The shown request of the run panel', () => {
  const openPage = usePages(openRunPage, async ({ page }) =>
    assert.deepEqual(await violationsInEachTheme(page), []),
  );
  const open = async (input: JsonSchema, options: RunPageOptions = {}, published = true) => {
    const model = modelOf(input);
    const [mode] = model.modes;
    const nothing = { schema: true, origin: 'unknown' as const };
    const modes = published ? model.modes : [{ ...mode!, input: nothing, params: nothing }];
    return openPage({ ...model, modes }, { responses, ...options });
  };
  const editor = ({ page }: RunPageHarness) =>
    page.getByRole('textbox', { name: 'Input and parameters as JSON' });
  const input = (opened: RunPageHarness) => opened.work()?.draft.input;
  const until = async (opened: RunPageHarness, wanted: JsonObject) => {
    await opened.untilSaid(() => same(input(opened), wanted));
    assert.deepEqual(input(opened), wanted);
  };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const runs = ({ said }: RunPageHarness) =>
    said
      .filter(({ method }) => method === 'run')
      .map(({ params }) => (params as { draft: { input: JsonObject } }).draft.input);

  it('sends values against the schema exactly as entered, and never an older text', async () => {
    const opened = await open({
      type: 'object',
      required: ['n', 'any'],
      properties: { n: { type: 'integer' }, any: {} },
    });
    const { page } = opened;
    await page.getByRole('textbox', { name: 'n', exact: true }).fill('many');
    await page.getByRole('textbox', { name: 'any', exact: true }).fill('{"a": 1}');
    await page.getByRole('textbox', { name: 'any', exact: true }).fill('{"a": 1,\n "b": }');
    await page.getByText('line 2, column 7').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Run without validation' }).click();
    await page.getByText('Not sent. any: This is not valid JSON (line 2, column 7)').waitFor();
    assert.deepEqual(runs(opened), []);
    await page.screenshot({ path: 'out/journeys/notSent.png' });
    await page.getByRole('button', { name: 'Restore Last Valid' }).click();
    assert.equal(
      await page.getByRole('textbox', { name: 'any', exact: true }).inputValue(),
      '{\n  "a": 1\n}',
    );
    await page.getByRole('button', { name: 'Run without validation' }).click();
    assert.deepEqual(runs(opened), [{ n: 'many', any: { a: 1 } }]);
  });

  it('tells where the JSON tab is wrong, and goes back to the last that was right', async () => {
    const opened = await open({ type: 'object', properties: { text: { type: 'string' } } });
    const { page } = opened;
    await page.getByRole('tab', { name: 'JSON' }).click();
    await editor(opened).fill('{"input": {"text": "a"}, "params": {}}');
    await editor(opened).fill('{"input": {"text": "b" "x"}, "params": {}}');
    await page.getByText('line 1, column 24): a comma is expected').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Run without validation' }).click();
    await page.getByRole('alert').getByText('Not sent.').waitFor();
    await page.screenshot({ path: 'out/journeys/jsonPlace.png' });
    await page.getByRole('button', { name: 'Restore Last Valid' }).click();
    await page.getByText('The form updates once').waitFor({ state: 'detached' });
    assert.match(await editor(opened).innerText(), /"text": "a"/);
    await editor(opened).fill('{"input": {"__proto__": {"text": "a"}}}');
    await page.getByText('“__proto__” cannot be sent').first().waitFor();
    await editor(opened).fill('{"input": {"text": "c"}, "options": {"hardware_tier": "big"}}');
    await page.keyboard.press('Control+Enter');
    await page.getByText('the published model release determines the hardware').first().waitFor();
    assert.deepEqual(runs(opened), []);
  });

  it('gives the replacement of a matched bracket no style of its own, which the page’s policy would forbid', async () => {
    const opened = await open({ type: 'object', properties: { text: { type: 'string' } } });
    await opened.page.getByRole('tab', { name: 'JSON' }).click();
    await editor(opened).fill('{"input": {"text": "a"}, "params": {}}');
    await editor(opened).locator('.cm-matchingBracket').first().waitFor();
    // At once: the editor itself would take the mark away before a slower hand types.
    await editor(opened).evaluate((content) => {
      getSelection()!.selectAllChildren(content);
      document.execCommand('insertText', false, '{"input": {"text": "b"}, "params": {}}');
    });
    await until(opened, { text: 'b' });
    assert.equal(await editor(opened).locator('[style*=background]').count(), 0);
  });

  it('keeps the variant that was chosen, though the value matches another one', async () => {
    const text: JsonSchema = { type: 'string', title: 'Free text' };
    const address: JsonSchema = { type: 'string', title: 'Address', pattern: '^https:' };
    const opened = await open({
      type: 'object',
      required: ['source'],
      properties: {
        source: {
          oneOf: [
            { title: 'By text', type: 'object', required: ['q'], properties: { q: text } },
            { title: 'By address', type: 'object', required: ['q'], properties: { q: address } },
          ],
        },
      },
    });
    const { page } = opened;
    await page.getByRole('combobox', { name: 'source' }).selectOption({ label: 'By address' });
    await page.getByRole('textbox', { name: 'Address' }).fill('plain');
    await until(opened, { source: { q: 'plain' } });
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
  });

  it('sends an empty text over a default, and says of numbers which bound is excluded', async () => {
    const opened = await open({
      type: 'object',
      properties: {
        negative: { type: 'string', default: 'blurry' },
        scale: { type: 'number', exclusiveMinimum: 0, maximum: 30 },
        site: { type: 'string', format: 'uri' },
        code: { type: 'string', pattern: '^(?!x)' },
      },
    });
    const { page } = opened;
    await chooseInMenu(page, fieldMenu(page, '/input/negative'), 'Send empty');
    await until(opened, { negative: '' });
    assert.ok(await page.getByPlaceholder('more than 0, at most 30').isVisible());
    await page.getByRole('textbox', { name: 'site' }).fill('no address');
    await page.getByText('Expected: a full URL').waitFor();
    await page.getByText('The service checks one rule more').click();
    await page.getByText('Only the service checks the pattern ^(?!x)').waitFor();
    await page.screenshot({ path: 'out/journeys/sendEmpty.png' });
    await chooseInMenu(page, fieldMenu(page, '/input/negative'), 'Remove from request');
    await until(opened, { site: 'no address' });
  });

  it('sends the typed address of a file unchanged, with any scheme', async () => {
    const opened = await open({
      type: 'object',
      required: ['source'],
      properties: { source: { type: 'string', format: 'uri', description: 'An image to describe' } },
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Enter a URL or a file reference' }).click();
    const address = page.getByRole('textbox', { name: 'URL or media_ref' });
    for (const typed of [
      'data:image/png;base64,AAAA',
      's3://bucket/cat.png',
      'https://example.com/cat.png',
    ]) {
      await address.fill('');
      await address.pressSequentially(typed);
      await until(opened, { source: typed });
    }
  });

  it('folds the execution options, and names forbidden ones', async () => {
    const opened = await open({ type: 'object', properties: { text: { type: 'string' } } });
    const { page } = opened;
    await page.getByText('Execution options', { exact: true }).click();
    await page.getByText('must not be sent: resources').waitFor();
    await page.getByRole('textbox', { name: 'Options' }).fill('{"hardware_tier": "big"}');
    await page.keyboard.press('Control+Enter');
    await page.getByText('the published model release determines the hardware').first().waitFor();
    await page.getByRole('textbox', { name: 'Options' }).fill('{"priority": "low"}');
    await page.getByRole('textbox', { name: 'text' }).focus();
    await opened.untilSaid(() => same(opened.work()?.draft.options, { priority: 'low' }));
    assert.deepEqual(opened.work()?.draft.options, { priority: 'low' });
    await page.screenshot({ path: 'out/journeys/options.png' });
    await page.getByRole('textbox', { name: 'Options' }).fill('');
    await page.getByRole('textbox', { name: 'text' }).focus();
  });

  it('takes files for a model without a schema: attached, dropped, or named by the text', async () => {
    const opened = await open(true, {}, false);
    const { page } = opened;
    const area = page.getByRole('textbox', { name: 'Input', exact: true });
    await area.fill('{"image": ""}');
    await area.press('End');
    await area.press('ArrowLeft');
    await area.press('ArrowLeft');
    await page.getByRole('region', { name: 'Input' }).getByRole('button', { name: 'Attach File…' }).click();
    await until(opened, { image: MEDIA });
    await area.fill('{"list": []}');
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await area.press(key);
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.setData('application/vnd.code.uri-list', 'file:///photos/cat.png');
      return transfer;
    });
    await area.dispatchEvent('drop', { dataTransfer });
    await until(opened, { list: [MEDIA] });
    await area.fill('{"picture": "file:///photos/dog.png", "n": 1}');
    await page.getByText('A file is read and sent only once you attach it').waitFor();
    await page.screenshot({ path: 'out/journeys/unattached.png' });
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await until(opened, { picture: { media_ref: 'file:///photos/dog.png', filename: 'dog.png' }, n: 1 });
    await page.getByText('A file is read and sent only once').waitFor({ state: 'detached' });
  });

  it('says why no schema was looked for in a large response, and what to do, by keyboard too', async () => {
    const nothing = { schema: true, origin: 'unknown' as const };
    const model = modelOf(true, true, { input: nothing, params: nothing });
    const asked: unknown[] = [];
    const useAnotherSchema = (params: unknown) => void asked.push(params);
    const panel = await openPage(
      { ...model, tooLargeToRead: true },
      { responses: { ...responses, useAnotherSchema } },
    );
    await panel.page.getByText('too large to search for a schema').waitFor();
    await panel.page.getByText('no schema for parameters').waitFor();
    const choose = panel.page.getByRole('button', { name: 'Use Another Schema…' });
    assert.equal(await choose.count(), 1);
    await choose.press('Enter');
    await panel.untilSaid(() => asked.length > 0);
    assert.deepEqual(asked, [{ mode: 'execute' }]);
  });

  it('takes files in the JSON tab, at the caret', async () => {
    const opened = await open(true, {}, false);
    const { page } = opened;
    await page.getByRole('tab', { name: 'JSON' }).click();
    await editor(opened).fill('{"input": {"image": ""}}');
    await editor(opened).press('Control+Home');
    for (let step = 0; step < 21; step += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Attach File…' }).click();
    await until(opened, { image: MEDIA });
    await page.screenshot({ path: 'out/journeys/jsonAttach.png' });
  });
});
