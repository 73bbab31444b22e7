import { connect } from '../../test/support/connect';
import { startFaultProxy } from '../../test/support/faultProxy';
import { type Measure, timed } from '../measure';
import { timeUntil } from '../support/page';
import { openBenchWindow } from '../support/window';

const MODELS = 10_000;

/** The catalog's tree when its rows come back, next to a tree that is nothing but rows; and its filter. */
export const catalog: Measure = {
  name: 'catalog',
  what: `${MODELS} models listed: rows visible when the filter is cleared / a bare tree of ${MODELS} rows that is filled; filter keystroke`,
  goals: [
    { figure: 'ratio', label: 'rows visible', unit: '', atMost: 1.2 },
    { figure: 'ms', label: 'ours', unit: 'ms' },
    { figure: 'bare', label: 'the bare tree', unit: 'ms' },
    { figure: 'keystroke', label: 'filter keystroke to its rows', unit: 'ms', atMost: 50 },
  ],
  pairs: 15,
  async prepare() {
    // Without groups: every model is a row of the root, as in the bare tree.
    const models = Array.from({ length: MODELS }, (_, at) => {
      const slug = `filler-${String(at).padStart(5, '0')}`;
      return {
        slug,
        name: slug.replace('filler-', 'Filler '),
        description: 'One of very many.',
        tags: ['many'],
      };
    });
    const service = await startFaultProxy({
      behind: ({ path }) =>
        path.startsWith('/api/marketplace')
          ? { body: { models } }
          : { body: { balance: '5', currency: 'USD' } },
    });
    const vscode = await openBenchWindow();
    const { page } = vscode;
    await connect(vscode, { name: 'bench', baseUrl: service.url, apiKey: 'mb-bench' });
    await vscode.showModelBench();
    const ours = vscode.view('Catalog').getByRole('treeitem');
    await ours.first().waitFor({ timeout: 120_000 });
    const bare = page.locator('.part.sidebar').getByRole('treeitem', { name: /^Row / });
    const row = (name: string) => ours.filter({ hasText: name });
    // VS Code delays a view that changes again within 200 ms; earlier changes are no part of the measurement.
    const settle = () => page.waitForTimeout(400);
    const filtered = async (text: string) => {
      await page.keyboard.press('Control+Alt+5');
      await vscode.expectQuickInput();
      await vscode.quickInputBox.fill(text);
    };
    // Connecting shows the view once more when it has ended.
    await settle();
    return {
      warmUp: 2,
      async pair() {
        await page.keyboard.press('Control+Alt+7');
        await ours.first().waitFor({ state: 'detached' });
        await settle();
        const yardstick = await timed(async () => {
          await page.keyboard.press('Control+Alt+3');
          await bare.first().waitFor();
        });
        await page.keyboard.press('Control+Alt+3');
        await bare.first().waitFor({ state: 'detached' });
        await page.keyboard.press('Control+Alt+8');
        await ours.first().waitFor();
        // The view takes the focus a little after its rows are there, and would take it from the filter's box.
        await settle();
        await filtered('Filler 0999');
        await row('Filler 09990').waitFor();
        await settle();
        const keystroke = await timeUntil(
          page,
          { name: 'the filter’s keystroke', from: ['keydown'], until: [noRowSays('Filler 09990')] },
          () => page.keyboard.press('7'),
        );
        await vscode.quickInputBox.fill('there is no such model');
        await ours.first().waitFor({ state: 'detached' });
        await vscode.quickInputBox.press('Enter');
        await settle();
        const took = await timed(async () => {
          await page.keyboard.press('Control+Alt+4');
          await ours.first().waitFor();
        });
        return { ratio: took / yardstick, ms: took, bare: yardstick, keystroke };
      },
      async close() {
        await vscode[Symbol.asyncDispose]();
        await service.close();
      },
    };
  },
};

const noRowSays = (text: string) =>
  `![...document.querySelectorAll('.part.sidebar [role=treeitem]')].some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
