import * as l10n from '@vscode/l10n';
import type { AttachedFile } from '../../src/protocol/run';
import type { RunPage } from './page';

/** Files on their way from the user into the panel: dropped, pasted, chosen, or open in an editor. */

/** Fits one message without holding up the page. */
const CHUNK_BYTES = 512 * 1024;

const EXPLORER = 'application/vnd.code.uri-list';

/** Whether a drag carries what a media field can take. */
export function carriesFiles(data: DataTransfer | null): boolean {
  return data !== null && [...data.types].some((type) => ['Files', EXPLORER, 'text/uri-list'].includes(type));
}

/** Takes a drop or a paste: Explorer resources by URI, files of the system by their bytes. */
export async function takeFiles(page: RunPage, data: DataTransfer | null): Promise<AttachedFile[]> {
  if (!data) return [];
  const uris = urisOf(data);
  // A drop from the Explorer or an editor names its files; one from the system brings them.
  if (uris.length > 0) return keep(page, await page.ask(page.host.call('attachUris', { uris })));
  const taken: AttachedFile[] = [];
  for (const file of [...data.files]) taken.push(...keep(page, await page.ask(sendFile(page, file))));
  return taken;
}

export async function chooseFiles(page: RunPage, accept: string | undefined, many: boolean) {
  return keep(page, await page.ask(page.host.call('pickFiles', { accept, many })));
}

export async function openFile(page: RunPage, accept: string | undefined) {
  return keep(page, await page.ask(page.host.call('attachOpenFile', { accept })));
}

function keep(page: RunPage, files: AttachedFile | AttachedFile[] | undefined): AttachedFile[] {
  const list = files === undefined ? [] : Array.isArray(files) ? files : [files];
  for (const file of list) page.files.set(file.uri, file);
  page.changed();
  return list;
}

function urisOf(data: DataTransfer): string[] {
  const text = data.getData(EXPLORER) || (data.files.length > 0 ? '' : data.getData('text/uri-list'));
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  // Pages of a browser are dragged with their address: only resources that VS Code can read count.
  return lines.filter((line) => !/^(https?|data|blob|javascript):/i.test(line));
}

async function sendFile(page: RunPage, file: File): Promise<AttachedFile> {
  const filename = file.name || l10n.t('pasted');
  page.incoming.add(filename);
  page.changed();
  try {
    const { id } = await page.host.call('beginUpload', {
      filename,
      contentType: file.type,
      sizeBytes: file.size,
    });
    for (let from = 0; from < file.size; from += CHUNK_BYTES) {
      const piece = await file.slice(from, from + CHUNK_BYTES).arrayBuffer();
      await page.host.call('uploadChunk', { id, bytes: new Uint8Array(piece) });
    }
    return await page.host.call('endUpload', { id });
  } finally {
    page.incoming.delete(filename);
    page.changed();
  }
}

const previews = new Map<string, string | 'none' | 'loading'>();

/** An address the page can show a file from; undefined while it is fetched or when it is too large. */
export function previewOf(page: RunPage, file: AttachedFile): string | undefined {
  if (file.src !== undefined) return file.src;
  const known = previews.get(file.uri);
  if (known !== undefined) return known === 'none' || known === 'loading' ? undefined : known;
  previews.set(file.uri, 'loading');
  page.host.call('fileBytes', { uri: file.uri }).then(
    ({ bytes, contentType }) => {
      const url = bytes && URL.createObjectURL(new Blob([bytes], { type: contentType }));
      previews.set(file.uri, url ?? 'none');
      page.changed();
    },
    () => previews.set(file.uri, 'none'),
  );
  return undefined;
}
