import { HttpError } from './errors';

/** Every address of the API, by the name under which faults and the counters know it. */
export type RouteName =
  | 'runs'
  | 'run-status'
  | 'upload-init'
  | 'upload-bytes'
  | 'upload-complete'
  | 'models'
  | 'model'
  | 'wallet'
  | 'usage-summary'
  | 'usage-timeseries'
  | 'activity'
  | 'proof'
  | 'inspect-counters'
  | 'inspect-settings';

interface Row {
  readonly method: string;
  readonly pattern: RegExp;
  readonly name: RouteName;
}

/** Interface, section 4; `run-status` is the address that a 202 names, the last two are for tests only. */
const TABLE: readonly Row[] = [
  { method: 'POST', pattern: /^\/api\/runs$/, name: 'runs' },
  { method: 'GET', pattern: /^\/api\/runs\/([^/]+)$/, name: 'run-status' },
  { method: 'POST', pattern: /^\/api\/media\/upload\/init$/, name: 'upload-init' },
  { method: 'POST', pattern: /^\/api\/media\/upload\/complete$/, name: 'upload-complete' },
  { method: 'GET', pattern: /^\/api\/marketplace\/models$/, name: 'models' },
  { method: 'GET', pattern: /^\/api\/marketplace\/models\/([^/]+)$/, name: 'model' },
  { method: 'GET', pattern: /^\/api\/billing\/wallet$/, name: 'wallet' },
  { method: 'GET', pattern: /^\/api\/billing\/usage\/summary$/, name: 'usage-summary' },
  { method: 'GET', pattern: /^\/api\/billing\/usage\/timeseries$/, name: 'usage-timeseries' },
  { method: 'GET', pattern: /^\/api\/billing\/activity$/, name: 'activity' },
  { method: 'GET', pattern: /^\/__sandbox\/proof\/([\w-]{16,128})$/, name: 'proof' },
  { method: 'GET', pattern: /^\/__sandbox\/counters$/, name: 'inspect-counters' },
  { method: 'PUT', pattern: /^\/__sandbox\/settings$/, name: 'inspect-settings' },
];

export interface Match {
  readonly name: RouteName;
  /** The decoded path parameter, or "". */
  readonly parameter: string;
}

/**
 * Finds the route of a request; `rawPath` is the path as it came, not yet decoded.
 *
 * @throws {HttpError} 404 no such path, 405 the path has another method
 */
export function matchRoute(method: string, rawPath: string): Match {
  const rows = TABLE.flatMap((row) => {
    const found = row.pattern.exec(rawPath);
    return found === null ? [] : [{ row, parameter: found[1] ?? '' }];
  });
  const hit = rows.find(({ row }) => row.method === method);
  if (hit !== undefined) {
    try {
      return { name: hit.row.name, parameter: decodeURIComponent(hit.parameter) };
    } catch {
      throw new HttpError(400, 'invalid_path', 'The path is not valid percent-encoding.');
    }
  }
  if (rows.length > 0) {
    const allowed = rows.map(({ row }) => row.method).join(', ');
    throw new HttpError(405, 'method_not_allowed', `This address takes ${allowed}, not ${method}.`, {
      headers: { Allow: allowed },
    });
  }
  throw new HttpError(404, 'no_such_route', `There is nothing at ${rawPath}.`);
}
