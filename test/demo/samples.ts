import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleImages } from '../support/runtime/parts';

/** Emoji, by their short names: some that look alike, and some that do not. */
const indexed = [
  ...['cat', 'tiger', 'dog', 'fox_face', 'panda_face', 'frog', 'tropical_fish', 'octopus', 'butterfly'],
  ...['apple', 'green_apple', 'tangerine', 'lemon', 'banana', 'watermelon', 'grapes', 'strawberry', 'pizza'],
  ...['sunflower', 'rose', 'evergreen_tree', 'rainbow', 'ocean', 'volcano', 'city_sunset', 'rocket'],
] as const;

/** What is searched with: the same emoji as another vendor draws it, so that the right response is known. */
const queries: readonly Indexed[] = ['lemon', 'watermelon', 'rainbow'];

type Indexed = (typeof indexed)[number];

export const sampleFolder = 'samples';
export const queryFolder = 'queries';
export const sampleCount = indexed.length;
export const query = 'lemon.png';

/** Fills a workspace: `samples/` to be indexed, `queries/` to search with, a text to try models on. */
export async function prepareSamples(workspace: string): Promise<void> {
  const { google, twitter } = await sampleImages();
  const files = await imageFiles(google);
  const copy = async (from: string, folder: string, names: readonly string[]) => {
    await mkdir(path.join(workspace, folder), { recursive: true });
    for (const name of names) {
      const file = files.get(name);
      if (!file) throw new Error(`There is no emoji called ${name}.`);
      await copyFile(path.join(from, file), path.join(workspace, folder, `${name}.png`));
    }
  };
  await copy(google, sampleFolder, indexed);
  await copy(twitter, queryFolder, queries);
}

/** Short name → file name, from the list that comes with the images. */
async function imageFiles(vendorFolder: string): Promise<Map<string, string>> {
  const list = JSON.parse(await readFile(path.join(vendorFolder, '../../../emoji.json'), 'utf8')) as {
    short_name: string;
    image: string;
  }[];
  return new Map(list.map(({ short_name, image }) => [short_name, image]));
}
