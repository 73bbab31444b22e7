import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderFiles } from '../../../src/indexing/folderFiles';
import { pathId, placedId } from '../../../src/indexing/imageIds';
import { contentTypeOf } from '../../../src/intake/contentType';
import { fileBytes } from '../../../src/service/fileBytes';

const NAMES = [
  ...['a.png', 'b.PNG', 'c.jpeg', '_d-1.2.gif', 'ünï.png', 'é.png', 'e\u0301.webp', '東京.png', '🎉.png'],
  ...[
    'with space.png',
    '100%.png',
    '%20.png',
    'a#b.png',
    'a?b.png',
    "a'b.png",
    'a+b.png',
    '~.png',
    '(1).png',
  ],
  ...['png', '.png', 'noEnding', 'x.ts', 'video.m.ts', 'song.mp3', 'text.txt'],
];
const FOLDERS = ['', 'plain', 'plain/below', 'a folder/100%', 'é', 'z.png'];

describe('The files of a folder', () => {
  let root: string;
  before(async () => {
    root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'folder-')));
    for (const folder of FOLDERS) {
      await fs.mkdir(join(root, folder), { recursive: true });
      for (const name of NAMES) await fs.writeFile(join(root, folder, name), name);
    }
  });
  after(() => fs.rm(root, { recursive: true, force: true }));

  const list = (
    placeOf: (path: string) => { uri: string; imageId: string },
    accept: readonly string[] = [],
  ) =>
    folderFiles(root, {
      ...{ root, excluded: [], respectGitignore: false, accept, placeOf, open: fileBytes },
    });
  const uriOf = (path: string) => pathToFileURL(path).href;
  const inWorkspace = (path: string) => ({ uri: uriOf(path), imageId: pathId(relative(root, path)) });
  const pathsOf = (names: readonly string[]) =>
    FOLDERS.flatMap((folder) => names.map((name) => join(root, folder, name))).sort();

  it('get the same places as by themselves, in a workspace and outside', async () => {
    const outside = (path: string) => ({
      uri: uriOf(path),
      imageId: placedId(path.slice(path.lastIndexOf('/') + 1), uriOf(path)),
    });
    for (const placeOf of [inWorkspace, outside]) {
      const { files, problems } = await list(placeOf);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        files.map(({ uri, imageId, filename, contentType }) => ({ uri, imageId, filename, contentType })),
        pathsOf(NAMES).map((path) => {
          const filename = path.slice(path.lastIndexOf('/') + 1);
          return { ...placeOf(path), filename, contentType: contentTypeOf(filename) };
        }),
      );
    }
  });

  it('include the wanted types, with their content', async () => {
    const { files } = await list(inWorkspace, ['audio/*', 'image/webp']);
    assert.deepEqual(
      files.map(({ uri }) => uri),
      pathsOf(['song.mp3', 'e\u0301.webp']).map(uriOf),
    );
    for (const { filename, sizeBytes, open } of files) {
      const pieces: Uint8Array[] = [];
      for await (const piece of open()) pieces.push(Uint8Array.from(piece));
      const bytes = Buffer.concat(pieces);
      assert.deepEqual([bytes.toString(), bytes.length], [filename, sizeBytes]);
    }
  });
});
