import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { JsonSchema } from '../../../src/domain/json';
import { formShowcase } from '../../../src/sandbox/models/formShowcase';
import { eventually } from '../../support/eventually';
import { chooseInHead } from '../../support/pageMenu';
import { modelOf, openRunPage, type RunPageOptions } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const showcase = formShowcase.modes.execute!;
const everything = showcase.examples![1]!;

describe('The form of the run panel', () => {
  const openPage = usePages(openRunPage);
  const open = (input: JsonSchema, options: RunPageOptions = {}, params?: JsonSchema) =>
    openPage(modelOf(input, params), options);
  /** Waits until the field of the text has a value. */
  const textBecomes = (page: Page, wanted: string) =>
    page.waitForFunction(
      (value) =>
        document.querySelector<HTMLTextAreaElement>('[data-pointer="/input/text"] :is(input, textarea)')
          ?.value === value,
      wanted,
    );

  it('runs by Ctrl+Enter with any focus, even without one', async () => {
    const opened = await open({ type: 'object', properties: { text: { type: 'string' } } });
    await opened.page.getByText('Run the model to see its result here.').click();
    await opened.page.keyboard.press('Control+Enter');
    await opened.untilRun();
  });

  it('shows the values that an example sets, including those of folded fields', async () => {
    const opened = await open(
      showcase.inputSchema as JsonSchema,
      { work: workOf(everything) },
      showcase.paramsSchema as JsonSchema,
    );
    const { page } = opened;
    for (const name of ['Color', 'Name', 'x', 'y', 'radius', 'width', 'Seed'])
      assert.equal(await page.getByLabel(name, { exact: true }).first().isVisible(), name !== 'radius', name);
    // Emptied again, a group that one is in does not close.
    const link = page.getByRole('textbox', { name: 'Link' });
    await link.fill('');
    assert.equal(await link.isVisible(), true);
  });

  it('names a problem at its place, without losing a click on Run, counts it, and leads to it', async () => {
    const opened = await open({
      type: 'object',
      properties: {
        a: { type: 'string', title: 'First', minLength: 3 },
        b: { type: 'integer', title: 'Second' },
      },
      required: ['a', 'b'],
    });
    const { page } = opened;
    await page.getByRole('textbox', { name: 'First' }).fill('x');
    assert.equal(await page.getByText('Enter at least 3 characters.').count(), 0);
    await page.keyboard.press('Tab');
    await page.getByText('Enter at least 3 characters.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('group', { name: 'Problems' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[data-pointer="/input/a"]'));
    await page.getByRole('button', { name: '2 problems' }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('[data-pointer="/input/b"]'));
  });

  it('follows if/then/else and dependentRequired as one types', async () => {
    const { page } = await open({
      type: 'object',
      properties: {
        kind: { enum: ['parcel', 'letter'], title: 'Kind' },
        street: { type: 'string', title: 'Street' },
        city: { type: 'string', title: 'City' },
      },
      dependentRequired: { street: ['city'] },
      if: { properties: { kind: { const: 'parcel' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { weight: { type: 'number', title: 'Weight' } }, required: ['weight'] },
      else: { properties: { stamp: { type: 'string', title: 'Stamp' } } },
    });
    const city = page.locator('[data-pointer="/input/city"]');
    await page.getByRole('textbox', { name: 'Stamp' }).waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'parcel' });
    await page.getByRole('textbox', { name: 'Weight' }).waitFor();
    await page.getByRole('textbox', { name: 'Stamp' }).waitFor({ state: 'detached' });
    assert.equal(await city.getByTitle('Required').count(), 0);
    await page.getByRole('textbox', { name: 'Street' }).fill('High Street');
    await city.getByTitle('Required').waitFor();
    await page.getByRole('textbox', { name: 'Street' }).fill('');
    await city.getByTitle('Required').waitFor({ state: 'detached' });
  });

  it('touches nothing of a form of 200 fields but the field that is typed in', async () => {
    const options = Array.from({ length: 500 }, (_, at) => `option ${at}`);
    const kinds: JsonSchema[] = [
      { type: 'string' },
      { type: 'number', minimum: 0, maximum: 10 },
      { enum: options },
      { type: 'array', items: { type: 'string' } },
      { type: 'string', title: 'A title that goes on and on, '.repeat(6) },
    ];
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`field_${at}`, kinds[at % kinds.length]!]),
    );
    const { page } = await open({ type: 'object', properties });
    // The reader of Markdown descriptions has been loaded.
    await page.locator('.markdown strong', { hasText: 'trying' }).waitFor({ state: 'attached' });
    const changed = await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>('.form input[type=text]')!;
      const places = new Set<string | undefined>();
      const note = (mutations: MutationRecord[]) => {
        for (const { target } of mutations) {
          const element = target instanceof Element ? target : target.parentElement;
          places.add(element?.closest<HTMLElement>('[data-pointer]')?.dataset.pointer);
        }
      };
      const watched = new MutationObserver(note);
      const form = document.querySelector('.form')!;
      watched.observe(form, { subtree: true, childList: true, attributes: true, characterData: true });
      for (let length = 1; length <= 10; length += 1) {
        field.value = 'x'.repeat(length);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
      note(watched.takeRecords());
      return [...places];
    });
    assert.deepEqual(
      changed.filter((pointer) => pointer !== '/input/field_0'),
      [],
    );
  });

  it('overwrites nothing that was typed without a way back', async () => {
    const text: JsonSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const examples = ['One', 'Two'].map((title) => ({ title, input: { text: title }, params: {} }));
    const panel = await openPage(modelOf(text, undefined, { examples }));
    const { page } = panel;
    const field = page.getByRole('textbox', { name: 'text' });
    const undo = page.getByRole('button', { name: 'Undo' });
    await field.fill('Mine');
    await page.getByRole('button', { name: 'Examples and More' }).press('Enter');
    await page.keyboard.press('ArrowDown');
    await textBecomes(page, 'Mine');
    await page.keyboard.press('Enter');
    await textBecomes(page, 'Two');
    await page.keyboard.press('ControlOrMeta+z');
    await textBecomes(page, 'Mine');
    await chooseInHead(page, 'One');
    await textBecomes(page, 'One');
    await field.fill('One, changed');
    await undo.click();
    await textBecomes(page, 'Mine');
    await undo.click();
    await textBecomes(page, 'One, changed');
    await chooseInHead(page, 'Reset Form');
    await textBecomes(page, '');
    await undo.click();
    await textBecomes(page, 'One, changed');
    // The host hears of edits ten times a second.
    await eventually(() => assert.equal(panel.work()?.draft.input.text, 'One, changed'));
  });

  it('shows the picture that an example brings as data, and fetches none from an address', async () => {
    const image: JsonSchema = { type: 'object', properties: { image: { type: 'string' } } };
    const data =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const inputs = [{ image: data }, { image: 'https://pictures.test/a.png' }];
    const examples = inputs.map((input) => ({ input, params: {} }));
    const { page } = await openPage(modelOf(image, undefined, { examples }));
    const cards = page.locator('.examples .card');
    assert.deepEqual(
      await cards.evaluateAll((all) => all.map((card) => card.querySelector('img')?.src ?? '')),
      [data, ''],
    );
    assert.match(await cards.first().innerText(), /Example 1\s+image\/png/);
  });

  it('offers no undo for an empty form', async () => {
    const text: JsonSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const examples = [{ title: 'One', input: { text: 'One' }, params: {} }];
    const panel = await openPage(modelOf(text, undefined, { examples }));
    const { page } = panel;
    await chooseInHead(page, 'One');
    await textBecomes(page, 'One');
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  });

  it('shows the focused element, at 200 % in a window of 1280 × 800 pixels', async () => {
    const { page } = await open(
      showcase.inputSchema as JsonSchema,
      { width: 640, height: 400, work: workOf(everything) },
      showcase.paramsSchema as JsonSchema,
    );
    await page.getByRole('heading', { level: 1 }).click();
    const seen = new Set<string>();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let steps = 0; steps < 300; steps++) {
        await page.keyboard.press(key);
        const [name, hidden] = await page.evaluate(focusedAndHidden);
        if (name === '') break;
        seen.add(name);
        assert.equal(hidden, '', `${name} after ${key}`);
      }
    assert.ok(seen.size > 40, `${seen.size} places`);
  });

  for (const width of [300, 700, 3440])
    it(`fits ${width} px, and nothing scrolls sideways`, async () => {
      const { page } = await open(
        showcase.inputSchema as JsonSchema,
        { width, work: workOf(everything) },
        showcase.paramsSchema as JsonSchema,
      );
      for (const tab of ['JSON', 'Code', 'Form']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(over, 0, tab);
      }
    });
});

function workOf({ input, params }: { input: unknown; params: unknown }) {
  const draft = { model: 'try-me', mode: 'execute', input, params };
  return { tab: 'form', draft } as NonNullable<RunPageOptions['work']>;
}

/** The focused element in a page, and the element over the middle of its visible part. */
function focusedAndHidden(): [name: string, hidden: string] {
  const at = document.activeElement;
  if (at === null || at === document.body) return ['', ''];
  const { left, width, top, bottom } = at.getBoundingClientRect();
  const name = `${at.tagName} ${at.id} ${(at.getAttribute('aria-label') ?? at.textContent ?? '').trim().slice(0, 40)}`;
  // Of an element taller than the window, its visible part.
  const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const over = document.elementFromPoint(left + width / 2, middle);
  const isShown = over !== null && (at.contains(over) || over.contains(at));
  return [name, isShown ? '' : (over?.outerHTML.slice(0, 200) ?? 'outside of the window')];
}
