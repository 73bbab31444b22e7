import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { usePanels } from './usePanels';

describe('Run files in Restricted Mode', () => {
  const read: string[] = [];
  const { readFile } = fs;
  before(() => {
    const noted = (...args: Parameters<typeof readFile>) => {
      read.push(String(args[0]));
      readFile(...args);
    };
    fs.readFile = noted as typeof readFile;
    syncBuiltinESMExports();
  });
  after(() => {
    fs.readFile = readFile;
    syncBuiltinESMExports();
  });
  const suite = usePanels({ isTrusted: false });

  it('reads no run file before the Test Explorer is opened', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'try.run.json');
    fs.writeFileSync(file, '{"model":"m","input":{},"expect":[{"status":200}]}');
    const readNames = () =>
      read.map((name) => path.basename(name)).filter((name) => name.endsWith('.run.json'));
    const tests = await panels.until(
      () => panels.window.controllers.get('modelBench.runFiles'),
      'the Test Explorer’s list',
    );
    assert.deepEqual([tests.items.size, readNames()], [0, []]);
    await tests.resolve();
    assert.equal(tests.items.size, 1);
    assert.deepEqual(readNames(), ['try.run.json']);
  });
});

describe('Run in Terminal in Restricted Mode', () => {
  const suite = usePanels({ isTrusted: false });

  it('asks for trust before there is a terminal', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    const panel = await panels.openRunPanel('Slow Echo');
    await panel.fill('Text', 'Hello');
    await panel.tab('Code').click();
    await panel.button('Run in Terminal').click();
    await panels.press(/after you have trusted this workspace/, 'Manage Workspace Trust');
    await panels.builtIn('workbench.trust.manage');
    assert.equal(panels.window.terminals.length, 0);
  });
});
