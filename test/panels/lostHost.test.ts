import assert from 'node:assert/strict';
import type { PageName } from '../../src/platform/pageHtml';
import { readyCall } from '../../src/protocol/channel';
import { violationsInEachTheme } from '../support/axe';
import { pageNames } from '../support/paths';
import { openWebviewPage, usePages } from '../support/webviewPage';

describe('A page whose extension host dies', () => {
  const openPage = usePages(openWebviewPage);

  for (const name of pageNames() as PageName[])
    it(`says so on the page ${name}, with a link that reloads the window, until the host answers`, async () => {
      let answer = () => undefined as unknown;
      const { page } = await openPage({
        name,
        ...(name === 'run' && { firstCall: readyCall }),
        hasClock: true,
        response: () => new Promise(() => undefined),
        pulse: () =>
          new Promise<void>((resolve) => {
            answer = resolve;
          }),
      });
      const alert = page.getByRole('alert').filter({ hasText: 'extension host does not respond' });
      await page.getByText('Loading').first().waitFor();
      assert.equal(await alert.count(), 0);
      await page.clock.runFor('30');
      await alert.waitFor();
      const link = alert.getByRole('link', { name: 'Reload Window' });
      assert.equal(await link.getAttribute('href'), 'command:workbench.action.reloadWindow');
      await page.screenshot({ path: `out/looks/lost-host-${name}.png` });
      assert.deepEqual(await violationsInEachTheme(page, '.lost-host'), []);
      answer();
      await alert.waitFor({ state: 'detached' });
    });
});
