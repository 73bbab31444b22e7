import { badRequest, type Detail } from '../http/errors';
import { type DecodedImage, decodeImage, UnreadableImage } from '../imaging/decode';
import type { RunContext } from './model';

/** An image of the input. @throws {HttpError} 400 naming `path` when it cannot be read */
export async function readImage(context: RunContext, value: unknown, path: string): Promise<DecodedImage> {
  const media = context.media(value, path);
  try {
    return await decodeImage(await media.bytes());
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    const message = `The image ${media.filename} cannot be read: ${error.message}`;
    throw badRequest('unreadable_image', `${message}.`, [{ path, message }]);
  }
}

/** Many problems of one run as one error. */
export function refuseAll(details: readonly Detail[], summary: string): void {
  if (details.length > 0) throw badRequest('unreadable_image', summary, details);
}
