import type { Dataset } from '../domain/dataset';
import { Turns } from '../service/turns';
import type { Datasets } from '../store/datasets';
import type { KnownFile } from '../store/itemPages';
import type { IndexFile } from './indexFile';

/** Looking a file up takes as long as reading so many of a dataset one after another. */
const READ_FOR_LOOK_UP = 8;

/** What is known of files in a dataset. */
export interface KnownFiles {
  /** Of the wanted ids. */
  readonly byId: ReadonlyMap<string, KnownFile>;
  /** By URI, of the wanted files that are known under another id than their path. */
  readonly byFile: ReadonlyMap<string, KnownFile>;
  /** The dataset has items. */
  readonly hasItems: boolean;
}

/** What is known of a file under its URI: by its path as id, or by another one. */
export function underItsUri(known: KnownFiles, { uri, imageId }: IndexFile): KnownFile | undefined {
  const own = known.byId.get(imageId);
  return own?.file === uri ? own : known.byFile.get(uri);
}

/** What is known of these files in a dataset, by the ids that their paths give and by their URIs. */
export async function knownOf(
  datasets: Datasets,
  dataset: Dataset,
  files: readonly IndexFile[],
): Promise<KnownFiles> {
  const { baseUrl, model, scope } = dataset;
  const summary = datasets.summaries(baseUrl).find((one) => one.model === model && one.scope === scope);
  const byId = new Map<string, KnownFile>();
  const byFile = new Map<string, KnownFile>();
  const note = (known: KnownFile) => {
    if (byFile.get(known.file)?.outcome !== 'indexed') byFile.set(known.file, known);
  };
  if (!summary || summary.items === 0) return { byId, byFile, hasItems: false };
  if (files.length * READ_FOR_LOOK_UP < summary.items) {
    const turns = new Turns();
    for (const { uri, imageId } of files) {
      const item = datasets.find(dataset, imageId);
      if (item) byId.set(imageId, item);
      if (item?.file !== uri)
        for (const one of datasets.ofFile(uri))
          if (one.baseUrl === baseUrl && one.model === model && one.scope === scope) note(one);
      if (turns.isOver) await turns.next();
    }
    return { byId, byFile, hasItems: true };
  }
  const uriOf = new Map<string, string>();
  for (const { imageId, uri } of files) uriOf.set(imageId, uri);
  // Of few datasets: in the others each file has its path as id.
  let uris: Set<string> | undefined;
  for await (const page of datasets.knownFiles(dataset))
    for (const known of page) {
      const uri = uriOf.get(known.imageId);
      if (uri !== undefined) byId.set(known.imageId, known);
      if (uri === known.file) continue;
      uris ??= new Set(files.map((file) => file.uri));
      if (uris.has(known.file)) note(known);
    }
  return { byId, byFile, hasItems: true };
}
