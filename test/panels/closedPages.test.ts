import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readyCall } from '../../src/protocol/channel';
import type { Panels } from '../support/panels/panels';
import { useService } from './useService';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const pages: Readonly<Record<string, (panels: Panels) => void>> = {
  'run panel': (panels) => panels.command('modelBench.runModel', { model: 'sentiment' }),
  'search page': (panels) =>
    panels.command('modelBench.searchScope', { model: 'text-similarity', scope: 'notes' }),
  'page of usage and billing': (panels) => panels.command('modelBench.showUsage'),
  'table of an experiment': (panels) => panels.openFile('try.experiment.json'),
};

describe('The extension, after a page is closed', () => {
  const suite = useService({
    prepare: (workspace) =>
      writeFileSync(
        path.join(workspace, 'try.experiment.json'),
        JSON.stringify({ run: { model: 'sentiment', input: {} }, vary: { '/input/text': ['a', 'b'] } }),
      ),
  });

  // First: the code of the table is loaded once.
  it('shows no error for a table that is closed while its code loads', async () => {
    const { window } = suite.panels;
    const opening = window.openFile(suite.panels.uri('try.experiment.json'));
    const panel = await suite.panels.until(() => window.panels.at(-1), 'The panel');
    panel.dispose();
    await opening;
  });

  /** Opens a panel, which gives its page the first state, and closes it. No browser shows it: that would keep it. */
  async function closedPanel(open: (panels: Panels) => void): Promise<WeakRef<object>> {
    const { panels } = suite;
    open(panels);
    const panel = await panels.until(
      () => panels.window.panels.find(({ webview }) => webview.html !== ''),
      'The panel',
    );
    const responded = new Promise<void>((resolve) => {
      void panel.webview.connect(async (message) => {
        // The page of usage has other first calls, so this one is an error there.
        if (/^(?:response|error)$/.test((message as { kind: string }).kind)) resolve();
      });
    });
    panel.receive(readyCall);
    await responded;
    panel.dispose();
    return new WeakRef(panel);
  }

  for (const [name, open] of Object.entries(pages))
    it(`keeps no listener or timer of the ${name}`, async () => {
      const closed = await closedPanel(open);
      await suite.panels.until(() => {
        collectGarbage();
        return closed.deref() === undefined;
      }, `The end of the ${name}`);
    });
});
