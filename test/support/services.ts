import { type ChangedResponses, changedResponses } from './changedResponses';
import { sandboxInProcess } from './sandbox';

type Sandbox = Awaited<ReturnType<typeof sandboxInProcess>>;

export interface ServicesOptions {
  /** One service for each before the same sandbox. */
  readonly environments?: readonly string[];
  /** Prepares the responses of a service before a window connects to it. */
  readonly changes?: (service: ChangedResponses, environment: string) => void;
}

/** Only inside a test or a hook. */
export interface Services {
  /** Executes the requests. */
  readonly sandbox: Sandbox;
  /** Of the first environment: before the sandbox, to change its responses or to hold them back. */
  readonly service: ChangedResponses;
  serviceOf(environment: string): ChangedResponses;
  /** The number of runs that reached the sandbox. */
  sent(): Promise<number>;
}

/**
 * For use at the top of a `describe`, before its window: when closing a window fails, the hooks after it are left
 * out, and a service would run on.
 */
export function useServices({ environments = ['local'], changes }: ServicesOptions = {}): Services {
  let started: Sandbox | undefined;
  const services = new Map<string, ChangedResponses>();
  const sandbox = () => there(started, 'The sandbox');
  const serviceOf = (environment: string) => there(services.get(environment), environment);
  before('starts the services', async () => {
    started = await sandboxInProcess();
    for (const name of environments) {
      const service = await changedResponses(started.baseUrl);
      services.set(name, service);
      changes?.(service, name);
    }
  });
  after('ends the services', async () => {
    for (const service of services.values()) await service.close();
    await started?.stop();
  });
  return {
    get sandbox() {
      return sandbox();
    },
    get service() {
      return serviceOf(environments[0]!);
    },
    serviceOf,
    sent: async () => (await sandbox().ledger()).requests.runs ?? 0,
  };
}

function there<T>(value: T | undefined, name: string): T {
  if (!value) throw new Error(`${name} is started by a hook, before the first test.`);
  return value;
}
