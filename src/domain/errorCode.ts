/** The code of the deepest error that has one: undici and TLS wrap the system's error. */
export function errorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  // undici leaves out the code of a response that it cannot parse, also of one that was cut off between two chunks.
  if (code === undefined && error instanceof Error && error.name === 'HTTPParserError') {
    if (error.message.includes('EOF')) return 'UND_ERR_SOCKET';
    return error.message.includes('Expected HTTP/') ? 'HPE_INVALID_CONSTANT' : 'HPE_INVALID';
  }
  const inner =
    errorCode(cause, depth + 1) ?? (Array.isArray(errors) ? errorCode(errors[0], depth + 1) : undefined);
  return inner ?? (typeof code === 'string' ? code : undefined);
}
