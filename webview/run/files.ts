import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../src/domain/json';
import { acceptedEndings, mediaFamily } from '../../src/domain/media';
import type { AttachedFile } from '../../src/protocol/run';
import { droppedUris, fileChunks } from '../shared/fileIntake';
import { isDrawing } from '../shared/picture';
import type { RunPage } from './page';

/** How files of the user reach the panel: dropped, pasted, chosen, or open in an editor. */

/** Takes a drop or a paste: Explorer resources by URI, files of the system by their bytes. */
export async function takeFiles(page: RunPage, data: DataTransfer | null): Promise<AttachedFile[]> {
  if (!data) return [];
  const uris = droppedUris(data);
  // A drop from the Explorer or an editor names its files; one from the system brings them.
  if (uris.length > 0) return attachUris(page, uris);
  const taken: AttachedFile[] = [];
  for (const file of [...data.files]) taken.push(...keep(page, await page.ask(sendFile(page, file))));
  return taken;
}

/** Attaches files by their address. The host asks about those outside the open folders. */
export async function attachUris(page: RunPage, uris: readonly string[]): Promise<AttachedFile[]> {
  return keep(page, await page.ask(page.host.call('attachUris', { uris: [...uris] })));
}

/** "image", "audio" or "video" where all of these types are. */
export function mediaKind(types: readonly string[]): string | undefined {
  const families = new Set(types.map(mediaFamily));
  return families.size === 1 ? [...families][0] : undefined;
}

export function mediaValue({ uri, filename }: AttachedFile): JsonObject {
  return { media_ref: uri, filename };
}

/** @param types that the files are of, as a field accepts them; empty: any */
export async function chooseFiles(page: RunPage, types: readonly string[], many: boolean) {
  const asked = { accept: mediaKind(types), endings: acceptedEndings(types), many };
  return keep(page, await page.ask(page.host.call('pickFiles', asked)));
}

export async function openFile(page: RunPage, accept: string | undefined) {
  return keep(page, await page.ask(page.host.call('attachOpenFile', { accept })));
}

function keep(page: RunPage, files: AttachedFile | AttachedFile[] | undefined): AttachedFile[] {
  const list = files === undefined ? [] : Array.isArray(files) ? files : [files];
  for (const file of list) page.files.set(file.uri, file);
  page.update();
  return list;
}

async function sendFile(page: RunPage, file: File): Promise<AttachedFile> {
  const filename = file.name || l10n.t('pasted');
  page.incoming.add(filename);
  page.update();
  try {
    const { id } = await page.host.call('beginUpload', { filename, sizeBytes: file.size });
    for await (const bytes of fileChunks(file)) await page.host.call('uploadChunk', { id, bytes });
    return await page.host.call('endUpload', { id });
  } finally {
    page.incoming.delete(filename);
    page.update();
  }
}

const previews = new Map<string, string | 'none' | 'loading'>();

/** An address the page can show a file from; undefined while it loads, for a file that is too large, and for an SVG. */
export function filePreview(page: RunPage, file: AttachedFile): string | undefined {
  if (isDrawing(file.contentType)) return undefined;
  if (file.src !== undefined) return file.src;
  const known = previews.get(file.uri);
  if (known !== undefined) return known === 'none' || known === 'loading' ? undefined : known;
  previews.set(file.uri, 'loading');
  page.host.call('fileBytes', { uri: file.uri }).then(
    ({ bytes, contentType }) => {
      const url = bytes && URL.createObjectURL(new Blob([bytes], { type: contentType }));
      previews.set(file.uri, url ?? 'none');
      page.update();
    },
    () => previews.set(file.uri, 'none'),
  );
  return undefined;
}
