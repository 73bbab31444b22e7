import { isLocalRef } from '../domain/media';
import { isVectorMode, requestFaults } from '../domain/requestFaults';
import type { RunRequest } from '../domain/run';
import { invalidRequest } from './failures';

/**
 * The bytes of a run request. Types keep forbidden fields out of our own code; this also keeps out those from a cast,
 * a settings file or a command's argument. The checks against the model's contract come before.
 * @throws ServiceError `invalidRequest`, before anything is sent
 */
export function runBody(request: RunRequest): Uint8Array {
  const needsScope = request.mode !== undefined && isVectorMode(request.mode);
  const [first] = requestFaults(request, needsScope ? 'required' : 'optional');
  if (first !== undefined) throw invalidRequest({ reason: 'request', fault: first.fault });
  try {
    return new TextEncoder().encode(JSON.stringify(request, onlyJson));
  } catch (cause) {
    const fault = cause instanceof LocalFile ? 'localFile' : 'notJson';
    throw invalidRequest({ reason: 'request', fault: { fault } }, cause);
  }
}

/** A media object still points at a file of this computer: its path must not leave. */
class LocalFile extends Error {
  override readonly name = 'LocalFile';
}

/** Values that JSON.stringify would leave out or write as null must not change a request without notice. */
function onlyJson(key: string, value: unknown): unknown {
  if (key === 'media_ref' && typeof value === 'string' && isLocalRef(value)) throw new LocalFile();
  const isNotFinite = typeof value === 'number' && !Number.isFinite(value);
  if (typeof value === 'function' || typeof value === 'symbol' || isNotFinite)
    throw new TypeError(`${String(value)} is not JSON`);
  return value;
}
