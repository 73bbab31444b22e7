import assert from 'node:assert/strict';
import { PathGlobs } from '../../../src/intake/globs';

describe('Many globs with braces', () => {
  it('stay within a common bound: globs beyond it are named, and the first ones match', () => {
    const globs = Array.from({ length: 200 }, (_, at) => `${at}${'{a,b}'.repeat(9)}${'x'.repeat(900)}*`);
    const { unusable, isUsedUp } = new PathGlobs(['photos/*.{png,jpg}', ...globs]);
    assert.equal(isUsedUp, false);
    assert.ok(unusable.length > 190 && unusable.length < 200, String(unusable.length));
    assert.ok(new PathGlobs(['photos/*.{png,jpg}', ...globs]).matches('photos/cat.jpg'));
  });
});

describe('A glob', () => {
  it('matches an ending in any case, and hidden files by their own paths only', () => {
    const globs = new PathGlobs(['photos/*.{png,jpg}', '.cache/a.png']);
    const paths = ['photos/IMG_1.JPG', 'photos/b.Png', 'photos/._b.png', '.cache/a.png', '.cache/b.png'];
    assert.deepEqual(
      paths.filter((path) => globs.matches(path)),
      ['photos/IMG_1.JPG', 'photos/b.Png', '.cache/a.png'],
    );
  });
});
