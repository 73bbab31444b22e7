import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { isInside, relativePath } from '../../../src/runFiles/paths';

const name = fc
  .oneof(
    fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'e\u0301', ' ', '.', '-', '日', '~'), minLength: 1 }),
    fc.constantFrom('..a', 'a..', '...', 'c', 'CON', 'run.json'),
  )
  // Windows drops dots and spaces at the end of a name.
  .filter((text) => !/[. ]$/.test(text));
const names = fc.array(name, { maxLength: 4 });

const systems = [
  { system: 'Windows, on a drive', on: win32, roots: ['C:\\', 'c:\\work', 'D:\\Bilder und so'] },
  { system: 'Windows, on a share', on: win32, roots: ['\\\\server\\share\\', '\\\\server\\share\\work'] },
  { system: 'a Unix', on: posix, roots: ['/', '/work', '/Users/ä b/work'] },
] as const;

for (const { system, on, roots } of systems)
  describe(`A path on ${system}`, () => {
    const root = fc.constantFrom(...roots);

    it('counts as inside every folder above it, even the top, and in none beside it', () => {
      fc.assert(
        fc.property(root, names, name, name, (top, folders, file, other) => {
          const folder = on.join(top, ...folders);
          assert.ok(isInside(on.join(folder, file), folder, on));
          assert.ok(isInside(on.join(folder, file), top, on));
          assert.ok(!isInside(folder, folder, on), 'a folder is not inside itself');
          assert.ok(!isInside(folder, on.join(folder, file), on));
          fc.pre(file.toLowerCase() !== other.toLowerCase());
          assert.ok(!isInside(on.join(folder, file, 'x'), on.join(folder, other), on));
          // A name that begins with the folder's name is a neighbour of it.
          assert.ok(!isInside(on.join(folder, `${file}-2`, 'x'), on.join(folder, file), on));
        }),
      );
    });

    it('between a run file and a medium leads back to the medium, with slashes', () => {
      fc.assert(
        fc.property(root, names, names, name, (top, from, to, file) => {
          const folder = on.join(top, ...from);
          const medium = on.join(top, ...to, file);
          // A medium is a file: the run file's folder is not in it.
          fc.pre(!isInside(on.join(folder, 'x.run.json'), medium, on));
          const path = relativePath(medium, folder, on);
          assert.ok(path !== undefined);
          assert.match(path, /^\.\.?\//);
          assert.ok(!path.includes('\\'));
          assert.equal(on.resolve(folder, path).toLowerCase(), medium.toLowerCase());
        }),
      );
    });
  });

describe('A path on Windows', () => {
  it('leads to no other drive and no other share', () => {
    for (const [path, folder] of [
      ['D:\\cat.png', 'C:\\work'],
      ['\\\\server\\share\\cat.png', 'C:\\work'],
      ['\\\\server\\other\\cat.png', '\\\\server\\share\\work'],
    ] as const) {
      assert.equal(relativePath(path, folder, win32), undefined, path);
      assert.ok(!isInside(path, folder, win32), path);
    }
  });
});
