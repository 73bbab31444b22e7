import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';

/** Small PNGs, each of its own colours, `count` of them in sub-folders of a hundred. */
export async function makePictures(folder: string, count: number, from = 0): Promise<void> {
  for (let n = from; n < from + count; n++) {
    const path = join(folder, `set-${Math.floor(n / 100)}`, `picture-${n}.png`);
    if (n % 100 === 0 || n === from) await fs.mkdir(join(path, '..'), { recursive: true });
    await fs.writeFile(path, picture(n));
  }
}

function picture(seed: number): Buffer {
  const png = new PNG({ width: 16, height: 16 });
  for (let at = 0; at < png.data.length; at += 4) {
    const value = Math.imul(seed * 997 + at, 2654435761) >>> 0;
    png.data.set([value & 255, (value >> 8) & 255, (seed * 7) & 255, 255], at);
  }
  return PNG.sync.write(png);
}

/** Overwrites a picture's content so that no decoder reads it; its name and place stay. */
export async function corrupt(file: string): Promise<void> {
  // It begins as a picture does, so that the service is the one that rejects it.
  await fs.writeFile(
    file,
    Buffer.from('\x89PNG\r\n\x1a\nthis is no picture, whatever its name says', 'latin1'),
  );
}
