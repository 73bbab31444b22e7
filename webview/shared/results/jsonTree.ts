import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import { segmentsOf } from '../../../src/domain/pointer';
import type { TreeMatches, TreeNode } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { plainLine, visibleText } from '../../../src/wording/plainText';
import { typedIn } from '../controls';
import { define, ResultElement, resultButton } from '../element';
import { errorMessage } from '../errorMessage';
import { TreeModel, type TreeRow } from './treeModel';
import { MOST_ROWS, scrollToShow, windowOf } from './windowed';

const ROW = 24;

/** A JSON tree of any size: the page holds only visible rows, the host sends only opened levels. */
class JsonTree extends ResultElement<TreeNode> {
  static override properties = {
    top: { state: true },
    active: { state: true },
    treeMatches: { state: true },
    foundAt: { state: true },
  };
  declare top: number;
  /** The id of the row with the keyboard focus. */
  declare active: string;
  declare treeMatches: TreeMatches | undefined;
  declare foundAt: number;
  #model!: TreeModel;
  #rows: TreeRow[] = [];
  #search = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;

  protected reset(): void {
    this.#model = new TreeModel(this.shows, (pointer, from, count) =>
      this.actions.children(pointer, from, count),
    );
    this.active = '';
    this.top = 0;
    this.treeMatches = undefined;
    this.#rows = this.#model.rows();
    if (this.shows.size > 0) void this.#toggle(this.#rows[0]!, true);
  }

  protected override render() {
    const rows = this.#rows;
    const height = Math.min(rows.length, 20) * ROW;
    const shown = windowOf(this.top ?? 0, height, ROW, Math.min(rows.length, MOST_ROWS));
    const active = rows.find((row) => row.id === this.active);
    const pointer = active?.kind === 'node' ? active.node.pointer : '';
    return html`<div class="mb-tools line wraps" role="toolbar" aria-label=${l10n.t('JSON')}>
        <input type="search" placeholder=${l10n.t('Search in the JSON')} aria-label=${l10n.t('Search in the JSON')}
          @input=${this.#type} @keydown=${this.#searchKey} />
        <span class="mb-note" role="status">${this.#foundText()}</span>
        ${resultButton(l10n.t('Copy JSON Path'), () => this.actions.copyText(pathText(pointer)))}
        ${resultButton(l10n.t('Copy Value'), () => this.actions.copyValue(pointer))}
        ${resultButton(l10n.t('Use As…'), () => this.actions.useAs(pointer))}
        ${resultButton(l10n.t('Open in Editor'), () => this.actions.openValue(pointer))}
      </div>
      ${this.problem === undefined ? nothing : html`<p class="mb-note" role="alert">${this.problem}</p>`}
      <div class="mb-tree" role="tree" tabindex="0" aria-label=${l10n.t('The result as JSON')} aria-activedescendant=${this.#domId(active)}
        .style=${`height:${height}px`} @scroll=${this.#scroll} @keydown=${this.#key}>
        <div class="mb-sizer" role="presentation" .style=${`height:${Math.min(rows.length, MOST_ROWS) * ROW}px`}>
          ${rows.slice(shown.first, shown.last).map((row, index) => this.#row(row, shown.first + index))}
        </div>
      </div>`;
  }

  #row(row: TreeRow, at: number) {
    const opens = row.kind === 'range' || (row.kind === 'node' && row.node.size > 0);
    const isMatch = this.treeMatches?.matches[this.foundAt]?.pointer === row.id;
    return html`<div id=${this.#domId(row, at)} role="treeitem" class="mb-row ${row.id === this.active ? 'mb-active' : ''} ${isMatch ? 'mb-found' : ''}"
      aria-level=${row.level} aria-posinset=${row.at} aria-setsize=${row.of} aria-selected=${row.id === this.active}
      aria-expanded=${opens ? String(row.open) : nothing}
      .style=${`top:${at * ROW}px;padding-inline-start:${(row.level - 1) * 14 + 4}px`}
      data-vscode-context=${row.kind === 'node' ? this.#context(row.node.pointer) : nothing}
      @contextmenu=${() => {
        this.active = row.id;
      }}
      @click=${() => this.#click(row)}>
      <span class="codicon ${opens ? (row.open ? 'codicon-chevron-down' : 'codicon-chevron-right') : ''}" aria-hidden="true"></span>
      ${rowContent(row)}
    </div>`;
  }

  #context(pointer: string): string {
    const { result } = this.actions;
    return JSON.stringify({
      webviewSection: 'modelValue',
      result,
      pointer,
      preventDefaultContextMenuItems: true,
    });
  }

  #foundText(): string {
    if (!this.treeMatches) return '';
    const count = this.treeMatches.matches.length;
    if (count === 0) return l10n.t('Not found');
    return l10n.t(
      '{0} of {1}',
      formatNumber(this.foundAt + 1),
      `${formatNumber(count)}${this.treeMatches.more ? '+' : ''}`,
    );
  }

  #domId(row: TreeRow | undefined, at?: number): string {
    // Pointers may contain any character, so the id is the row's position.
    return row === undefined ? '' : `mb-node-${at ?? this.#rows.indexOf(row)}`;
  }

  #click(row: TreeRow) {
    this.active = row.id;
    void this.#toggle(row, !row.open);
  }

  async #toggle(row: TreeRow, open: boolean) {
    if (!open) this.#model.close(row);
    else {
      try {
        const opened = this.#model.open(row);
        this.#refresh();
        await opened;
        this.problem = undefined;
      } catch (error) {
        this.#model.close(row);
        this.problem = errorMessage(error);
      }
    }
    this.#refresh();
  }

  #refresh() {
    this.#rows = this.#model.rows();
    this.requestUpdate();
  }

  #scroll(event: Event) {
    this.top = (event.target as Element).scrollTop;
  }

  #key(event: KeyboardEvent) {
    const rows = this.#rows;
    const at = Math.max(
      0,
      rows.findIndex((row) => row.id === this.active),
    );
    const row = rows[at]!;
    const page = 10;
    const moves: { [key: string]: number | undefined } = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const to = moves[event.key];
    if (to !== undefined) this.#go(to);
    else if (event.key === 'ArrowRight') {
      if (row.open) this.#go(at + 1);
      else void this.#toggle(row, true);
    } else if (event.key === 'ArrowLeft') {
      if (row.open) void this.#toggle(row, false);
      else this.#go(rows.findLastIndex((above, index) => index < at && above.level < row.level));
    } else if (event.key === 'Enter' || event.key === ' ') void this.#toggle(row, !row.open);
    else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && row.kind === 'node')
      void this.actions.copyValue(row.node.pointer);
    else return;
    event.preventDefault();
  }

  #go(to: number) {
    const at = Math.min(this.#rows.length - 1, Math.max(0, to));
    this.active = this.#rows[at]!.id;
    const box = this.querySelector('.mb-tree');
    const top = box && scrollToShow(at, box.scrollTop, box.clientHeight, ROW);
    if (box && top !== null && top !== undefined) {
      box.scrollTop = top;
      this.top = top;
    }
  }

  #type(event: Event) {
    clearTimeout(this.#typing);
    const text = typedIn(event);
    this.#typing = setTimeout(() => void this.#find(text), 200);
  }

  #searchKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !this.treeMatches?.matches.length) return;
    event.preventDefault();
    const count = this.treeMatches.matches.length;
    this.foundAt = (this.foundAt + (event.shiftKey ? count - 1 : 1)) % count;
    void this.#reveal();
  }

  async #find(text: string) {
    this.#search.abort();
    const search = new AbortController();
    this.#search = search;
    if (text === '') {
      this.treeMatches = undefined;
      return;
    }
    try {
      const matches = await this.actions.search(text, search.signal);
      if (search.signal.aborted) return;
      this.treeMatches = matches;
      this.foundAt = 0;
      await this.#reveal();
    } catch (error) {
      if (!search.signal.aborted) this.problem = errorMessage(error);
    }
  }

  async #reveal() {
    const match = this.treeMatches?.matches[this.foundAt];
    if (!match) return;
    const pointer = await this.#model.reveal(match.path);
    this.#refresh();
    await this.updateComplete;
    const at = this.#rows.findIndex((row) => row.id === pointer);
    if (at >= 0) this.#go(at);
  }
}

