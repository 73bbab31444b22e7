import { colourName } from '../imaging/colourName';
import { hexOf, paletteOf, type Swatch } from '../imaging/palette';
import { resizeOverWhite } from '../imaging/resize';
import { mediaSchema, objectSchema, type RunContext, type SandboxModel } from './model';
import { readImage } from './readImage';

const SIDE = 96;

/** The colours an image is made of, with a strip of them as an image. */
export const colourPalette: SandboxModel = {
  slug: 'colour-palette',
  name: 'Colour Palette',
  description: 'Finds the main colours of an image: their values, names and shares, and a strip to look at.',
  category: 'Image',
  tags: ['image', 'colour'],
  version: '1.1.0',
  modes: {
    execute: {
      title: 'Find colours',
      description: 'Find the main colours of one image.',
      price: { micros: 2_000, unit: 'run' },
      inputSchema: objectSchema({ image: mediaSchema('image', 'Image', 'JPEG, PNG, WebP or GIF.') }, [
        'image',
      ]),
      paramsSchema: objectSchema({
        colours: {
          type: 'integer',
          title: 'Colours',
          description: 'Most colours to find.',
          minimum: 2,
          maximum: 12,
          default: 5,
        },
        swatch: { type: 'boolean', title: 'Draw a strip', default: true },
      }),
      examples: [
        { title: 'A sunset', input: { image: { media_ref: 'sample_sunset' } }, params: { colours: 5 } },
        { title: 'A meadow', input: { image: { media_ref: 'sample_meadow' } }, params: { colours: 3 } },
      ],
      run: findColours,
    },
  },
};

async function findColours(context: RunContext) {
  const image = await readImage(context, context.input.image, '/input/image');
  const count = (context.params.colours as number | undefined) ?? 5;
  const swatches = paletteOf(resizeOverWhite(image, SIDE, SIDE), count);
  return {
    palette: swatches.map((swatch) => ({
      hex: hexOf(swatch),
      name: colourName(swatch),
      share: Number(swatch.share.toFixed(4)),
    })),
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
