import type { TreeNode } from '../../../src/results/resultView';

/**
 * The open nodes of the tree, and their known children. Children come a hundred at a time: a container with more
 * shows ranges ("100 … 199"), and one with very many shows ranges of ranges.
 */
const PAGE = 100;

interface Place {
  readonly id: string;
  readonly level: number;
  /** 1-based, among `of` siblings. */
  readonly at: number;
  readonly of: number;
  readonly open: boolean;
}

export type TreeRow =
  | (Place & { readonly kind: 'node'; readonly node: TreeNode })
  | (Place & Range & { readonly kind: 'range' })
  | (Place & { readonly kind: 'wait' });

export type LoadChildren = (pointer: string, from: number, count: number) => Promise<readonly TreeNode[]>;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The ranges of a container with children `from`..`to`; undefined when they fit on one page. */
function rangesOf({ from, to }: Range): Range[] | undefined {
  if (to - from <= PAGE) return undefined;
  let step = PAGE;
  while ((to - from) / step > PAGE) step *= PAGE;
  const ranges: Range[] = [];
  for (let at = from; at < to; at += step) ranges.push({ from: at, to: Math.min(to, at + step) });
  return ranges;
}

const rangeId = (pointer: string, { from, to }: Range) => `${pointer}#${from}-${to}`;

export class TreeModel {
  readonly #open = new Set<string>();
  readonly #pages = new Map<string, readonly TreeNode[]>();

  constructor(
    readonly root: TreeNode,
    private readonly load: LoadChildren,
  ) {}

  /** Every row that shows, top to bottom. */
  rows(): TreeRow[] {
    const rows: TreeRow[] = [];
    this.#addNode(rows, this.root, 1, 1, 1);
    return rows;
  }

  close(row: TreeRow): void {
    this.#open.delete(row.id);
  }

  /** Opens a row and loads the children it needs. */
  async open(row: TreeRow): Promise<void> {
    if (row.kind === 'wait') return;
    if (row.kind === 'node' && row.node.size === 0) return;
    this.#open.add(row.id);
    const pointer = row.kind === 'node' ? row.node.pointer : row.id.slice(0, row.id.lastIndexOf('#'));
    const range = row.kind === 'node' ? { from: 0, to: row.node.size } : row;
    if (!rangesOf(range)) await this.#loadPage(pointer, range);
  }

  /** Opens everything on the way to a node; `path` is its place at each level. Returns its pointer. */
  async reveal(path: readonly number[]): Promise<string> {
    let node = this.root;
    for (const at of path) {
      this.#open.add(node.pointer);
      let range: Range = { from: 0, to: node.size };
      for (let ranges = rangesOf(range); ranges; ranges = rangesOf(range)) {
        const inside = ranges.find(({ from, to }) => at >= from && at < to);
        if (!inside) return node.pointer;
        range = inside;
        this.#open.add(rangeId(node.pointer, range));
      }
      const child = (await this.#loadPage(node.pointer, range))[at - range.from];
      if (!child) return node.pointer;
      node = child;
    }
    return node.pointer;
  }

  async #loadPage(pointer: string, range: Range): Promise<readonly TreeNode[]> {
    const id = rangeId(pointer, range);
    const known = this.#pages.get(id);
    if (known) return known;
    const page = await this.load(pointer, range.from, range.to - range.from);
    this.#pages.set(id, page);
    return page;
  }

  #addNode(rows: TreeRow[], node: TreeNode, level: number, at: number, of: number): void {
    const open = node.size > 0 && this.#open.has(node.pointer);
    rows.push({ kind: 'node', id: node.pointer, node, level, at, of, open });
    if (open) this.#addRange(rows, node.pointer, { from: 0, to: node.size }, level + 1);
  }

  #addRange(rows: TreeRow[], pointer: string, range: Range, level: number): void {
    const ranges = rangesOf(range);
    if (ranges) {
      ranges.forEach((inner, index) => {
        const id = rangeId(pointer, inner);
        const open = this.#open.has(id);
        rows.push({ kind: 'range', id, ...inner, level, at: index + 1, of: ranges.length, open });
        if (open) this.#addRange(rows, pointer, inner, level + 1);
      });
      return;
    }
    const page = this.#pages.get(rangeId(pointer, range));
    if (!page) {
      rows.push({ kind: 'wait', id: `${pointer}#wait`, level, at: 1, of: 1, open: false });
      return;
    }
    page.forEach((node, index) => {
      this.#addNode(rows, node, level, index + 1, page.length);
    });
  }
}
