import { namedColours } from '../imaging/colourName';
import { paletteOf, type Swatch } from '../imaging/palette';
import { resizeOverWhite } from '../imaging/resize';
import { example, perRun, type RunContext, singleMode } from './model';
import { IMAGE_INPUT, readImage } from './readMedia';
import { boolean, integer, paramsSchema } from './schema';

/** Images are scaled to this square first. */
const SIDE = 96;

export const colourPalette = singleMode(
  {
    slug: 'color-palette',
    name: 'Color Palette',
    description:
      'Finds the main colors of an image: their values, names and shares, and draws them as a strip.',
    category: 'Image',
    tags: ['image', 'color'],
    version: '1.1.0',
  },
  {
    title: 'Find colors',
    description: 'Find the main colors of one image.',
    price: perRun(2_000),
    inputSchema: IMAGE_INPUT,
    paramsSchema: paramsSchema({
      colors: integer('Colors', {
        description: 'Maximum number of colors.',
        minimum: 2,
        maximum: 12,
        default: 5,
      }),
      swatch: boolean('Draw a strip', { default: true }),
    }),
    examples: [
      example('A sunset', { image: { media_ref: 'sample_sunset' } }, { colors: 5 }),
      example('A meadow', { image: { media_ref: 'sample_meadow' } }, { colors: 3 }),
    ],
    run: findColours,
  },
);

async function findColours(context: RunContext) {
  const image = await readImage(context);
  const count = (context.params.colors as number | undefined) ?? 5;
  const swatches = paletteOf(resizeOverWhite(image, SIDE, SIDE), count);
  return {
    palette: namedColours(swatches, 4),
    ...(context.params.swatch !== false && { swatch: await strip(swatches) }),
  };
}

/** The colours side by side, as wide as their shares: a PNG as a data URI. */
async function strip(swatches: readonly Swatch[]): Promise<string> {
  const { PNG } = await import('pngjs');
  const [width, height] = [320, 40];
  const png = new PNG({ width, height });
  let left = 0;
  for (const { red, green, blue, share } of swatches) {
    const right = Math.min(width, Math.round(left + share * width));
    for (let x = left; x < right; x++) {
      for (let y = 0; y < height; y++) png.data.set([red, green, blue, 255], (y * width + x) * 4);
    }
    left = right;
  }
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`;
}
