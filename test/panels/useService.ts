import type { Panels } from '../support/panels/panels';
import type { PanelsOptions } from '../support/panels/session';
import { type Services, type ServicesOptions, useServices } from '../support/services';
import { usePanels } from './usePanels';

/** Only inside a test or a hook. */
interface ConnectedPanels extends Services {
  readonly panels: Panels;
}

/**
 * For use at the top of a `describe`: an extension that is connected to a sandbox for its tests, by the environment
 * “local” or by those that are named; of several, the first is active.
 */
export function useService(options: PanelsOptions & ServicesOptions = {}): ConnectedPanels {
  const { environments = ['local'] } = options;
  const services = useServices(options);
  const suite = usePanels(options);
  before('connects', async () => {
    const { panels } = suite;
    for (const name of environments.toReversed()) {
      const { url: baseUrl } = services.serviceOf(name);
      await panels.connect({ name, baseUrl, apiKey: services.sandbox.apiKey });
      await panels.statusItem('modelBench.wallet', name);
    }
    await panels.row('Catalog', /./);
  });
  return {
    get panels() {
      return suite.panels;
    },
    get sandbox() {
      return services.sandbox;
    },
    get service() {
      return services.service;
    },
    serviceOf: services.serviceOf,
    sent: services.sent,
  };
}
