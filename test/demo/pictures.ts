import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import gifenc from 'gifenc';
import type { BrowserContext } from 'playwright-core';
import { PNG } from 'pngjs';
import { root } from '../support/paths';

const folder = path.join(root, 'docs/images');
/** A reader has to find the change, and read it. */
const FRAME_MS = 2_200;

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SIDE_BAR: Clip = { x: 4, y: 36, width: 700, height: 520 };
const EDITOR: Clip = { x: 352, y: 36, width: 924, height: 686 };

/** Of each step of the walkthrough: the step of the demo that shows it, and which part of the window. */
const WALKTHROUGH: Readonly<Record<string, { readonly step: RegExp; readonly clip: Clip }>> = {
  connect: { step: /browse-the-catalog/, clip: SIDE_BAR },
  run: { step: /drop-an-image/, clip: EDITOR },
  'index-images': { step: /see-what-was-indexed/, clip: { ...SIDE_BAR, y: 306 } },
  search: { step: /search-it/, clip: EDITOR },
  experiment: { step: /compare-on-many/, clip: EDITOR },
  cost: { step: /read-the-wallet/, clip: EDITOR },
};
/** They are in the package: as small as can be recognized. */
const WALKTHROUGH_WIDTH = 440;
const WALKTHROUGH_QUALITY = 0.4;

/**
 * Makes the pictures of README.md (two steps, and all of them as an animation) and of the walkthrough.
 *
 * @param browser encodes them: Node.js knows no WebP
 */
export async function keepPictures(steps: readonly string[], browser: BrowserContext): Promise<void> {
  const step = (named: RegExp) => {
    const found = steps.find((file) => named.test(file));
    if (found === undefined) throw new Error(`No step is called ${named}.`);
    return found;
  };
  await copyFile(step(/drop-an-image/), path.join(folder, 'run.png'));
  await copyFile(step(/search/), path.join(folder, 'search.png'));
  await writeFile(path.join(folder, 'tour.gif'), await animation(steps));
  for (const [name, { step: named, clip }] of Object.entries(WALKTHROUGH)) {
    const file = path.join(root, 'media/walkthrough', `${name}.webp`);
    await writeFile(file, await smallPicture(await readFile(step(named)), clip, browser));
  }
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

async function smallPicture(png: Buffer, clip: Clip, browser: BrowserContext): Promise<Uint8Array> {
  const page = await browser.newPage();
  const encoded = await page.evaluate(
    async ({ data, x, y, width, height, toWidth, quality }) => {
      const blob = await (await fetch(data)).blob();
      const size = { resizeWidth: toWidth, resizeQuality: 'high' as const };
      const picture = await createImageBitmap(blob, x, y, width, height, size);
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d')!.drawImage(picture, 0, 0);
      const webp = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await webp.arrayBuffer())];
    },
    {
      ...clip,
      data: `data:image/png;base64,${png.toString('base64')}`,
      toWidth: WALKTHROUGH_WIDTH,
      quality: WALKTHROUGH_QUALITY,
    },
  );
  await page.close();
  return new Uint8Array(encoded);
}
