import { basename, dirname, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { placedId } from '../../intake/imageIds';
import { MOST_FAULTS } from '../../intake/table';
import { decodedText } from '../../intake/text';
import { readInput } from '../files/door';
import { labelsIn } from '../metrics/equality';
import type { Relevance } from '../metrics/hits';
import { wantedSet } from '../metrics/itemMetrics';
import { itemSha256 } from '../plan/runId';
import { HitGrades, type HitJudgement, hitJudgementsIn, qrelsPlace } from '../results/hitJudgements';
import { metricsIn } from './askedMetrics';
import type { ExperimentFile } from './format';
import type { ExperimentItem, ItemFault, Items } from './items';
import { ownFile, unreadableFault } from './ownFile';

const LARGEST_QRELS = 50_000_000;

/** Query → hit → grade. */
type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The right hits of a query without people's judgements. */
type Known = Pick<Relevance, 'gradeOf' | 'labelOf' | 'total' | 'best'> & Partial<Pick<Relevance, 'isQuery'>>;

/**
 * The items of an experiment that measures hits, each with those that are right for it: as people have judged beside the
 * experiment, else of its folder, of a file of judgements, or those that its expected value names.
 * @param read all inputs, those that a sample leaves out too
 * @param path absolute, of the experiment
 */
export async function withRelevance(
  read: Items,
  experiment: Pick<ExperimentFile, 'expected' | 'metrics'>,
  path: string,
): Promise<Items> {
  const { expected } = experiment;
  if (!expected || 'judged' in expected || !metricsIn(experiment).some((metric) => 'hits' in metric))
    return read;
  const files = new QueryFiles(read.items);
  const own = new HitGrades(await hitJudgementsOf(path));
  const related = (item: ExperimentItem, known: Known | undefined): ExperimentItem => ({
    ...item,
    relevance: judgedRelevance(item, known, files, own),
  });
  if ('folder' in expected) {
    const others = folderCounts(read.items);
    return { ...read, items: read.items.map((item) => related(item, ofFolder(item, files, others))) };
  }
  if ('qrels' in expected) {
    const isOwn = expected.qrels === basename(qrelsPlace(path));
    const judged = isOwn ? NO_GRADES : await gradesIn(expected.qrels, dirname(path));
    if ('fault' in judged) return { ...read, items: [], faults: [...read.faults, judged] };
    const items = read.items.map((item) => {
      const query = expected.column === undefined ? item.name : String(item.expected ?? '');
      const grades = judged.grades.get(query.normalize('NFC'));
      const right = grades && [...grades].flatMap(([id, grade]) => (grade > 0 ? [id] : []));
      const { expected: _id, ...rest } = item;
      return related(
        { ...rest, ...(right && { expected: right }) },
        grades && ofGrades(grades, query, item, files),
      );
    });
    return { ...read, items, faults: [...read.faults, ...judged.faults] };
  }
  const items = read.items.map((item) => {
    const ids = item.expected === undefined ? [] : (labelsIn(wantedSet(item.expected, read.isText)) ?? []);
    const grades = new Map(ids.map((id) => [String(id).normalize('NFC'), 1]));
    return related(item, grades.size > 0 ? ofGrades(grades, item.name, item, files) : undefined);
  });
  return { ...read, items };
}

function judgedRelevance(
  item: ExperimentItem,
  known: Known | undefined,
  files: QueryFiles,
  own: HitGrades,
): Relevance {
  const query = item.files[0]?.sha256 ?? itemSha256(item);
  const judged = (id: string) => own.of(query, id, files.sha256(id));
  const rights = own.rights(query);
  const { total = rights.length, best = (k: number) => rights.slice(0, k), labelOf } = known ?? {};
  return {
    ...(labelOf && { labelOf }),
    query,
    judged,
    total,
    best,
    contentOf: (id) => files.sha256(id),
    gradeOf: (id) => {
      const grade = judged(id);
      return typeof grade === 'number' ? grade : known?.gradeOf(id);
    },
    isQuery: known?.isQuery ?? ((id) => files.isQuery(id, item.name, item)),
    isOpen: known === undefined && rights.length === 0,
  };
}

/** People's judgements of hits beside an experiment; none before the first. @param path absolute, of the experiment */
export async function hitJudgementsOf(path: string): Promise<HitJudgement[]> {
  const bytes = await readInput(qrelsPlace(path), LARGEST_QRELS).catch(() => undefined);
  const text = bytes ? decodedText(bytes) : '';
  return typeof text === 'string' ? hitJudgementsIn(text) : [];
}

const NO_GRADES: { readonly grades: Grades; readonly faults: readonly ItemFault[] } = {
  grades: new Map(),
  faults: [],
};

interface QueryFile {
  readonly path: string;
  readonly sha256: string;
}

/** A hit: its id as queries and judgements are written, its file, where that is a query, and the folder that its path names. */
interface NamedHit {
  readonly id: string;
  readonly file: QueryFile | undefined;
  readonly folder: string | undefined;
}

/** The files of all queries, by the ids that they have in a scope: the ends of their paths, or those of their places. */
class QueryFiles {
  readonly #byName = new Map<string, QueryFile[]>();
  readonly #byPlace = new Map<string, QueryFile>();
  /** Each is a hit of many queries. */
  readonly #hits = new Map<string, NamedHit>();

  constructor(items: readonly ExperimentItem[]) {
    for (const { files } of items)
      for (const { path, sha256, filename, uri } of files) {
        const own = { path: path.split(sep).join('/').normalize('NFC'), sha256 };
        const name = own.path.slice(own.path.lastIndexOf('/') + 1);
        const known = this.#byName.get(name);
        if (known) known.push(own);
        else this.#byName.set(name, [own]);
        this.#byPlace.set(placedId(filename, uri), own);
      }
  }

  hit(id: string): NamedHit {
    const known = this.#hits.get(id) ?? this.#named(id.normalize('NFC'));
    this.#hits.set(id, known);
    return known;
  }

  #named(id: string): NamedHit {
    const named = this.#byName.get(id.slice(id.lastIndexOf('/') + 1)) ?? [];
    const file = named.find(({ path }) => path.endsWith(`/${id}`)) ?? this.#byPlace.get(id);
    return { id, file, folder: (file?.path ?? id).split('/').at(-2) };
  }

  /** The content of the file that a hit names. */
  sha256(id: string): string | undefined {
    return this.hit(id).file?.sha256;
  }

  /** Whether a hit is the query: by its id, or by the same content in another file. */
  isQuery(id: string, query: string, { files }: ExperimentItem): boolean {
    if (id === query) return true;
    const content = this.sha256(id);
    return content !== undefined && files.some(({ sha256 }) => sha256 === content);
  }
}

