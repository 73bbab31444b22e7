import type { Swatch } from './palette';

const NAMES: readonly (readonly [name: string, red: number, green: number, blue: number])[] = [
  ['black', 0, 0, 0],
  ['dark gray', 70, 70, 70],
  ['gray', 128, 128, 128],
  ['light gray', 200, 200, 200],
  ['white', 255, 255, 255],
  ['red', 220, 30, 30],
  ['dark red', 120, 15, 15],
  ['orange', 245, 140, 30],
  ['brown', 120, 75, 40],
  ['beige', 235, 215, 175],
  ['yellow', 245, 220, 50],
  ['olive', 115, 115, 35],
  ['green', 50, 165, 60],
  ['dark green', 20, 80, 35],
  ['light green', 150, 220, 140],
  ['teal', 30, 135, 135],
  ['turquoise', 90, 210, 205],
  ['light blue', 140, 195, 240],
  ['blue', 40, 90, 215],
  ['dark blue', 25, 35, 100],
  ['violet', 125, 60, 190],
  ['magenta', 205, 50, 160],
  ['pink', 250, 165, 190],
];

/** Colours as responses show them, with rounded shares. */
export const namedColours = (swatches: readonly Swatch[], decimals: number) =>
  swatches.map((swatch) => ({
    hex: hexOf(swatch),
    name: colourName(swatch),
    share: Number(swatch.share.toFixed(decimals)),
  }));

const hexOf = ({ red, green, blue }: Swatch) =>
  `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** The plain English name nearest to a colour. */
function colourName({ red, green, blue }: Swatch): string {
  let best = '';
  let distance = Number.POSITIVE_INFINITY;
  for (const [name, r, g, b] of NAMES) {
    // "Redmean": cheap, and nearer to the eye than plain distance in RGB.
    const mean = (red + r) / 2;
    const apart =
      (2 + mean / 256) * (red - r) ** 2 + 4 * (green - g) ** 2 + (2 + (255 - mean) / 256) * (blue - b) ** 2;
    if (apart < distance) {
      distance = apart;
      best = name;
    }
  }
  return best;
}
