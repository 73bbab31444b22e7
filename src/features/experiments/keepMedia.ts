import * as l10n from '@vscode/l10n';
import { networkSettings } from '../../connection/network';
import type { Environment } from '../../domain/environment';
import type { MediaPorts } from '../../experiments/mediaKeeper';
import { fetchMedium } from '../../experiments/remoteMedia';
import { allowMedia, mayFetchMedia } from '../../platform/keptMedia';
import { createTransport } from '../../service/transport';
import type { Services } from '../../services';
import { showInformationMessage } from '../../vscode/messages/notifications';

/** Origins of which they are not, until the window is reloaded. */
const notNow = new Set<string>();
/** Hosts that a question names. */
const MOST_HOSTS = 5;

/** Keeps the media that results name by address, after one question for each service. */
export function mediaPorts({ context }: Services, { name, baseUrl }: Environment): MediaPorts {
  const { origin } = new URL(baseUrl);
  const { globalState } = context;
  // No client of the service: these requests have no key.
  const transport = createTransport(networkSettings);
  return {
    async mayKeep(hosts) {
      if (mayFetchMedia(globalState, baseUrl)) return true;
      if (notNow.has(origin)) return false;
      notNow.add(origin);
      const keep = l10n.t('Keep Files');
      const chosen = await showInformationMessage(
        l10n.t(
          'Results of “{0}” name pictures or other media by address ({1}). Such addresses may expire. Keep these files beside the results? They are fetched without your key.',
          name,
          hosts.slice(0, MOST_HOSTS).join(', '),
        ),
        keep,
        l10n.t('Not Now'),
      );
      if (chosen !== keep) return false;
      notNow.delete(origin);
      await allowMedia(globalState, baseUrl);
      return true;
    },
    fetch: (address) => fetchMedium(address, baseUrl, transport),
  };
}
