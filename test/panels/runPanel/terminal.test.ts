import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useService } from '../useService';

describe('Run in Terminal of the Code tab', () => {
  const suite = useService();
  const terminal = () => suite.panels.until(() => suite.panels.window.terminals.at(-1), 'A terminal');
  const shows = async (text: RegExp) => {
    const { panels } = suite;
    await panels.until(async () => text.test((await terminal()).text), `The terminal with ${text}`);
    return (await terminal()).text;
  };
  const key = () => JSON.parse([...suite.panels.kept.secrets.values()][0]!).apiKey as string;

  before('opens the code of a request', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel('Slow Echo');
    await panel.fill('Text', 'Hello from a terminal');
    await panel.fill('Seconds', '0.1');
    await panel.tab('Code').click();
  });

  for (const language of ['curl', 'JavaScript'])
    it(`sends the request by its ${language} code, with the key and without showing it`, async () => {
      const { panels } = suite;
      const panel = await panels.runPanel('Slow Echo');
      const before = panels.window.terminals.length;
      await panel.frame.getByLabel('Language').selectOption({ label: language });
      await panel.button('Run in Terminal').click();
      await panels.until(() => panels.window.terminals.length > before, 'The next terminal');
      const text = await shows(/Finished\. Press any key/);
      assert.match(text, /Hello from a terminal/);
      assert.ok(key().length > 8);
      const places = [
        text,
        ...panels.window.log,
        ...panels.window.opened,
        JSON.stringify(panels.kept.clipboard),
      ];
      for (const place of places) assert.ok(!place.includes(key()), place);
      assert.ok(!JSON.stringify([...panels.kept.global, ...panels.kept.workspace]).includes(key()));
    });

  it('runs no file of the workspace as a part of the code', async () => {
    const { panels } = suite;
    const trap = path.join(panels.workspace, 'trap');
    for (const name of ['requests.py', 'json.py', 'os.py'])
      await writeFile(path.join(panels.workspace, name), `open(${JSON.stringify(trap)}, "w")\n`);
    const panel = await panels.runPanel('Slow Echo');
    await panel.frame.getByLabel('Language').selectOption({ label: 'Python' });
    const before = panels.window.terminals.length;
    await panel.button('Run in Terminal').click();
    await panels.until(() => panels.window.terminals.length > before, 'The next terminal');
    await shows(/Press any key/);
    assert.equal(existsSync(trap), false);
  });

  it('closes the terminal by any key after the end', async () => {
    const open = await terminal();
    assert.equal(open.isOpen, true);
    open.type('x');
    assert.equal(open.isOpen, false);
  });

  it('ends the program by Ctrl+C', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Slow Echo');
    await panel.tab('Form').click();
    await panel.fill('Seconds', '60');
    await panel.tab('Code').click();
    await panel.frame.getByLabel('Language').selectOption({ label: 'curl' });
    const before = panels.window.terminals.length;
    await panel.button('Run in Terminal').click();
    await panels.until(() => panels.window.terminals.length > before, 'The next terminal');
    (await terminal()).type('\u0003');
    await shows(/Ended with status/);
  });

  it('asks for the key where there is none, and starts no program', async () => {
    const { panels } = suite;
    const before = panels.window.terminals.length;
    await panels.runCommand('Model Bench: Forget API Key…');
    (await panels.dialog()).pick('Forget Key');
    await panels.until(() => panels.kept.secrets.size === 0, 'No key');
    const panel = await panels.runPanel('Slow Echo');
    await panel.button('Run in Terminal').click();
    await panel.frame
      .getByText(/No API key is stored|There is no API key/)
      .first()
      .waitFor();
    assert.equal(panels.window.terminals.length, before);
  });
});
