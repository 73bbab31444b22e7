import assert from 'node:assert/strict';
import type { JsonObject, JsonSchema } from '../../../src/domain/json';
import { attached, modelOf, openRunPage } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const medium: JsonSchema = {
  type: 'object',
  properties: { media_ref: { type: 'string' }, filename: { type: 'string' } },
  required: ['media_ref'],
};

/** A required field of each kind, without a valid value, and the control that has the focus after the refusal. */
const kinds: Readonly<Record<string, { schema: JsonSchema; value?: unknown; focus: string }>> = {
  'one line of text': { schema: { type: 'string', minLength: 1 }, focus: 'INPUT text' },
  'lines of text': { schema: { type: 'string', minLength: 1, maxLength: 5000 }, focus: 'TEXTAREA' },
  'a date': { schema: { type: 'string', format: 'date', pattern: '^2' }, value: 'soon', focus: 'INPUT text' },
  'a color': {
    schema: { type: 'string', format: 'color', pattern: '^#' },
    value: 'red',
    focus: 'INPUT text',
  },
  'a number': { schema: { type: 'number' }, focus: 'INPUT' },
  'a number with a slider': { schema: { type: 'integer', minimum: 1, maximum: 9 }, focus: 'INPUT' },
  'a check box': {
    schema: { type: 'boolean', not: { const: false } },
    value: false,
    focus: 'VSCODE-CHECKBOX',
  },
  'a list of options': { schema: { enum: ['a', 'b', 'c'] }, value: '', focus: 'SELECT' },
  'a medium': { schema: medium, focus: 'BUTTON drop-zone' },
  media: { schema: { type: 'array', items: medium, minItems: 1 }, value: [], focus: 'BUTTON drop-zone' },
  'media, some of them chosen': {
    schema: { type: 'array', items: medium, minItems: 2 },
    value: [{ media_ref: 'file:///tmp/a.png', filename: 'a.png' }],
    focus: 'BUTTON drop-zone',
  },
  strings: {
    schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
    value: [],
    focus: 'INPUT text',
  },
  'an empty list': {
    schema: { type: 'array', items: { type: 'number' }, minItems: 1 },
    value: [],
    focus: 'BUTTON Add Item',
  },
  'an item of a list': {
    schema: { type: 'array', items: { type: 'number' } },
    value: [1, 'x'],
    focus: 'INPUT',
  },
  'an item of a tuple': {
    schema: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      minItems: 2,
      items: false,
    },
    value: ['a', 'x'],
    focus: 'INPUT',
  },
  'a member of a group': {
    schema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
    value: { name: '' },
    focus: 'INPUT text',
  },
  'a map': {
    schema: { type: 'object', additionalProperties: { type: 'number' }, minProperties: 1 },
    value: {},
    focus: 'BUTTON Add Entry',
  },
  'a choice': {
    schema: {
      oneOf: [
        { title: 'Words', type: 'string', minLength: 3 },
        { title: 'Number', type: 'number' },
      ],
    },
    value: 'a',
    focus: 'INPUT text',
  },
  JSON: { schema: { not: { const: 5 } }, value: 5, focus: 'TEXTAREA' },
};

describe('The keyboard after a refused run', () => {
  const open = usePages(openRunPage);

  for (const [kind, { schema, value, focus }] of Object.entries(kinds)) {
    it(`goes to ${kind}: by key, by button and from the list of problems`, async () => {
      const contract = modelOf({ type: 'object', properties: { thing: schema }, required: ['thing'] });
      const draft = {
        ...{ model: contract.slug, mode: 'execute', params: {} },
        input: (value === undefined ? {} : { thing: value }) as JsonObject,
      };
      const files = [attached('file:///tmp/a.png')];
      const panel = await open(contract, { work: { draft, tab: 'form' }, files });
      const { page } = panel;
      const ways = [
        () => page.keyboard.press('Control+Enter'),
        () => page.getByRole('button', { name: 'Run', exact: true }).click(),
        () => page.locator('.error-summary .text-button').first().click(),
      ];
      for (const way of ways) {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await way();
        await page.waitForFunction(() => document.activeElement?.closest('[data-pointer]') !== null);
        const at = await page.evaluate(() => {
          const active = document.activeElement as HTMLElement;
          const isZone = active.classList.contains('drop-zone');
          const type = active instanceof HTMLInputElement ? active.type : '';
          const name = active.tagName === 'BUTTON' ? active.innerText.trim() : '';
          return [active.tagName, isZone ? 'drop-zone' : type || name].join(' ').trim();
        });
        assert.ok(at.startsWith(focus), at);
      }
      assert.equal(
        panel.said.some(({ method }) => method === 'run'),
        false,
      );
    });
  }

  it('puts typed text into the field', async () => {
    const contract = modelOf({
      type: 'object',
      properties: { text: { type: 'string', minLength: 1 } },
      required: ['text'],
    });
    const draft = { model: contract.slug, mode: 'execute', input: { text: '' }, params: {} };
    const panel = await open(contract, { work: { draft, tab: 'form' } });
    await panel.page.keyboard.press('Control+Enter');
    await panel.page.waitForFunction(() => document.activeElement?.matches('textarea[aria-invalid="true"]'));
    await panel.page.keyboard.type('I love it');
    await panel.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    assert.deepEqual(panel.work()?.draft.input, { text: 'I love it' });
  });
});
