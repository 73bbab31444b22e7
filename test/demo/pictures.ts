import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { root } from '../support/paths';

const folder = path.join(root, 'docs/images');
/** A reader has to find the change, and read it. */
const FRAME_MS = 2_200;

/** Makes the pictures of README.md: two steps, and all of them as an animation. */
export async function keepPictures(steps: readonly string[]): Promise<void> {
  const step = (named: RegExp) => {
    const found = steps.find((file) => named.test(file));
    if (found === undefined) throw new Error(`No step is called ${named}.`);
    return found;
  };
  await copyFile(step(/drop-an-image/), path.join(folder, 'run.png'));
  await copyFile(step(/search/), path.join(folder, 'search.png'));
  await writeFile(path.join(folder, 'tour.gif'), await animation(steps));
}

async function animation(files: readonly string[]): Promise<Uint8Array> {
  const gif = gifenc.GIFEncoder();
  for (const file of files) {
    const { width, height, data } = PNG.sync.read(await readFile(file));
    const palette = gifenc.quantize(data, 256);
    gif.writeFrame(gifenc.applyPalette(data, palette), width, height, { palette, delay: FRAME_MS });
  }
  gif.finish();
  return gif.bytes();
}
