/** Where a request is wrong: a JSON pointer into its body (or the name of a query parameter), and why. */
export interface Detail {
  readonly path: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

interface RefusalExtras {
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply that is an error: thrown anywhere, written in one place (respond.ts). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly extras: RefusalExtras = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

export const badRequest = (code: string, message: string, details?: readonly Detail[]) =>
  new Refusal(400, code, message, details === undefined ? {} : { details });

export const notFound = (code: string, message: string) => new Refusal(404, code, message);
