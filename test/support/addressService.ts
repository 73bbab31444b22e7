import { type FaultProxy, forward, startFaultProxy } from './faultProxy';
import { sandboxInChild } from './sandbox';

export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200, 7)]);

/**
 * A service with runs that name a picture by its address, at the service itself. It takes any key; models and everything
 * but runs are those of the sandbox.
 */
export async function addressService(): Promise<FaultProxy> {
  const sandbox = await sandboxInChild();
  const service = await startFaultProxy({
    behind: (request) => {
      const { path, method, headers } = request;
      if (path.endsWith('.png')) return { body: PNG };
      if (method !== 'POST')
        return forward(sandbox.baseUrl, { ...request, headers: { ...headers, 'x-api-key': sandbox.apiKey } });
      const n = service.executedRuns;
      return { body: { id: `r${n}`, status: 'completed', output: [`${service.url}/${n}.png`] } };
    },
  });
  const { close } = service;
  return Object.assign(service, { close: () => close().then(() => sandbox.stop()) });
}
