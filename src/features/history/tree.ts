import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { PastJob } from '../../domain/pastJob';
import type { History } from '../../runs/history/history';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import { withTooltip } from '../../vscode/messages/views';
import { once } from '../../vscode/once';
import { byDay, type HistoryNode, pinnedGroup, runTooltip, treeItem } from './nodes';

/** Runs that are shown at first, and that each “Show more” adds. */
const PAGE = 200;
const MOST_JOB_RUNS = 500;

/** The history view. The history itself is opened when the view is first shown. */
export class HistoryTree extends Owner implements vscode.TreeDataProvider<HistoryNode> {
  readonly #changed = this.store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  #most = PAGE;
  #filter = '';
  readonly #history = once(async () => {
    const history = await this.services.history();
    // Runs may be recorded in bursts: the view refreshes at most five times a second.
    const redraw = this.store.soon(200, () => this.#changed.fire(undefined));
    this.store.add({ dispose: history.onDidChange(redraw) });
    this.store.add(this.services.connection.onDidChange(redraw));
    return history;
  });

  constructor(private readonly services: Services) {
    super();
  }

  /** Words that all shown rows contain; empty: no filter. */
  get filter(): string {
    return this.#filter;
  }

  set filter(filter: string) {
    this.#filter = filter.trim();
    this.#most = PAGE;
    this.#changed.fire(undefined);
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    return treeItem(node, this.services.connection.active?.name, () => this.#showMore());
  }

  resolveTreeItem(item: vscode.TreeItem, node: HistoryNode): vscode.TreeItem {
    return node.kind === 'run' ? withTooltip(item, runTooltip(node.run)) : item;
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    try {
      if (!node)
        return this.#filter === ''
          ? this.#all(await this.#history())
          : this.#matchingRows(await this.#history());
      if (node.kind === 'group') return [...node.entries];
      if (node.kind !== 'job') return [];
      const runs = (await this.#history()).jobs.requests(node.id, MOST_JOB_RUNS);
      return runs.map((run) => ({ kind: 'jobRun', job: node.job, run }));
    } catch (error) {
      this.services.log.error(loggedError(error));
      return [{ kind: 'problem', error }];
    }
  }

  #showMore(): void {
    this.#most += PAGE;
    this.#changed.fire(undefined);
  }

  #all(history: History): HistoryNode[] {
    const runs = history.runs.list({ limit: this.#most });
    const left = history.runs.count() - runs.length;
    // Jobs that are older than the last run shown wait with the runs of their time.
    const from = left > 0 ? (runs.at(-1)?.startedAt ?? 0) : 0;
    const jobs = history.jobs.list({ from, limit: this.#most });
    const pinned = history.runs.pinned();
    const count = (time: { readonly from: number; readonly to: number }) =>
      history.runs.count(time) -
      pinned.filter(({ startedAt }) => startedAt >= time.from && startedAt < time.to).length;
    return [
      ...pinnedGroup(pinned),
      // A pinned run has one row, in its group.
      ...byDay(
        runs.filter((run) => !run.pinned),
        jobs,
        count,
      ),
      ...(left > 0 ? [{ kind: 'more' as const, left }] : []),
    ];
  }

  #matchingRows(history: History): HistoryNode[] {
    const runs = history.runs.search(this.#filter, this.#most);
    const jobs = history.jobs.list({ limit: this.#most }).filter((job) => matchesWords(job, this.#filter));
    return byDay(runs, jobs);
  }
}

/** Whether each word begins a word in the kept texts of a job, like the search for runs. */
function matchesWords({ head }: PastJob, words: string): boolean {
  const text = Object.values(head)
    .filter((value) => typeof value === 'string')
    .join('\n');
  const known = searchWords(text);
  return searchWords(words).every((word) => known.some((one) => one.startsWith(word)));
}

function searchWords(text: string): string[] {
  return text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
