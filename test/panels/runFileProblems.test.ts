import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usePanels } from './usePanels';

const right = JSON.stringify({ version: 1, model: 'm', input: {} });
const names = ['repaired.run.json', 'deleted.run.json', 'folder/moved.run.json'];

describe('Problems of run files that are not open', () => {
  const suite = usePanels({
    prepare: async (folder) => {
      await mkdir(path.join(folder, 'folder'));
      for (const name of names) await writeFile(path.join(folder, name), '{ "version": 1, "model": ');
    },
  });

  it('go when a file is repaired on the disk or deleted, or its folder is renamed', async () => {
    const { panels } = suite;
    const at = (name: string) => panels.uri(name).fsPath;
    const withProblems = () =>
      [...panels.window.diagnostics]
        .filter(([, problems]) => problems.length > 0)
        .map(([uri]) => uri.slice(`${panels.uri('').toString()}/`.length));
    panels.command('modelBench.checkRunFiles');
    await panels.notification('Checked 3 run files: 6 problems in 3 of them.');
    await panels.until(() => names.every((name) => withProblems().includes(name)), 'A problem of each file');
    await writeFile(at('repaired.run.json'), right);
    await rm(at('deleted.run.json'));
    await rename(at('folder'), at('renamed'));
    await panels.until(() => withProblems().length === 0, 'The end of all problems');
  });
});
