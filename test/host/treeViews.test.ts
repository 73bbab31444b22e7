import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { createTreeView } from '../../src/vscode/messages/views';
import { gate } from '../support/gate';
import { extensionId } from '../support/paths';

/** A view of the extension's whose rows are this test's. */
const VIEW = 'modelBench.history';
const OPEN = '_modelBench.test.openRow';
/** VS Code gathers changes for this long. */
const GATHERED_MS = 250;

/** One row, which VS Code gets when the test says so. */
class Rows extends vscode.EventEmitter<string[] | undefined> implements vscode.TreeDataProvider<string> {
  readonly onDidChangeTreeData = this.event;
  description = '';
  /** How often VS Code has drawn the row, or was about to. */
  drawn = 0;
  /** How often VS Code has asked for the rows. */
  asked = 0;
  /** Rows are given when it resolves. */
  given: Promise<unknown> = Promise.resolve();

  getTreeItem(row: string): vscode.TreeItem {
    this.drawn += 1;
    const item = new vscode.TreeItem(row);
    item.id = row;
    item.description = this.description;
    item.command = { command: OPEN, title: 'Open', arguments: [row] };
    return item;
  }

  async getChildren(row?: string): Promise<string[]> {
    if (row !== undefined) return [];
    this.asked += 1;
    await this.given;
    return ['a run'];
  }
}

describe('A row of a tree view', () => {
  const rows = new Rows();
  const opened = new vscode.EventEmitter<string>();
  let view: vscode.TreeView<string>;
  const command = vscode.commands.registerCommand(OPEN, (row: string) => opened.fire(row));

  const untilVisible = async (visible: boolean) => {
    while (view.visible !== visible) await new Promise((seen) => view.onDidChangeVisibility(seen));
  };
  const untilAsked = async (times: number) => {
    while (rows.asked < times) await wait(20);
  };
  /** Presses Enter on the first row; resolves to the row whose command ran. */
  const enterFirstRow = async (ms: number) => {
    const ran = new Promise<string>((resolve) => opened.event(resolve));
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('list.select');
    return Promise.race([ran, wait(ms, 'no command ran')]);
  };

  before(async () => {
    // Its own rows come first: the view has those that were registered last.
    await vscode.extensions.getExtension(extensionId)!.activate();
    view = createTreeView(VIEW, { treeDataProvider: rows });
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await untilAsked(1);
    // VS Code does not say when it has drawn the row.
    while ((await enterFirstRow(500)) !== 'a run');
  });
  after(() => {
    view.dispose();
    command.dispose();
    opened.dispose();
    rows.dispose();
  });

  it('draws a reported row again only when its look changes', async () => {
    const { drawn } = rows;
    rows.fire(['a run']);
    while (rows.drawn === drawn) await wait(20);
    await wait(2 * GATHERED_MS);
    assert.equal(rows.drawn, drawn + 1, 'it was only looked at');
    rows.description = 'finished';
    rows.fire(['a run']);
    while (rows.drawn < drawn + 3) await wait(20);
  });

  it('opens at once in a view that is shown again, after any changes while it was hidden', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await untilVisible(false);
    for (let change = 0; change < 3; change += 1) {
      rows.fire(undefined);
      await wait(GATHERED_MS);
    }
    const before = rows.asked;
    const { opened, open: give } = gate();
    rows.given = opened;
    assert.equal(await enterFirstRow(60_000), 'a run');
    // The change that waited is passed on.
    await untilAsked(before + 1);
    give();
  });
});
