import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { folderFiles } from '../../src/indexing/folderFiles';
import { planIndexing } from '../../src/indexing/plan';
import { fileBytes } from '../../src/service/fileBytes';
import { openStore } from '../../src/store/store';
import { makePictures } from '../../test/support/pictures';
import { type Measure, timed } from '../measure';

const FILES = 10_000;
const dataset = { baseUrl: 'http://127.0.0.1:1', model: 'image-similarity', scope: 'playground' };

/** Finding that nothing changed, next to a `find` that looks at the same of each file. */
export const secondPass: Measure = {
  name: 'second-pass',
  what: `walk and plan ${FILES} unchanged files, with the store open / find with size and time of the same`,
  goals: [{ figure: 'ratio', label: 'time', unit: '', atMost: 2.5 }],
  pairs: 15,
  async prepare({ folder }) {
    if (process.platform === 'win32') throw new Error('This measure needs the find of a Unix.');
    const pictures = path.join(folder, 'pictures');
    await makePictures(pictures, FILES);
    const store = await openStore(path.join(folder, 'store'));
    const at = Date.now();
    await store.datasets.record(
      (await filesIn(pictures)).map(({ imageId, uri, sizeBytes, modifiedMs }) => ({
        ...dataset,
        ...{ imageId, file: uri, sha256: '0'.repeat(64), sizeBytes, modifiedMs, at, outcome: 'indexed' },
      })),
    );
    const find = promisify(execFile);
    return {
      warmUp: 2,
      async pair() {
        const yardstick = await timed(async () => {
          const args = [pictures, '-type', 'f', '-printf', '%p %s %T@\\n'];
          const { stdout } = await find('find', args, { maxBuffer: 2 ** 26 });
          if (stdout.split('\n').length !== FILES + 1) throw new Error('find found other files.');
        });
        const ours = await timed(async () => {
          const plan = await planIndexing(dataset, await filesIn(pictures), [], store.datasets);
          if (plan.unchanged.length !== FILES) throw new Error(`${plan.unchanged.length} are unchanged.`);
        });
        return { ratio: ours / yardstick };
      },
      close: () => store.close(),
    };
  },
};

/** As the extension lists a folder, but for VS Code's own words for a URI. */
async function filesIn(folder: string) {
  const { files } = await folderFiles(folder, {
    root: folder,
    excluded: ['**/.git'],
    respectGitignore: true,
    accept: ['image/*'],
    filePlace: (file) => ({ uri: pathToFileURL(file).href, imageId: file.slice(folder.length + 1) }),
    open: fileBytes,
  });
  return files;
}
