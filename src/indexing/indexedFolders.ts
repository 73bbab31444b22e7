import type { Dataset } from '../domain/dataset';
import type { Datasets } from '../store/datasets';
import type { IndexedFile } from '../store/items';

const PAGE = 200;
/** Items that are read at most in search of folders. */
const MOST_READ = 20_000;

/**
 * The folders right below a folder of the disk that hold wanted items, at any depth; '' for those in the folder
 * itself.
 * @param root its URI, with a trailing slash
 */
export async function foldersBelow(
  datasets: Datasets,
  root: string,
  isWanted: (item: IndexedFile) => boolean,
): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  await readByFile(datasets, root, (item) => {
    if (!item.file.startsWith(root)) return 'end';
    const slash = item.file.indexOf('/', root.length);
    const top = slash < 0 ? '' : item.file.slice(root.length, slash);
    if (folders.has(top) || !isWanted(item)) return 'next';
    folders.add(top);
    return top === '' ? 'next' : { behind: root + top };
  });
  return folders;
}

/**
 * Folders outside of others that hold items of a dataset, up to a limit; they do not contain each other.
 * @param roots URIs of the others
 */
export async function foldersOutside(
  datasets: Datasets,
  { baseUrl, model, scope }: Dataset,
  roots: readonly string[],
  most: number,
): Promise<readonly string[]> {
  const folders: string[] = [];
  await readByFile(datasets, '', (item) => {
    if (folders.length >= most) return 'end';
    const root = roots.find((one) => item.file.startsWith(`${one}/`));
    if (root !== undefined) return { behind: root };
    if (item.baseUrl !== baseUrl || item.model !== model || item.scope !== scope) return 'next';
    const folder = item.file.slice(0, item.file.lastIndexOf('/'));
    folders.push(folder);
    return { behind: folder };
  });
  return folders;
}

/** Where to read on: the next item, the first one behind all that a folder holds, or nowhere. */
type Step = 'next' | 'end' | { readonly behind: string };

/** Reads items in the order of their files' URIs, in steps. */
async function readByFile(
  datasets: Datasets,
  from: string,
  take: (item: IndexedFile) => Step,
): Promise<void> {
  for (let at: string | undefined = from, read = 0; at !== undefined && read < MOST_READ; read += PAGE) {
    at = readPage(datasets.byFile(at, PAGE), take);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The URI to go on from. */
function readPage(page: readonly IndexedFile[], take: (item: IndexedFile) => Step): string | undefined {
  for (const item of page) {
    const step = take(item);
    if (step === 'end') return undefined;
    // The key range of a folder's content: its name and a slash, up to its name and the next character, zero.
    if (step !== 'next') return `${step.behind}0`;
  }
  const last = page.at(-1)?.file;
  if (last === undefined || page.length < PAGE) return undefined;
  // A file may be in several datasets, of which the page may hold the first.
  return page[0]?.file === last ? `${last}\u0001` : last;
}