/** Folder → content → how many of its files have it. */
function folderCounts(items: readonly ExperimentItem[]): Map<string, Map<string, number>> {
  const folders = new Map<string, Map<string, number>>();
  for (const item of items) {
    const contents = folders.get(String(item.expected)) ?? new Map<string, number>();
    folders.set(String(item.expected), contents);
    const content = item.files[0]?.sha256 ?? item.name;
    contents.set(content, (contents.get(content) ?? 0) + 1);
  }
  return folders;
}

/** Right are the other files of its folder; one that is alone in it has nothing to find. */
function ofFolder(
  item: ExperimentItem,
  files: QueryFiles,
  folders: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Known | undefined {
  const label = String(item.expected);
  const contents = folders.get(label) ?? new Map<string, number>();
  const all = [...contents.values()].reduce((sum, count) => sum + count, 0);
  const total = all - (contents.get(item.files[0]?.sha256 ?? item.name) ?? 0);
  if (total === 0) return undefined;
  // Ids of another indexer may look like paths, and name the query in another way.
  const isOther = (id: string) => files.hit(id).file === undefined && endOf(id) === endOf(item.name);
  const labelOf = (id: string) => {
    const { file, folder = '' } = files.hit(id);
    return file || folders.has(folder) ? folder : undefined;
  };
  return {
    total,
    labelOf,
    isQuery: (id) => files.isQuery(id, item.name, item) || isOther(id),
    best: (k) => Array.from({ length: Math.min(k, total) }, () => 1),
    gradeOf: (id) => {
      const folder = labelOf(id);
      return folder === undefined ? undefined : Number(folder === label);
    },
  };
}

/** The folder and the name in a path, without the ending. */
function endOf(path: string): string {
  return path
    .normalize('NFC')
    .split(/[/\\]/)
    .slice(-2)
    .join('/')
    .replace(/\.[^./]+$/, '');
}

function ofGrades(
  grades: ReadonlyMap<string, number>,
  query: string,
  item: ExperimentItem,
  files: QueryFiles,
): Known {
  const isQuery = (id: string) => files.isQuery(id, query, item);
  const right = [...grades].filter(([id, grade]) => grade > 0 && !isQuery(id)).map(([, grade]) => grade);
  right.sort((a, b) => b - a);
  return {
    total: right.length,
    best: (k) => right.slice(0, k),
    gradeOf: (id) => grades.get(files.hit(id).id),
    isQuery,
  };
}

/** The judgements of a file, and its unreadable lines. */
async function gradesIn(
  path: string,
  folder: string,
): Promise<{ readonly grades: Grades; readonly faults: readonly ItemFault[] } | ItemFault> {
  const file = await ownFile(path, folder);
  if (typeof file !== 'string') return file;
  const bytes = await readInput(file, LARGEST_QRELS).catch((error: unknown) => unreadableFault(path, error));
  if ('fault' in bytes) return bytes;
  const text = decodedText(bytes);
  return typeof text === 'string' ? readGrades(text) : { ...text, path };
}

/** BEIR has three columns below a head, TREC four without one; the number of columns tells. */
export function readGrades(text: string): { readonly grades: Grades; readonly faults: readonly ItemFault[] } {
  const grades = new Map<string, Map<string, number>>();
  const faults: ItemFault[] = [];
  let isHead = true;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const cells = line.includes('\t') ? line.split('\t') : line.trim().split(/\s+/);
    const named = cells.map((cell) => cell.normalize('NFC'));
    const [query = '', hit = '', grade = ''] = cells.length === 4 ? named.toSpliced(1, 1) : named;
    const isNumber = /^\s*-?\d{1,9}(?:\.0+)?\s*$/.test(grade);
    if ((cells.length === 3 || cells.length === 4) && isNumber) {
      const own = grades.get(query) ?? new Map<string, number>();
      grades.set(query, own.set(hit, Number(grade)));
    } else if (!(isHead && !/\d/.test(grade)) && faults.length < MOST_FAULTS)
      faults.push({
        fault: 'line',
        line: index + 1,
        detail: l10n.t('it is no judgement: query, hit and a whole number'),
      });
    isHead = false;
  }
  return { grades, faults };
}
