import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { usePanels } from './usePanels';

describe('A sandbox that was killed', () => {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
  before(() => subscribe('child_process', note));
  after(() => unsubscribe('child_process', note));
  const sandboxes = () =>
    started.filter(({ spawnargs }) => spawnargs.some((text) => text.endsWith('sandbox.js')));
  const suite = usePanels();

  it('starts from the message of the run that did not reach it', async () => {
    const { panels } = suite;
    panels.command('modelBench.startSandbox');
    await panels.row('Catalog', /^Sentiment/);
    const panel = await panels.openRunPanel(/Sentiment/);
    await panel.fill('Text', 'What a lovely day.');
    const [sandbox] = sandboxes() as [ChildProcess];
    const ended = new Promise((resolve) => sandbox.once('exit', resolve));
    sandbox.kill('SIGKILL');
    await ended;
    await panel.button('Run').click();
    await panel.button('Start the Sandbox').click();
    await panels.until(() => sandboxes().length === 2, 'The second sandbox');
    // Begun once more, it is the same start.
    await panels.window.executeCommand('modelBench.startSandbox');
    await panel.run();
  });
});
