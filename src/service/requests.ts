import { isVectorMode, requestFaults } from '../domain/requestFaults';
import type { RunRequest } from '../domain/run';
import { invalidRequest } from './failures';

/**
 * The bytes of a run request. Types keep what is forbidden out of our own code; this keeps it out whatever a cast,
 * a settings file or a command's argument brought in. The checks against the model's contract come before.
 * @throws ServiceError `invalidRequest`: nothing was sent
 */
export function runBody(request: RunRequest): Uint8Array {
  const needsScope = request.mode !== undefined && isVectorMode(request.mode);
  const [first] = requestFaults(request, needsScope ? 'required' : 'optional');
  if (first !== undefined) throw invalidRequest({ reason: 'request', fault: first.fault });
  try {
    return new TextEncoder().encode(JSON.stringify(request, onlyJson));
  } catch (cause) {
    throw invalidRequest({ reason: 'request', fault: { fault: 'notJson' } }, cause);
  }
}

/** What JSON.stringify would leave out or write as null must not change a request without notice. */
function onlyJson(_key: string, value: unknown): unknown {
  const isNotFinite = typeof value === 'number' && !Number.isFinite(value);
  if (typeof value === 'function' || typeof value === 'symbol' || isNotFinite)
    throw new TypeError(`${String(value)} is not JSON`);
  return value;
}
