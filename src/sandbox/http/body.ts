import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../json';
import { badRequest, HttpError, wrongContentType } from './errors';

/** The largest JSON body; media never travels in it (interface, section 4, rule 2). */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** Reads a JSON body. @throws {HttpError} 400 no JSON object, 413 too large, 415 another content type */
export async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw wrongContentType('unsupported_media_type', 'application/json', contentType);
  }
  const tooLarge = () =>
    new HttpError(413, 'body_too_large', `The maximum size of a body is ${BODY_LIMIT_BYTES} bytes.`, {
      headers: { Connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    throw badRequest('invalid_json', `The body is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw badRequest('invalid_body', 'The body must be a JSON object.');
  return value;
}
