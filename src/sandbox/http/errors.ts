/** A problem in a request: a JSON pointer into its body (or the name of a query parameter), and why. */
export interface Detail {
  readonly path: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

interface ErrorExtras {
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response: thrown anywhere, written in one place (requestListener.ts). */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extras: ErrorExtras = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}

export const badRequest = (code: string, message: string, details?: readonly Detail[]) =>
  new HttpError(400, code, message, details === undefined ? {} : { details });

/** A bad request with one problem, at one place. */
export const badField = (path: string, code: string, message: string) =>
  badRequest(code, message, [{ path, message }]);

export const wrongContentType = (code: string, expected: string, given: string) =>
  new HttpError(415, code, `The Content-Type must be ${expected}, not ${given === '' ? 'empty' : given}.`);

export const notFound = (code: string, message: string) => new HttpError(404, code, message);

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
