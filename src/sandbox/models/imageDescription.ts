import { namedColours } from '../imaging/colourName';
import { describe } from '../imaging/descriptor';
import { lumaAt, type Rgb } from '../imaging/image';
import { paletteOf } from '../imaging/palette';
import { resizeOverWhite } from '../imaging/resize';
import { example, perRun, type RunContext, singleMode } from './model';
import { IMAGE_INPUT, readImage } from './readMedia';
import { paramsSchema, string } from './schema';

/** A description of an image without recognising its content. */
export const imageDescription = singleMode(
  {
    slug: 'image-description',
    name: 'Image Description',
    description:
      'Describes an image in words and numbers: format, size, brightness, colors and level of detail.',
    category: 'Image',
    tags: ['image', 'description', 'text'],
    version: '1.0.0',
  },
  {
    title: 'Describe',
    description: 'Describe one image.',
    price: perRun(3_000),
    inputSchema: IMAGE_INPUT,
    paramsSchema: paramsSchema({ detail: string('Detail', { enum: ['brief', 'full'], default: 'full' }) }),
    examples: [example('A sunset', { image: { media_ref: 'sample_sunset' } }, { detail: 'full' })],
    run: describeImage,
  },
);

async function describeImage(context: RunContext) {
  const image = await readImage(context);
  const small = resizeOverWhite(image, 96, 96);
  const { mean, spread } = light(small);
  const colours = namedColours(paletteOf(small, 4), 3);
  const edges = describe(image).edgeHistogram.reduce((sum, value) => sum + value, 0) / 16;
  const shape =
    image.width === image.height ? 'square' : image.width > image.height ? 'landscape' : 'portrait';
  const tone =
    mean < 0.25 ? 'dark' : mean < 0.45 ? 'fairly dark' : mean < 0.7 ? 'of medium brightness' : 'bright';
  const contrast = spread < 0.1 ? 'little' : spread < 0.25 ? 'some' : 'strong';
  const busy = edges < 0.08 ? 'plain' : edges < 0.35 ? 'moderately detailed' : 'highly detailed';
  const names = [...new Set(colours.map(({ name }) => name))];
  const description =
    `A ${shape} ${image.format.toUpperCase()} image of ${image.width} × ${image.height} pixels. ` +
    `It is ${tone} with ${contrast} contrast, ${busy}, and mostly ${inWords(names.slice(0, 3))}.`;
  if (context.params.detail === 'brief') return { description };
  return {
    description,
    format: image.format,
    width: image.width,
    height: image.height,
    transparent: isTransparent(image.data),
    brightness: Number(mean.toFixed(3)),
    contrast: Number(spread.toFixed(3)),
    edge_density: Number(edges.toFixed(3)),
    dominant_colors: colours,
  };
}

/** Mean luma and its standard deviation, 0 to 1. */
function light({ data }: Rgb): { mean: number; spread: number } {
  const count = data.length / 3;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < data.length; at += 3) {
    const luma = lumaAt(data, at) / 255;
    sum += luma;
    squares += luma * luma;
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

function isTransparent(data: ArrayLike<number>): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at]! < 255) return true;
  return false;
}

const inWords = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
