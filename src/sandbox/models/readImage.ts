import { decodeImage } from '../imaging/decode';
import type { RunContext } from './model';
import { readMedia } from './readMedia';
import { inputSchema, mediaSchema } from './schema';

/** The input of a model that takes one image. */
export const IMAGE_INPUT = inputSchema({
  image: mediaSchema('image', 'Image', { description: 'JPEG, PNG, WebP or GIF.' }),
});

/** An image of the input. @throws {HttpError} 400 naming `path` when it cannot be read */
export const readImage = (context: RunContext, value = context.input.image, path = '/input/image') =>
  readMedia(context, 'image', value, path, decodeImage);
