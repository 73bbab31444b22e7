import { HttpError } from './errors';

/** Interface, section 4; `run-status` is the address that a 202 names. */
const TABLE = [
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
  { method: 'POST', pattern: /^\/__sandbox\/refill$/, name: 'refill' },
] as const;

/** The name of an address, for faults and counters. `upload-bytes` is on the other port. */
export type RouteName = Match['name'] | 'upload-bytes';

export interface Match {
  readonly name: (typeof TABLE)[number]['name'];
  /** The decoded path parameter, or "". */
  readonly parameter: string;
}

/** The route of a path, which is not yet decoded. @throws {HttpError} 404 no such path, 405 another method */
export function matchRoute(method: string, rawPath: string): Match {
  const rows = TABLE.flatMap((row) => {
    const match = row.pattern.exec(rawPath);
    return match === null ? [] : [{ row, parameter: match[1] ?? '' }];
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