/** As code shows them. */
const LOOKS: Readonly<Record<string, string>> = {
  string: 'token-string',
  number: 'token-number',
  boolean: 'token-keyword',
  null: 'token-keyword',
  object: 'mb-dim',
  array: 'mb-dim',
};

function rowContent(row: TreeRow) {
  if (row.kind === 'wait') return html`<span class="mb-dim">…</span>`;
  if (row.kind === 'range') return html`<span class="mb-dim">[${row.from} … ${row.to - 1}]</span>`;
  const { node } = row;
  const key = node.key === undefined ? '' : `${plainLine(String(node.key))}: `;
  const count =
    node.type === 'array'
      ? `[${formatNumber(node.size)}] `
      : node.type === 'object'
        ? `{${formatNumber(node.size)}} `
        : '';
  return html`<span class="mb-key">${key}</span><span class="mb-dim">${count}</span><span class="mb-value ${LOOKS[node.type]}">${row.open ? '' : visibleText(node.preview)}</span>`;
}

/** A pointer as code: `choices[0].message["a b"]`; `$` for the whole. */
function pathText(pointer: string): string {
  const text = segmentsOf(pointer)
    .map((segment) =>
      /^\d+$/.test(segment)
        ? `[${segment}]`
        : /^[A-Za-z_$][\w$]*$/.test(segment)
          ? `.${segment}`
          : `[${JSON.stringify(segment)}]`,
    )
    .join('');
  return text === '' ? '$' : text.replace(/^\./, '');
}

define('mb-json-tree', JsonTree);
