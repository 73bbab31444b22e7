import { launchBrowser } from '../../test/support/browser';
import { modelOf, openRunPage } from '../../test/support/runPage';
import { type Measure, STEP_SECONDS, within } from '../measure';

/** “Did my click register?”: the run panel's page in Chromium, whose host does not respond. */
export const runPressed: Measure = {
  name: 'run-pressed',
  what: 'from the click on Run to the painted button, clock and step / to a bare button that says something else',
  goals: [
    { figure: 'heard', label: 'heard', unit: 'ms', atMost: 100 },
    { figure: 'plain', label: 'a bare button', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const browser = await launchBrowser();
    /** Milliseconds from the click's own time to the picture in which everything is there, by the page's clock. */
    const clicked = async (contract = modelOf({ type: 'object', properties: {} }), bare = false) => {
      const panel = await openRunPage(browser, contract, { responses: { run: () => new Promise(() => {}) } });
      await panel.page.evaluate((alone) => {
        if (alone) {
          const button = document.createElement('button');
          button.textContent = 'Run';
          document.body.replaceChildren(button);
          button.addEventListener('click', () => {
            button.textContent = 'Stop waiting';
          });
        }
        const isThere = () =>
          alone
            ? document.querySelector('button')?.textContent === 'Stop waiting'
            : ['button.run[aria-label="Stop waiting"]', '.timer', '.step'].every((place) =>
                document.querySelector(place),
              );
        const took = new Promise<number>((done) => {
          const look = (at: number) => {
            if (!isThere()) requestAnimationFrame(() => look(at));
            else requestAnimationFrame(() => setTimeout(() => done(performance.now() - at)));
          };
          window.addEventListener('click', ({ timeStamp }) => look(timeStamp), { once: true });
        });
        Object.assign(window, { took });
      }, bare);
      await panel.page.getByRole('button', { name: 'Run', exact: true }).click();
      const heard = panel.page.evaluate(() => (window as unknown as { took: Promise<number> }).took);
      const took = await within(STEP_SECONDS, 'the reaction to the click', heard);
      await panel.close();
      return took;
    };
    return {
      warmUp: 1,
      async pair() {
        const heard = await clicked();
        const plain = await clicked(undefined, true);
        return { heard, plain };
      },
      close: () => browser.close(),
    };
  },
};
