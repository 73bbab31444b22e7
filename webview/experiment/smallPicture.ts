import { loaded } from '../shared/picture';
import { decodeInTurn, drawSmall } from '../shared/thumbnail';

/** Of WebP, which keeps transparency: at the size of a thumbnail the difference cannot be seen. */
const QUALITY = 0.75;
/** Steps for a detailed picture whose thumbnail is too long: worse first, then smaller. */
const WORSE = 0.5;
const SMALLER = [1, 0.75, 0.56, 0.42, 0.3];

/**
 * A picture for a report, as a data URI. Undefined: it cannot be read, or drawn as small as that.
 * @param side pixels that no side is longer than
 * @param most characters
 */
export function smallPicture(src: string, side: number, most: number): Promise<string | undefined> {
  return decodeInTurn(async () => {
    try {
      const picture = await loaded(src);
      const canvas = document.createElement('canvas');
      await drawSmall(canvas, picture, side);
      for (const scale of SMALLER) {
        const smaller = scaled(canvas, scale);
        for (const quality of [QUALITY, WORSE]) {
          const drawn = smaller.toDataURL('image/webp', quality);
          if (drawn.length <= most) return drawn;
        }
      }
      return undefined;
    } catch {
      return undefined;
    }
  });
}

/** From the drawn copy: drawing a large photograph small takes long. */
function scaled(canvas: HTMLCanvasElement, scale: number): HTMLCanvasElement {
  if (scale === 1) return canvas;
  const smaller = document.createElement('canvas');
  smaller.width = Math.max(1, Math.round(scale * canvas.width));
  smaller.height = Math.max(1, Math.round(scale * canvas.height));
  smaller.getContext('2d')?.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}
