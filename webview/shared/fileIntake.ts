/** The content of a drop or a paste: resources of VS Code by their URI, files of the system by their bytes. */

const EXPLORER = 'application/vnd.code.uri-list';

/** Whether a drag carries files or resources. */
export function carriesFiles(data: DataTransfer | null): boolean {
  return data !== null && [...data.types].some((type) => ['Files', EXPLORER, 'text/uri-list'].includes(type));
}

/** The resources of a drop from the Explorer or an editor; a picture dragged from a browser names its address, which VS Code cannot read. */
export function droppedUris(data: DataTransfer): string[] {
  const text = data.getData(EXPLORER) || (data.files.length > 0 ? '' : data.getData('text/uri-list'));
  return text
    .split(/\r?\n/)
    .filter((line) => /^[a-z][\w+.-]*:/i.test(line) && !/^(https?|data|blob|javascript):/i.test(line));
}

export function allowDrop(event: DragEvent): void {
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
}

/** Fits one message without holding up the page. */
const CHUNK_BYTES = 512 * 1024;

/** A file's bytes in pieces, read on demand. */
export async function* fileChunks(file: File): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < file.size; from += CHUNK_BYTES)
    yield new Uint8Array(await file.slice(from, from + CHUNK_BYTES).arrayBuffer());
}
