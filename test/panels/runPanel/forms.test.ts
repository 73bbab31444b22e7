import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { JsonObject, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { fillForm, walk } from '../../support/forms/driveForm';
import { HARD } from '../../support/forms/hardSchemas';
import { root } from '../../support/paths';
import { modelOf, openRunPage } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

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

describe('The form on the page', () => {
  const open = usePages(openRunPage);

  for (const [name, schema] of [...published, ...hard]) {
    it(`shows and names every field of ${name}, and changes nothing by showing it`, async () => {
      const input = fillForm(schema, 1);
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
      const contract = { ...modelOf(schema), name };
      const draft = { model: contract.slug, mode: 'execute', input: input as JsonObject, params: {} };
      const panel = await open(contract, { width: 600, work: { draft, tab: 'form' } });
      const { page } = panel;
      await page.evaluate(axeSource);
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      const wanted = walk(formOf(schema, input, '/input'), 4)
        .filter((field) => !(field.kind === 'stringList' && field.mediaPointer !== undefined))
        .map((field) => field.pointer);
      assert.deepEqual(await missing(page, wanted), []);
      const unnamed = await page.evaluate(async () => {
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
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
      assert.deepEqual(panel.work()?.draft, draft);
    });
  }
});

/** Opens every closed group on the way to the wanted elements, and resolves to those still missing. */
async function missing(page: Page, wanted: readonly string[]): Promise<string[]> {
  return page.evaluate(async (pointers) => {
    for (;;) {
      const closed = [...document.querySelectorAll<HTMLDetailsElement>('.form details:not([open])')];
      const next = closed.filter(
        ({ dataset: { pointer } }) => pointer === undefined || pointers.includes(pointer),
      );
      if (next.length === 0) break;
      for (const group of next) group.open = true;
      // A toggle event, and the rendering it asks for.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    const places = [...document.querySelectorAll<HTMLElement>('[data-pointer]')];
    const shown = new Set(places.map((place) => place.dataset.pointer));
    return pointers.filter((pointer) => !shown.has(pointer));
  }, wanted);
}
