import { type LogLine, logLine } from '../domain/logLine';

/** The IDs of services: UUIDs, hexadecimal digits, words with a number. One without digits may be a user's word. */
const TOKEN = /^(?=(?:\D*\d){4})[\w-]{8,128}$/;

/**
 * The request ID of a response for the log, where it looks like one. Other text could be a sentence, and a text from
 * the request itself is the user's.
 * @param body of the request, where it was sent as a whole
 */
export function loggedRequestId(requestId: string | undefined, url: URL, body: unknown): LogLine {
  const isToken = requestId !== undefined && TOKEN.test(requestId);
  if (!isToken || holds(url.href, requestId)) return logLine``;
  if (body instanceof Uint8Array && holds(Buffer.from(body).toString('latin1'), requestId)) return logLine``;
  return `, request ${requestId}` as LogLine;
}

/** Whether a text has a token, also with line breaks, spaces and signs in it, which a header leaves out. */
function holds(text: string, token: string): boolean {
  if (text.includes(token)) return true;
  return text.replaceAll(/\\u[0-9a-f]{4}|\\.|%[0-9a-f]{2}|[^\w-]/gi, '').includes(token);
}
