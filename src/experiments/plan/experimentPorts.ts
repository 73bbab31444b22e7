import type { Environment } from '../../domain/environment';
import { type ModelContract, modePrice, type Price } from '../../domain/model';
import type { RunRequest } from '../../domain/run';
import type { AgentPurse } from '../../runs/budget/agentPurse';
import type { Runs } from '../../runs/perform';
import type { ServiceClient, UploadSource } from '../../service/client';
import type { ItemFile } from '../file/items';
import type { ExperimentPorts } from './experimentWork';

/** The services from which the ports of an experiment's runs are made. */
export interface ExperimentHost {
  /** The experiment's. */
  readonly environment: Environment;
  readonly contracts: ReadonlyMap<string, ModelContract>;
  /** Of the agent that started it; missing: the user did. */
  readonly agent?: AgentPurse;
  readonly runs: Pick<Runs, 'upload' | 'forgetUpload' | 'performForJob'>;
  uploadSource(file: ItemFile): Promise<UploadSource>;
  /** The client of the experiment's environment. @throws ServiceError when there is none any more, or it has no key */
  client(): Promise<ServiceClient>;
  concurrency(): number;
  /** Give up waiting for a run's response after; 0: never. */
  timeoutMs(): number;
}

/** Uploads and runs of an experiment in a window or a terminal. */
export function experimentPorts(host: ExperimentHost): ExperimentPorts {
  const { environment, contracts, runs, agent } = host;
  let latest: ServiceClient | undefined;
  const connect = async () => {
    latest = await host.client();
  };
  return {
    async upload(file, signal) {
      await connect();
      const source = await host.uploadSource(file);
      return runs.upload(environment, { uri: file.uri, source }, { signal, bulk: true });
    },
    forget: (key) => runs.forgetUpload(key),
    async run(order) {
      await connect();
      return runs.performForJob({ ...order, environment, agent, timeoutMs: host.timeoutMs() });
    },
    priceOf: (request) => priceOf(contracts, request),
    throttle: () => latest?.bulk,
    concurrency: () => host.concurrency(),
  };
}

/** The published price of a run. */
export function priceOf(
  contracts: ReadonlyMap<string, ModelContract>,
  { model, mode = 'execute' }: Pick<RunRequest, 'model' | 'mode'>,
): Price | undefined {
  const contract = contracts.get(model);
  return contract && modePrice(contract, mode);
}
