import { badRequest, type Detail } from '../http/errors';
import { type DecodedImage, decodeImage } from '../imaging/decode';
import { UnreadableImage } from '../imaging/image';
import { inputSchema, mediaSchema, type RunContext } from './model';

/** Files are read whole; larger ones are rejected. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** The input of a model that takes one image. */
export const IMAGE_INPUT = inputSchema({ image: mediaSchema('image', 'Image', 'JPEG, PNG, WebP or GIF.') });

/** An image of the input. @throws {HttpError} 400 naming `path` when it cannot be read */
export async function readImage(context: RunContext, value: unknown, path: string): Promise<DecodedImage> {
  const media = context.media(value, path);
  try {
    if (media.sizeBytes > MAX_FILE_BYTES) throw new UnreadableImage('the file is larger than 128 MiB');
    return await decodeImage(await media.bytes());
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    const message = `The image ${media.filename} cannot be read: ${error.message}`;
    throw badRequest('unreadable_image', `${message}.`, [{ path, message }]);
  }
}

/** Reports many unreadable images of one run in one error. */
export function rejectUnreadable(details: readonly Detail[], summary: string): void {
  if (details.length > 0) throw badRequest('unreadable_image', summary, details);
}
