import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { bodyPath, isPlainName, readBody, shownBodyPath } from '../../../src/experiments/files/bodies';
import { bodyName } from '../../../src/experiments/results/resultBody';
import { appendResults, readResultsFile } from '../../../src/experiments/results/resultsFile';

const SOURCE = path.resolve('src');

describe('The files of experiments and of the command line', () => {
  it('go to the disk through one module', async () => {
    const found: string[] = [];
    for (const room of ['cli', 'experiments'])
      for (const name of await readdir(path.join(SOURCE, room), { recursive: true })) {
        if (!name.endsWith('.ts') || name === path.join('files', 'door.ts')) continue;
        const text = await readFile(path.join(SOURCE, room, name), 'utf8');
        const calls =
          /\b(?:writeFile|appendFile|copyFile|cp|rename|createWriteStream|truncate|symlink|link)\b\s*\(/;
        if (calls.test(text) || /writeFile|copyFile|createWriteStream/.test(importsOf(text)))
          found.push(name);
      }
    assert.deepEqual(found, []);
  });

  it('get one plain name in the folder of the results, for any name in a line', () => {
    const results = path.resolve('/repository/try.results.jsonl');
    const folder = path.resolve('/repository/try.results');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(fc.constantFrom('..', '.', '/', '\\', 'a', ':', 'nul', '\0', '‮', ' '), { maxLength: 8 })
            .map((parts) => parts.join('')),
          fc.webPath(),
        ),
        (name) => {
          const place = bodyPath(results, name);
          if (place !== undefined) assert.equal(path.dirname(place), folder);
        },
      ),
    );
    assert.equal(bodyPath(results, 'old.results/a.png'), path.join(folder, 'a.png'));
  });

  it('get a name that can be read back', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('日', '😀', '.', '/', 'a') }),
    );
    fc.assert(
      fc.property(odd, fc.stringMatching(/^[0-9a-f]{24}-\d{1,3}$/), (item, id) => {
        const [folder, file, ...others] = bodyName('try.results', item, id, 'png').split('/');
        assert.deepEqual([folder, others.length], ['try.results', 0]);
        assert.ok(isPlainName(file!), file);
      }),
    );
  });

  describe('in a folder that a repository brought', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'model-bench-files-'));
    });
    afterEach(() => rm(folder, { recursive: true }));
    const file = () => path.join(folder, 'try.results.jsonl');

    it('stay unwritten when a row of the store leads elsewhere', async () => {
      const body = { name: 'x/../../home/.bashrc', bytes: Buffer.from('attack') };
      await appendResults(file(), [{ line: '{"custom_id":"a","state":"finished"}', files: [body] }]);
      assert.deepEqual(await readdir(folder), ['try.results.jsonl']);
      assert.equal((await readResultsFile(file())).results.length, 1);
    });

    it('stay unread, unshown and unreplaced when they are links', async function () {
      if (process.platform === 'win32') this.skip();
      await writeFile(path.join(folder, 'secret.png'), 'secret');
      const body = (name: string) => ({
        line: '{}',
        files: [{ name: `try.results/${name}`, bytes: Buffer.from('a') }],
      });
      await appendResults(file(), [body('a.png')]);
      assert.ok(shownBodyPath(file(), 'try.results/a.png'));
      assert.deepEqual(await readBody(file(), 'try.results/a.png', 10), Buffer.from('a'));
      assert.equal(await readBody(file(), 'try.results/a.png', 0), undefined, 'it is larger than asked for');
      await symlink(path.join(folder, 'secret.png'), path.join(folder, 'try.results', 'b.png'));
      assert.equal(shownBodyPath(file(), 'try.results/b.png'), undefined);
      assert.equal(await readBody(file(), 'try.results/b.png', 10), undefined);
      await assert.rejects(appendResults(file(), [body('b.png')]), /is not a file/);
      await rm(file());
      await symlink(path.join(folder, 'secret.png'), file());
      await assert.rejects(appendResults(file(), [{ line: '{}' }]), /is not a file/);
      assert.equal(await readFile(path.join(folder, 'secret.png'), 'utf8'), 'secret');
    });
  });
});

function importsOf(text: string): string {
  return [...text.matchAll(/import[^;]*from 'node:fs(?:\/promises)?'/g)].join('\n');
}
