import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import jpeg from 'jpeg-js';
import { photographs } from '../support/runtime/parts';

export const sampleFolder = 'photographs';
export const queryFolder = 'queries';
export const sampleCount = 9;
/** The one of which the query is a part: the right response is known. */
export const wanted = 'acanthus-mollis.jpg';
export const query = 'flower.jpg';

/** Fills a workspace: `photographs/` to be indexed, `queries/` to search with. */
export async function prepareSamples(workspace: string): Promise<void> {
  const files = await photographs();
  const [samples, queries] = [path.join(workspace, sampleFolder), path.join(workspace, queryFolder)];
  await Promise.all([mkdir(samples, { recursive: true }), mkdir(queries, { recursive: true })]);
  for (const [name, file] of files) await copyFile(file, path.join(samples, `${name}.jpg`));
  await writeFile(path.join(queries, query), cropped(await readFile(path.join(samples, wanted))));
}

/** A photograph without its margins, so that no hash and no pixel of it is that of the whole. */
function cropped(bytes: Buffer): Buffer {
  const whole = jpeg.decode(bytes);
  const left = Math.floor(whole.width / 12);
  const top = Math.floor(whole.height / 12);
  const part = { width: whole.width - 2 * left, height: whole.height - 2 * top };
  const data = Buffer.alloc(part.width * part.height * 4);
  for (let y = 0; y < part.height; y += 1) {
    const start = ((y + top) * whole.width + left) * 4;
    data.set(whole.data.subarray(start, start + part.width * 4), y * part.width * 4);
  }
  return jpeg.encode({ ...part, data }, 85).data;
}
