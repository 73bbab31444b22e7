import * as fs from 'node:fs/promises';
import path from 'node:path';
import { corrupt, makePictures } from './pictures';

/** Pictures in a folder that takes a while to index. */
export const JOB_IMAGES = 96;

/** Folders for tests of index jobs: three large ones, and `pair`, `single` and `few`, one of whose six files is corrupt. */
export async function writeJobFolders(workspace: string): Promise<void> {
  const folder = (name: string) => path.join(workspace, name);
  await makePictures(folder('images'), JOB_IMAGES);
  await makePictures(folder('others'), JOB_IMAGES, 400);
  await makePictures(folder('killed'), JOB_IMAGES, 600);
  await makePictures(folder('pair'), 2);
  await makePictures(folder('single'), 1, 300);
  await makePictures(folder('few'), 6, 200);
  await corrupt(folder('few/set-2/picture-202.png'));
  await fs.mkdir(folder('notes'));
  for (const [name, text] of Object.entries({
    milk: 'Buy milk and bread on the way home.',
    bike: 'Repair the bicycle before the weekend.',
    train: 'The train leaves at seven in the morning.',
  }))
    await fs.writeFile(folder(`notes/${name}.txt`), text);
}
