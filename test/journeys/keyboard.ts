import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import type { VSCode } from '../support/vscode';

/** More presses than any way through a page or a view takes. */
const MOST_PRESSES = 80;

/** A window that is used by its keyboard alone. */
export class Keyboard {
  /** Accidental actions of a pointer. */
  readonly pointed: string[] = [];

  private constructor(private readonly vscode: VSCode) {}

  static async of(vscode: VSCode): Promise<Keyboard> {
    const keyboard = new Keyboard(vscode);
    const { page } = vscode;
    await page.exposeFunction('tellPointed', (element: string) => void keyboard.pointed.push(element));
    const watch = () => {
      const tell = (globalThis as unknown as { tellPointed(element: string): void }).tellPointed;
      const told = ({ target }: Event) => tell((target as Element).outerHTML.slice(0, 200));
      document.addEventListener('pointerdown', told, true);
    };
    // In the pages of webviews, and after a reload, too.
    await page.addInitScript(watch);
    await page.evaluate(watch);
    return keyboard;
  }

  async press(key: string): Promise<void> {
    await this.vscode.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.vscode.steps.add(`typed “${text}”`);
    await this.vscode.page.keyboard.type(text);
  }

  /** Runs a command from the palette. */
  async command(title: string): Promise<void> {
    this.vscode.steps.add(`ran the command “${title}” by keys`);
    await this.vscode.inPalette(async () => {
      await this.vscode.page.keyboard.type(title);
      await this.#focusedRow(title).waitFor({ timeout: this.vscode.limit(20_000) });
    });
    await this.press('Enter');
  }

  #focusedRow(label: string): Locator {
    return this.vscode.quickPickRow(label).and(this.vscode.quickInput.locator('.focused'));
  }

  /** Chooses from the quick pick that asks `question`. */
  async choose(row: string, question: string | RegExp): Promise<void> {
    this.vscode.steps.add(`chose “${row}” by keys`);
    await this.vscode.expectQuickInput(question);
    await this.vscode.quickPickRow(row).waitFor();
    await this.vscode.page.keyboard.type(row);
    await this.#focusedRow(row).waitFor();
    await this.press('Enter');
  }

  /** Presses a key until something is so. */
  async pressUntil(key: string, what: string, holds: () => Promise<boolean>): Promise<void> {
    this.vscode.steps.add(`pressed ${key} as far as ${what}`);
    for (let presses = 0; !(await holds()); presses += 1) {
      assert.ok(presses < MOST_PRESSES, `${key} does not lead to ${what}`);
      await this.press(key);
    }
  }

  /** Moves the focus to a control of a page by Tab, by its name for a screen reader. */
  async tabTo(frame: Frame | Page, name: string | RegExp): Promise<void> {
    await this.pressUntil('Tab', String(name), async () => {
      const focused = await this.focusedIn(frame);
      return typeof name === 'string' ? focused === name : name.test(focused);
    });
  }

  /** Waits until a control of a page has the focus. */
  async focuses(frame: Frame | Page, name: string | RegExp): Promise<void> {
    await eventually(async () => assert.match(await this.focusedIn(frame), new RegExp(name)));
  }

  /** The name of the control of a page that has the focus. */
  focusedIn(frame: Frame | Page): Promise<string> {
    return frame.evaluate(() => {
      const { activeElement: focused } = document;
      const label = (focused as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return (focused?.getAttribute('aria-label') ?? label ?? focused?.textContent ?? '').trim();
    });
  }

  /**
   * Goes to a tree by a command, and down in it, opening closed rows that may have it, to the row that begins with `label`. VS Code
   * gives a page its focus back after the palette has closed: late, it takes it from the tree, and one goes there
   * again.
   */
  async toRow(focus: string, tree: Locator, label: string): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      await this.command(focus);
      if (await this.#reaches(tree, label)) return;
    }
    throw new Error(`${label} is not reached.`);
  }

  /** Chooses from the context menu of a row: see `toRow`. Again where a page took the focus, and closed the menu. */
  async menuOfRow(focus: string, tree: Locator, label: string, entry: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.toRow(focus, tree, label);
      try {
        return await this.#menu(entry);
      } catch (error) {
        if (tries === 3) throw error;
        await this.press('Escape');
      }
    }
  }

  /** Chooses from the context menu of the focused element. */
  async #menu(entry: string): Promise<void> {
    await this.press('Shift+F10');
    const submenu = 'Model Bench';
    const first = this.vscode.menuItem(entry).or(this.vscode.menuItem(submenu)).first();
    await first.waitFor({ timeout: this.vscode.limit(20_000) });
    if (!(await this.vscode.menuItem(entry).isVisible())) await this.#choose(submenu);
    await this.#choose(entry);
  }

  /** In a menu, or in the submenu that was opened last. */
  async #choose(entry: string): Promise<void> {
    await this.vscode.menuItem(entry).waitFor({ timeout: this.vscode.limit(20_000) });
    // A submenu is inside of its entry, which keeps the focus's class.
    const chosen = this.vscode.page
      .locator('.monaco-menu .action-item.focused > .action-menu-item')
      .filter({ hasText: entry });
    await this.pressUntil('ArrowDown', entry, async () => (await chosen.count()) > 0);
    await this.press('Enter');
  }

  /** False: the tree has lost the focus, or has no such row. */
  async #reaches(tree: Locator, label: string): Promise<boolean> {
    this.vscode.steps.add(`went down to the row ${label}`);
    const row = tree.locator('.monaco-list:focus .monaco-list-row.focused');
    const attribute = (name: string) => row.getAttribute(name, { timeout: 5000 }).catch(() => null);
    await this.press('Home');
    for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
      const text = await row.innerText({ timeout: 5000 }).catch(() => undefined);
      if (text === undefined) return false;
      if (text.includes(label)) return true;
      // A row on the way stays closed: its rows would be read, and the tree drawn again under the keys.
      const isHidden = (await tree.getByRole('treeitem').filter({ hasText: label }).count()) === 0;
      if (isHidden && (await attribute('aria-expanded')) === 'false') await this.press('ArrowRight');
      await this.press('ArrowDown');
    }
    return false;
  }
}
