import assert from 'node:assert/strict';
import { done, modelOf, openRunPage } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const model = modelOf({
  type: 'object',
  properties: {
    picture: { type: 'string', format: 'uri', contentMediaType: 'image/png', title: 'Picture' },
    name: { type: 'string', minLength: 1, title: 'Name' },
    story: { type: 'string', maxLength: 10_000, title: 'Story' },
  },
  required: ['picture', 'name'],
});

const running = {
  state: 'running',
  elapsedMs: 300,
  environment: 'Test',
  stopping: false,
  step: { step: 'running' },
} as const;

describe('The run panel, while its user looks elsewhere', () => {
  const open = usePages(openRunPage);

  it('says nothing of a field that was left for a dialog, until it is left in the page', async () => {
    const panel = await open(model);
    const { page } = panel;
    const leave = (isLeft: boolean) =>
      page.evaluate((left) => {
        document.hasFocus = () => !left;
        window.dispatchEvent(new Event(left ? 'blur' : 'focus'));
      }, isLeft);
    const problem = page.locator('[data-pointer="/input/name"] [aria-invalid="true"]');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('a');
    await name.fill('');
    await leave(true);
    await name.blur();
    await panel.notify('showFacts', {
      estimate: { short: 'about $0.02', text: 'Estimate: about $0.02, from your last run' },
    });
    await page.getByText('about $0.02').waitFor();
    assert.equal(await problem.count(), 0);
    await leave(false);
    await name.focus();
    assert.equal(await problem.count(), 0);
    await name.blur();
    await problem.first().waitFor();
  });

  it('keeps the estimate in sight before, while and after it runs', async () => {
    const panel = await open(model);
    const { page } = panel;
    await panel.notify('showFacts', {
      estimate: { short: 'about $0.02', text: 'Estimate: about $0.02, from your last run' },
    });
    const estimate = page.getByText('about $0.02');
    await estimate.waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('a name');
    await panel.showRun(running);
    await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
    assert.ok(await estimate.isVisible());
    await panel.showRun(done({}), { text: 'over' });
    await page.getByRole('region', { name: 'Result' }).getByText('Finished in').first().waitFor();
    assert.ok(await estimate.isVisible());
  });

  it('scrolls a result below the form into view, and leaves the focus in place', async () => {
    const panel = await open(model, { width: 400, height: 250 });
    const { page } = panel;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('a name');
    const title = page.locator('.result h2');
    const isInSight = () =>
      title.evaluate((at) => {
        const { top, bottom } = at.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
    assert.equal(await isInSight(), false);
    await panel.showRun(running);
    await panel.showRun(done({}), { text: 'over' });
    await page.getByRole('region', { name: 'Result' }).getByText('Finished in').first().waitFor();
    assert.equal(await isInSight(), true);
    assert.ok(await name.evaluate((at) => at === document.activeElement));
  });
});
