import type { Page } from 'playwright-core';
import { toShown } from '../../src/wording/shownContract';
import { launchBrowser } from '../../test/support/browser';
import { modelOf, openRunPage } from '../../test/support/runPage';
import { type Measure, STEP_SECONDS, within } from '../measure';

const FIELDS = 200;
const MANY = 836;

/** The run panel's page in Chromium, its host played by the bench. The figures are the page's own clock's. */
export const form: Measure = {
  name: 'form',
  what: `a schema of ${FIELDS} fields: from its message to its first paint, and from a keystroke to the page laid out anew; a keystroke also with the ${MANY} properties of the largest contract that was found`,
  goals: [
    { figure: 'paint', label: 'first paint', unit: 'ms', atMost: 100 },
    { figure: 'keystroke', label: 'one keystroke', unit: 'ms', atMost: 12 },
    { figure: 'many', label: `one keystroke of ${MANY} properties`, unit: 'ms', atMost: 16 },
    { figure: 'plain', label: 'as many bare inputs, painted', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const browser = await launchBrowser();
    return {
      warmUp: 1,
      async pair() {
        // A page of its own each time: a first paint is of fields that were never there.
        const panel = await openRunPage(browser, modelOf({ type: 'object', properties: {} }));
        const contract = toShown(modelOf(largeSchema()));
        const message: unknown = { kind: 'notify', method: 'showContract', params: { contract } };
        const painted = panel.page.evaluate(async (sent) => {
          const start = performance.now();
          window.postMessage(sent, '*');
          while (!document.body.textContent?.includes('Field 199'))
            await new Promise((done) => setTimeout(done));
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return performance.now() - start;
        }, message);
        const paint = await within(STEP_SECONDS, 'the first paint', painted);
        const keystroke = await timeKeystroke(panel.page);
        const plain = await panel.page.evaluate(async (count) => {
          const start = performance.now();
          const labels = Array.from({ length: count }, (_, n) => {
            const label = document.createElement('label');
            label.append(`Field ${n}`, document.createElement('input'));
            return label;
          });
          document.body.replaceChildren(...labels);
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return performance.now() - start;
        }, FIELDS);
        await panel.close();
        const large = await openRunPage(browser, modelOf(manyProperties()));
        const many = await timeKeystroke(large.page);
        await large.close();
        return { paint, keystroke, many, plain };
      },
      close: () => browser.close(),
    };
  },
};

/** From a key pressed in the first field to the page's new layout, by the page's own clock. */
async function timeKeystroke(page: Page): Promise<number> {
  await page.getByRole('textbox', { name: 'Field 0', exact: true }).first().focus();
  // In place before the key is pressed: an evaluation under way is no promise that it has begun.
  await page.evaluate(() => {
    const typed = new Promise<number>((done) => {
      const laidOut = (start: number) => {
        document.body.getBoundingClientRect();
        done(performance.now() - start);
      };
      const pressed = () => {
        const start = performance.now();
        window.addEventListener('input', () => setTimeout(laidOut, 0, start), { once: true });
      };
      window.addEventListener('keydown', pressed, { once: true, capture: true });
    });
    Object.assign(window, { typed });
  });
  await page.keyboard.press('x');
  const typed = page.evaluate(() => (window as unknown as { typed: Promise<number> }).typed);
  return within(STEP_SECONDS, 'the keystroke', typed);
}

/** As generators write large contracts: nearly all optional, with patterns, references and choices with null. */
function manyProperties() {
  const kinds = [
    { type: 'string' },
    { anyOf: [{ type: 'string', pattern: '^[a-z]+(?:-[a-z]+)*$' }, { type: 'null' }], default: null },
    { type: 'integer', minimum: 0 },
    { allOf: [{ $ref: '#/definitions/size' }], default: 'small' },
    { type: 'array', items: { type: 'string' } },
  ];
  const fields = Array.from({ length: MANY }, (_, n) => [
    `field_${n}`,
    { ...kinds[n % kinds.length], title: `Field ${n}`, description: `What field ${n} means.` },
  ]);
  const definitions = { size: { type: 'string', enum: ['small', 'large'] } };
  return { type: 'object', properties: Object.fromEntries(fields), required: ['field_0'], definitions };
}

/** All required: the form folds optional fields, which would not be painted. */
function largeSchema() {
  const kinds = [
    { type: 'string' },
    { type: 'number', minimum: 0, maximum: 10 },
    { type: 'boolean' },
    { type: 'integer' },
    { type: 'string', enum: ['a', 'b', 'c'] },
  ] as const;
  const fields = Array.from({ length: FIELDS }, (_, n) => {
    const kind = kinds[n % kinds.length]!;
    return [`field_${n}`, { ...kind, title: `Field ${n}`, description: `What field ${n} means.` }];
  });
  return { type: 'object', properties: Object.fromEntries(fields), required: fields.map(([name]) => name) };
}
