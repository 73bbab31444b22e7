import { decodeInTurn, drawSmall } from '../shared/thumbnail';

/** Of WebP, which keeps what is transparent: at the size of a thumbnail nobody sees the difference. */
const QUALITY = 0.75;

/**
 * A picture for a report, as a data URI. Undefined: it cannot be read.
 * @param side pixels that no side is longer than
 */
export function smallPicture(src: string, side: number): Promise<string | undefined> {
  return decodeInTurn(async () => {
    const picture = new Image();
    // What another origin has drawn on it, a canvas does not give back.
    picture.crossOrigin = 'anonymous';
    picture.src = src;
    try {
      await picture.decode();
      const canvas = document.createElement('canvas');
      drawSmall(canvas, picture, side);
      return canvas.toDataURL('image/webp', QUALITY);
    } catch {
      return undefined;
    }
  });
}
