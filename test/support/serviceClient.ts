import type { ErrorKind } from '../../src/domain/failure';
import type { ServiceClient } from '../../src/service/client';
import { createServiceClient, type ServiceClientParts } from '../../src/service/createClient';
import { ServiceError } from '../../src/service/errors';

export const TEST_KEY = 'mb-canary-5f1d0c';

export function testClient(
  baseUrl: string,
  parts: Partial<ServiceClientParts> = {},
): ServiceClient & { readonly logged: string[] } {
  const logged: string[] = [];
  const write = (message: string) => void logged.push(message);
  const client = createServiceClient({
    environment: 'test',
    baseUrl,
    apiKey: async () => TEST_KEY,
    network: {},
    log: { debug: write, info: write, warn: write },
    ...parts,
  });
  return Object.defineProperty(client, 'logged', { value: logged }) as ServiceClient & {
    readonly logged: string[];
  };
}

/** The ServiceError that a call ends with; anything else fails the test. */
export async function failureOf(call: Promise<unknown>, kind?: ErrorKind): Promise<ServiceError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`it succeeded: ${JSON.stringify(outcome.value)?.slice(0, 200)}`);
  if (!(outcome.error instanceof ServiceError)) throw outcome.error;
  if (kind !== undefined && outcome.error.kind !== kind)
    throw new Error(`expected ${kind}, got ${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.error;
}

/** A run request that is right. */
export const REQUEST = { model: 'm', mode: 'execute', input: { text: 'x' }, params: {} } as const;
