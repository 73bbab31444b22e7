import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { eventually, WAIT_MS } from './eventually';
import { cacheFolder, root } from './paths';
import { Start } from './startWait';
import type { Steps } from './steps';
import { dropOn, type LooseFile, pasteInto, webviewTitled } from './webviews';

/** The verbs of a VS Code window: a user's actions in it, and a user's view of it. */
export class Workbench {
  /** Errors that the page's console saw and that are ours, not this host's. */
  readonly errors: string[] = [];
  #slowness = 1;
  /** How long each part of the last start took, in words. */
  startedIn = '';

  constructor(
    readonly page: Page,
    /** The actions in it so far, in words; the verbs below add to it. */
    readonly steps: Steps,
  ) {
    page.setDefaultTimeout(WAIT_MS);
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const { url, lineNumber, columnNumber } = message.location();
      const said = `${message.text()} (${url}:${lineNumber + 1}:${columnNumber + 1})`;
      if (isOurs(said)) this.errors.push(said);
    });
    page.on('pageerror', (error) => {
      const said = error.stack ?? error.message;
      if (isOurs(said)) this.errors.push(said);
    });
  }

  /** The factor by which the window took longer than usual to start, at least 1: limits of verbs are scaled by it. */
  get slowness(): number {
    return this.#slowness;
  }

  /** Goes to an address, if one is given, and waits until the workbench is loaded and the extension has started. */
  async ready(address?: string): Promise<void> {
    const start = new Start();
    const { page } = this;
    if (address !== undefined)
      await start.waitFor('VS Code’s page', (timeout) => page.goto(address, { timeout }));
    await start.waitFor('VS Code’s window', (timeout) =>
      page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout }),
    );
    await start.waitFor('the extension host', (timeout) =>
      this.statusBarItem('modelBench.wallet').waitFor({ timeout }),
    );
    this.startedIn = start.parts;
    this.#slowness = Math.max(this.#slowness, start.slowness);
    page.setDefaultTimeout(WAIT_MS * this.#slowness);
  }

  /** A limit of a quiet machine, scaled for this one. */
  limit(ms: number): number {
    return ms * this.#slowness;
  }

  // ---- commands and quick input

  /** Runs a command by its title, as the command palette shows it: "Model Bench: Refresh". */
  async runCommand(title: string): Promise<void> {
    this.steps.add(`ran the command “${title}”`);
    await this.inPalette(async () => {
      await this.quickInputBox.fill(`>${title}`, { timeout: this.limit(10_000) });
      await this.quickPickRow(title)
        .first()
        .click({ timeout: this.limit(20_000) });
    });
    // The palette is gone, or has become the command's own question: later steps must not read its rows.
    for (const end = Date.now() + this.limit(10_000); Date.now() < end; ) {
      if (!(await this.quickInput.isVisible().catch(() => false))) return;
      const text = await this.quickInputBox.inputValue({ timeout: this.limit(1000) }).catch(() => '');
      if (text !== `>${title}`) return;
      // A command that reloads the window takes this page's world away.
      await this.page.evaluate(() => new Promise(requestAnimationFrame)).catch(() => undefined);
    }
  }

  /**
   * Opens the palette and acts in it. Repeats this if another element took the focus a moment late and closed it, and
   * if it lacks the command: it lists those of the moment it was opened, perhaps before we were connected.
   */
  async inPalette(act: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.openPalette();
      try {
        return await act();
      } catch (error) {
        if (tries === 3) throw error;
        if (await this.quickInput.isVisible()) await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Opens the command palette by its key: again where something that is just being opened took the focus from it. */
  private async openPalette(): Promise<void> {
    const focused = this.quickInputBox.and(this.page.locator(':focus'));
    for (let tries = 0; tries < 5; tries += 1) {
      await this.page.keyboard.press('F1');
      const isOpen = await focused.waitFor({ timeout: this.limit(5000) }).then(
        () => true,
        () => false,
      );
      if (isOpen) return;
    }
    throw new Error('F1 opens no palette.');
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget').filter({ visible: true });
  }

  get quickInputBox(): Locator {
    return this.quickInput.locator('.quick-input-box input');
  }

  /** A row of the open quick pick with the label `label`. */
  quickPickRow(label: string | RegExp): Locator {
    const exact = typeof label === 'string' ? new RegExp(`^\\s*${escaped(label)}\\s*$`) : label;
    return this.quickInput
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: this.page.locator('.quick-input-list-label .label-name', { hasText: exact }) });
  }

  /** Types into the open input box or quick pick, and accepts. `expected` is part of its title or prompt. */
  async answerQuickInput(text: string, expected?: string | RegExp): Promise<void> {
    this.steps.add(`answered ${inWords(expected)}`);
    await this.expectQuickInput(expected);
    await this.quickInputBox.fill(text);
    await this.quickInputBox.press('Enter');
  }

  async pick(label: string | RegExp, expected?: string | RegExp): Promise<void> {
    this.steps.add(`picked “${label}” ${inWords(expected)}`);
    await this.expectQuickInput(expected);
    await this.quickPickRow(label).first().click();
  }

  /** Waits for the quick input with `expected` in its title, placeholder or prompt. */
  async expectQuickInput(expected?: string | RegExp, timeout = this.limit(WAIT_MS)): Promise<void> {
    await this.quickInput.waitFor({ timeout });
    if (expected === undefined) return;
    const byText = this.quickInput.filter({ hasText: expected });
    const byPlaceholder = this.quickInput.filter({ has: this.page.getByPlaceholder(expected) });
    await byText.or(byPlaceholder).waitFor({ timeout });
  }

  /** Runs a command that asks something, and answers: see `whenAsked`. */
  runCommandThatAsks(title: string, expected: string | RegExp, answer: () => Promise<void>): Promise<void> {
    return this.whenAsked(() => this.runCommand(title), expected, answer);
  }

  /**
   * Does something that brings a question, and answers it. VS Code gives a webview its focus back after the palette or a
   * menu has closed: late, that closes the question too, and it is asked for again.
   */
  async whenAsked(
    ask: () => Promise<void>,
    expected: string | RegExp,
    answer: () => Promise<void>,
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      // A question that is there may only be slow.
      if (tries === 1 || !(await this.quickInput.isVisible())) await ask();
      try {
        await this.expectQuickInput(expected, this.limit(20_000));
        await answer();
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  openWalkthrough(title: RegExp): Promise<void> {
    return this.runCommandThatAsks('Welcome: Open Walkthrough...', /walkthrough/i, () => this.pick(title));
  }

  /** The labels of the rows of the open quick pick. */
  async quickPickLabels(): Promise<string[]> {
    await this.quickInput.locator('.monaco-list-row').first().waitFor();
    return this.quickInput.locator('.quick-input-list-label .label-name').allInnerTexts();
  }

  // ---- notifications and dialogs

  /** A notification that says `text`. */
  notification(text: string | RegExp): Locator {
    return this.page
      .locator('.notifications-toasts .notification-list-item, .notifications-center .notification-list-item')
      .filter({ hasText: text, visible: true })
      .first();
  }

  /** Waits for a notification, and resolves to its text. */
  async notificationText(text: string | RegExp): Promise<string> {
    this.steps.add(`waited for the notification “${text}”`);
    const shown = await this.shownNotification(text);
    return ((await shown.locator('.notification-list-item-message').textContent()) ?? '').trim();
  }

  /**
   * A notification, on show. VS Code shows none of those that come too thick and fast, and hides the others after
   * ten seconds: they are behind the bell then, where a user looks for them too.
   */
  private async shownNotification(text: string | RegExp): Promise<Locator> {
    const notification = this.notification(text);
    const bell = this.statusBarItem('status.notifications').locator('.codicon-bell-dot');
    const isShown = () =>
      notification.waitFor({ timeout: this.limit(5000) }).then(
        () => true,
        () => false,
      );
    for (let tries = 0; tries < 6 && !(await isShown()); tries += 1)
      if (await bell.isVisible()) await bell.click();
    return notification;
  }

  /** Every notification now on show. */
  async notifications(): Promise<string[]> {
    return this.page
      .locator('.notifications-toasts .notification-list-item-message')
      .filter({ visible: true })
      .allInnerTexts();
  }

  async clickNotificationAction(text: string | RegExp, action: string): Promise<void> {
    this.steps.add(`chose “${action}” in the notification “${text}”`);
    const notification = await this.shownNotification(text);
    await notification.hover();
    await notification.getByRole('button', { name: action, exact: true }).click();
  }

  async closeNotification(text: string | RegExp): Promise<void> {
    this.steps.add(`closed the notification “${text}”`);
    const notification = await this.shownNotification(text);
    await notification.hover();
    await notification.getByRole('button', { name: /^Clear Notification/ }).click();
    await notification.waitFor({ state: 'hidden' });
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
  }

  /** The open modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** The text of the open modal dialog. */
  async dialogText(): Promise<string> {
    const texts = this.dialog.locator('.dialog-message-text, .dialog-message-detail');
    await texts.first().waitFor();
    return (await texts.allInnerTexts()).join('\n').trim();
  }

  async clickDialogButton(name: string): Promise<void> {
    this.steps.add(`chose “${name}” in the dialog`);
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }

  // ---- side bar, trees, status bar

  /** Shows the extension's own side bar. */
  async showModelBench(): Promise<void> {
    await this.showViewContainer('Model Bench');
  }

  async showExplorer(): Promise<void> {
    await this.showViewContainer('Explorer');
  }

  private async showViewContainer(name: string): Promise<void> {
    const tab = this.page.locator(`.activitybar .action-item:has(a[aria-label^="${name}"])`).first();
    const open = this.page.locator('.part.sidebar .composite.title', { hasText: name });
    // A click on a just opened menu may hide it: then click again.
    while (!(await open.isVisible())) {
      await tab.click();
      // Left on it, the mouse brings up a tooltip that lies over the first rows of the view.
      await this.page.mouse.move(0, 0);
      await open.waitFor({ timeout: this.limit(5000) }).catch(() => undefined);
    }
  }

  /** One view of the side bar, by its title. */
  view(title: string): Locator {
    return this.page
      .locator('.part.sidebar .pane, .part.panel .pane')
      .filter({ has: this.page.locator('.pane-header', { hasText: new RegExp(escaped(title), 'i') }) });
  }

  /** A row of a view's tree with `label` in its label. */
  treeRow(viewTitle: string, label: string | RegExp): Locator {
    return this.view(viewTitle)
      .getByRole('treeitem')
      .filter({ has: this.page.locator('.label-name', { hasText: label }) })
      .first();
  }

  /** The texts of a view's rows that are on screen, as they read. */
  async treeRows(viewTitle: string): Promise<string[]> {
    const rows = await this.view(viewTitle).getByRole('treeitem').locator('.monaco-icon-label').all();
    const parts = '.label-name, .label-description';
    const texts = await Promise.all(rows.map((row) => row.locator(parts).allInnerTexts()));
    return texts.map((words) => words.join(' ').replaceAll(/\s+/g, ' ').trim());
  }

  async expandTreeRow(viewTitle: string, label: string | RegExp): Promise<void> {
    this.steps.add(`expanded “${label}” in ${viewTitle}`);
    const row = this.treeRow(viewTitle, label);
    await row.waitFor();
    await this.#expand(row, row.locator('.monaco-tl-twistie'));
  }

  /** A click on a row that is being drawn again is lost, and repeated. An opened folder may get another label. */
  async #expand(row: Locator, twistie: Locator): Promise<void> {
    const closed = row.and(this.page.locator('[aria-expanded=false]'));
    const timeout = this.limit(20_000);
    while (await closed.isVisible())
      await twistie
        .click({ timeout })
        .then(() => closed.waitFor({ state: 'hidden', timeout }))
        .catch(() => undefined);
  }

  /** Clicks a button that a row has under the mouse alone; the row moves when another one comes above it. */
  async rowAction(row: Locator, name: string): Promise<void> {
    this.steps.add(`clicked “${name}” in a row`);
    await eventually(async () => {
      await row.hover();
      await row.getByRole('button', { name }).click({ timeout: this.limit(5000) });
    });
  }

  /** The welcome view of a view that has nothing to show. */
  welcome(viewTitle: string): Locator {
    return this.view(viewTitle).locator('.welcome-view-content');
  }

  /** A status bar item, by the id that its extension gave it. */
  statusBarItem(id: string): Locator {
    return this.page.locator(`.part.statusbar [id$="${id}"]`);
  }

  async statusBarText(id: string): Promise<string> {
    return ((await this.statusBarItem(id).textContent()) ?? '').trim();
  }

  // ---- the Explorer

  /** A file or folder in the Explorer, by its name. */
  explorerItem(name: string): Locator {
    return this.page
      .locator('.explorer-folders-view')
      .getByRole('treeitem')
      .filter({ has: this.page.locator('.label-name', { hasText: new RegExp(`^${escaped(name)}$`) }) });
  }

  /** Expands folders and resolves to the last part: `['images', 'cat.png']`. */
  async revealInExplorer(...parts: readonly string[]): Promise<Locator> {
    this.steps.add(`looked for ${parts.join('/')} in the Explorer`);
    await this.showExplorer();
    for (const folder of parts.slice(0, -1)) {
      const item = this.explorerItem(folder);
      await item.waitFor();
      await this.#expand(item, item);
    }
    const last = this.explorerItem(parts.at(-1)!);
    await last.waitFor();
    return last;
  }

  /** Waits until an item of the Explorer carries this badge; '' waits until it carries none. */
  async waitForBadge(item: Locator, badge: string): Promise<void> {
    this.steps.add(`waited for the badge “${badge}”`);
    // VS Code draws badges by style sheet alone: they are no element's text.
    const shown = () =>
      item.locator('.monaco-icon-label').evaluate((label) => {
        const content = getComputedStyle(label, '::after').content;
        return content === 'none' || content === 'normal' ? '' : content.replaceAll('"', '');
      });
    await eventually(async () => assert.equal(await shown(), badge, 'the badge'));
  }

  /**
   * Right-clicks something and chooses from its context menu. Repeats this if the menu was closed before that: it
   * closes when a page that is just being opened takes the focus.
   */
  async contextMenu(target: Locator, item: string): Promise<void> {
    this.steps.add(`chose “${item}” in the context menu of ${target}`);
    const entry = this.menuItem(item);
    for (let opened = 1; ; opened += 1) {
      await target.click({ button: 'right' });
      try {
        // In the Explorer, the commands are in a submenu.
        const submenu = this.menuItem('Model Bench');
        await entry
          .or(submenu)
          .first()
          .waitFor({ timeout: this.limit(10_000) });
        if (!(await entry.isVisible())) await submenu.hover({ timeout: this.limit(10_000) });
        await entry.waitFor({ timeout: this.limit(10_000) });
        // For 100 ms a menu takes no click, so that a quick right click chooses nothing. This timer ends after its own.
        await entry.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
        await entry.click({ timeout: this.limit(10_000) });
        await entry.waitFor({ state: 'hidden', timeout: this.limit(10_000) });
        return;
      } catch (error) {
        if (opened === 3) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  menuItem(label: string): Locator {
    return this.page
      .locator('.monaco-menu')
      .getByRole('menuitem', { name: new RegExp(`^${escaped(label)}`) });
  }

  // ---- webviews

  /** An editor's tab, by its title. */
  editorTab(title: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: title });
  }

  activeEditorTab(title: string | RegExp): Locator {
    return this.page.locator('.editor-group-container.active .tab.active').filter({ hasText: title });
  }

  /**
   * The document inside the webview on screen in the panel with this title, once it is there. Reloads and hidden
   * panels replace it: ask again after one.
   */
  async webview(title: string | RegExp): Promise<Frame> {
    this.steps.add(`waited for the webview “${title}”`);
    return webviewTitled(this.page, title, this.limit(WAIT_MS));
  }

  /** Drops files on an element of a webview, as the operating system would. */
  async drop(target: Locator, files: readonly LooseFile[]): Promise<void> {
    this.steps.add(`dropped ${files.map(({ name }) => name).join(', ')}`);
    await dropOn(target, files);
  }

  /** Pastes files into an element of a webview. */
  async paste(target: Locator, files: readonly LooseFile[]): Promise<void> {
    this.steps.add(`pasted ${files.map(({ name }) => name).join(', ')}`);
    await pasteInto(target, files);
  }
}

/**
 * The host itself logs a lot that it misses here; messages with the name of the extension or its webviews are ours. A
 * window that closes or reloads breaks off VS Code's own reading of our files, such as a log or a skill, and reports it
 * with their names. VS Code's messages about its own files name the folder of this clone.
 */
function isOurs(text: string): boolean {
  if (
    /Unable to read file '.*' \(Canceled: Canceled\)|failed to validate skill file: \S+ Canceled/.test(text)
  )
    return false;
  const said = text.replaceAll(cacheFolder, '').replaceAll(root, '');
  return /model-?bench/i.test(said) || /vscode-resource|fake\.html/.test(said);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The question that a verb answers, for the steps. */
function inWords(expected: string | RegExp | undefined): string {
  return expected === undefined ? 'the open quick input' : `the quick input “${expected}”`;
}
