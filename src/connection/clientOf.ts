import type { ServiceClient } from '../service/client';
import type { Connection } from './connection';

/** The client of a job's environment; undefined where it is gone, or has no key. */
export function clientOf(connection: Pick<Connection, 'client'>) {
  return async (head: {
    readonly environment: string;
    readonly baseUrl: string;
  }): Promise<ServiceClient | undefined> =>
    connection.client({ name: head.environment, baseUrl: head.baseUrl }).catch(() => undefined);
}
