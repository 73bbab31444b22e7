import { badRequest } from '../http/errors';
import { decodeImage } from '../imaging/decode';
import { UnreadableMedia } from '../media/media';
import type { RunContext } from './model';
import { inputSchema, mediaSchema } from './schema';

/** Files are read whole; larger ones are rejected. */
const LIMIT_MIB = { image: 128, audio: 256 };

/** Decodes a file of the input. @throws {HttpError} 400 naming `path` when it cannot be read */
export async function readMedia<Decoded>(
  context: RunContext,
  kind: keyof typeof LIMIT_MIB,
  value: unknown,
  path: string,
  decode: (bytes: Buffer) => Decoded | Promise<Decoded>,
): Promise<Decoded> {
  const { filename, sizeBytes, bytes } = context.media(value, path);
  const limit = LIMIT_MIB[kind];
  try {
    if (sizeBytes > limit * 2 ** 20) throw new UnreadableMedia(`the file is larger than ${limit} MiB`);
    return await decode(await bytes());
  } catch (error) {
    if (!(error instanceof UnreadableMedia)) throw error;
    const message = `The ${kind} ${filename} cannot be read: ${error.message}`;
    throw badRequest(`unreadable_${kind}`, `${message}.`, [{ path, message }]);
  }
}

/** The input of a model that takes one image. */
export const IMAGE_INPUT = inputSchema({
  image: mediaSchema('image', 'Image', { description: 'JPEG, PNG, WebP or GIF.' }),
});

/** An image of the input. @throws {HttpError} 400 naming `path` when it cannot be read */
export const readImage = (context: RunContext, value = context.input.image, path = '/input/image') =>
  readMedia(context, 'image', value, path, decodeImage);
