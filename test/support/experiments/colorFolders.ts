import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PNG } from 'pngjs';

const COLORS = { red: [200, 40, 40], green: [40, 160, 60], blue: [40, 60, 200] } as const;
const EACH = 6;

/** A picture near the color of its folder; of each folder, the last looks like one of the next. */
function picture([r, g, b]: readonly [number, number, number], n: number): Buffer {
  const png = new PNG({ width: 32, height: 32 });
  for (let at = 0; at < png.data.length; at += 4) {
    const isStripe = (at / 4) % 32 < 4 * n;
    png.data.set([r + (isStripe ? 9 * n : 0), g + 7 * n, b + (at >> 10) * n, 255], at);
  }
  return PNG.sync.write(png);
}

/** Writes 18 pictures into three folders, whose names are their labels. */
export async function writeColorFolders(folder: string): Promise<void> {
  for (const [label, color] of Object.entries(COLORS)) {
    await mkdir(path.join(folder, label), { recursive: true });
    const [r, g, b] = color;
    for (let n = 0; n < EACH; n++) {
      const own: readonly [number, number, number] = n === EACH - 1 ? [g, b, r] : color;
      await writeFile(path.join(folder, label, `${label}${n}.png`), picture(own, n));
    }
  }
}
