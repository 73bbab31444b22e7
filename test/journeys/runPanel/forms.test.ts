import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { formOf } from '../../../src/contract/fields';
import type { JsonObject, JsonSchema } from '../../../src/contract/model';
import { toShown } from '../../../src/protocol/contract';
import { launchBrowser } from '../../support/browser';
import { root } from '../../support/paths';
import { modelOf, openRunPage, type RunPageHarness } from '../../support/runPage';
import { fillForm, walk } from '../../unit/contract/driveForm';
import { HARD } from '../../unit/contract/hardSchemas';

const tasks = path.join(root, 'node_modules/@huggingface/tasks/src/tasks');
const published = readdirSync(tasks)
  .map((task): [string, string] => [task, path.join(tasks, task, 'spec/input.json')])
  .filter(([, file]) => existsSync(file))
  .map(([task, file]): [string, JsonSchema] => [task, JSON.parse(readFileSync(file, 'utf8'))]);
const hard = Object.entries(HARD).filter(([, schema]) => typeof schema === 'object') as [
  string,
  JsonSchema,
][];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('The form on the page', function () {
  this.timeout(120_000);
  let browser: Browser;
  let panel: RunPageHarness;
  before(async () => {
    browser = await launchBrowser();
    panel = await openRunPage(browser, modelOf({ type: 'object' }), { width: 600 });
    await panel.page.evaluate(axeSource);
  });
  after(async () => {
    assert.deepEqual(panel.errors, []);
    await panel.close();
    await browser.close();
  });

  for (const [name, schema] of [...published, ...hard]) {
    it(`shows and names every field of ${name}, and changes nothing by showing it`, async () => {
      const { page } = panel;
      const input = fillForm(schema, 1);
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
      const contract = { ...modelOf(schema), name };
      const draft = { model: contract.slug, mode: 'execute', input: input as JsonObject, params: {} };
      const before = panel.said.length;
      await panel.tell('showContract', { contract: toShown(contract) });
      await panel.tell('replaceWork', { work: { draft, tab: 'form' }, files: [] });
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      const shown = new Set(
        await page
          .locator('[data-pointer]')
          .evaluateAll((places) => places.map((place) => (place as HTMLElement).dataset.pointer)),
      );
      const wanted = walk(formOf(schema, input, '/input'))
        .filter((field) => !(field.kind === 'stringList' && field.mediaPointer !== undefined))
        .map((field) => field.pointer);
      assert.deepEqual(
        wanted.filter((pointer) => !shown.has(pointer)),
        [],
      );
      const unnamed = await page.evaluate(async () => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        const { axe } = window as unknown as {
          axe: {
            run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
          };
        };
        const rules = ['label', 'select-name', 'button-name', 'duplicate-id-aria', 'aria-valid-attr-value'];
        const found = await axe.run({ runOnly: rules });
        return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
      });
      assert.deepEqual(unnamed, []);
      for (const { method, params } of panel.said.slice(before))
        if (method === 'edit') assert.deepEqual((params as { draft: unknown }).draft, draft);
    });
  }
});
