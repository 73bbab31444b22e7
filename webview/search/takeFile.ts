import * as l10n from '@vscode/l10n';
import type { SearchHost } from './page';

/** It crosses to the host in one message, at about 75 ms a megabyte; larger files are chosen, which needs no crossing. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Searches with what was dropped or pasted: a resource of VS Code by its URI, a file of the system by its bytes. */
export async function takeFile(
  data: DataTransfer | null,
  host: SearchHost,
  refuse: (words: string) => void,
): Promise<void> {
  const list =
    data?.getData('application/vnd.code.uri-list') ||
    (data?.files.length ? '' : data?.getData('text/uri-list'));
  // A picture that is dragged out of a browser names its address: only what VS Code can read counts.
  const uri = list
    ?.split(/\r?\n/)
    .find((line) => /^[a-z][\w+.-]*:/i.test(line) && !/^(https?|data|blob):/i.test(line));
  if (uri) return host.notify('useFile', { uri });
  const file = data?.files[0];
  if (!file) return refuse(l10n.t('There is no file in that. Choose one instead.'));
  if (file.size > MOST_BYTES)
    return refuse(l10n.t('{0} is too large to be taken this way. Click to choose it instead.', file.name));
  const filename = file.name || l10n.t('pasted');
  host.notify('useBytes', { filename, bytes: new Uint8Array(await file.arrayBuffer()) });
}
