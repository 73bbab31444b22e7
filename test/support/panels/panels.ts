import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { RunPanel } from '../runPanel';
import type { Document } from './documents';
import { inMenu, inPalette, viewTitled } from './menus';
import type { Question } from './questions';
import { type PanelsOptions, Session } from './session';
import type { Notification } from './standInMessages';
import { CancellationTokenSource, Uri } from './values';

/** A row of a tree view. */
export interface Row {
  readonly label: string;
  readonly description: string;
  /** Label and description, as they read. */
  readonly text: string;
  readonly tooltip: string;
  readonly contextValue: string;
  readonly command: vscode.Command | undefined;
  readonly view: string;
  /** The argument of the tree's commands. */
  readonly element: unknown;
}

type Text = string | RegExp;

const has = (text: string, wanted: Text) =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
const fits = (text: string, wanted: Text) =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);
/** The tab of a model's run panel: a string is the model's name, which the file or input shown may follow. */
const runTab = (model: Text) =>
  typeof model === 'string' ? new RegExp(`^${model.replaceAll(/\W/g, '\\$&')}( · |$)`) : model;

/** The verbs of a user in a window of VS Code, by the words that the user reads. */
export class Panels extends Session {
  static async open(browser: () => Promise<Browser>, options: PanelsOptions = {}): Promise<Panels> {
    const panels = new Panels(browser, options);
    await panels.start();
    return panels;
  }

  // ---- commands and menus

  /** Runs a command, by its ID. Does not wait for its questions. */
  command(id: string, ...args: readonly unknown[]): void {
    this.steps.add(`ran ${id}`);
    // A test waits for its own states; a rejection is shown by the command itself.
    this.window.executeCommand(id, ...args).catch(() => undefined);
  }

  /** Runs a command by its title, as soon as the palette offers it: “Model Bench: Refresh”. */
  async runCommand(title: string): Promise<void> {
    this.command(await this.until(() => inPalette(title, this.#keys()), `The command “${title}”`));
  }

  /** Chooses from the context menu of a row. @param selected all rows that are selected, the row among them */
  async rowMenu(row: Row, title: string, selected: readonly Row[] = []): Promise<void> {
    const id = inMenu('view/item/context', title, {
      ...this.#keys(),
      ...{ view: viewTitled(row.view), viewItem: row.contextValue, listMultiSelection: selected.length > 1 },
    });
    if (!id) throw new Error(`The menu of “${row.text}” (${row.contextValue}) has no “${title}”.`);
    this.command(id, row.element, selected.length > 1 ? selected.map(({ element }) => element) : undefined);
  }

  click({ command, text }: Row): void {
    if (!command) throw new Error(`“${text}” opens nothing.`);
    this.command(command.command, ...(command.arguments ?? []));
  }

  /** Chooses from the context menu of files and folders in the Explorer, by their paths in the workspace, once it offers that. */
  async explorerMenu(title: string, ...names: readonly string[]): Promise<void> {
    const uris = names.map((name) => this.uri(name));
    const name = path.basename(names[0]!);
    const offered = () =>
      inMenu('explorer/context', title, {
        ...this.#keys(),
        ...{ resourceScheme: 'file', resourceFilename: name, resourceExtname: path.extname(name) },
        ...{ explorerResourceIsFolder: path.extname(name) === '', listMultiSelection: names.length > 1 },
        resourcePath: uris[0]!.fsPath,
      });
    this.command(await this.until(offered, `“${title}” in the menu of ${name}`), uris[0], uris);
  }

  #keys(): Record<string, unknown> {
    const name = this.window.editor?.fileName ?? '';
    return {
      ...{
        resourceScheme: 'file',
        resourceFilename: path.basename(name),
        resourceExtname: path.extname(name),
      },
      activeWebviewPanelId: this.window.panels.find(({ active, document }) => active && !document)?.viewType,
      activeCustomEditorId: this.window.panels.find(({ active, document }) => active && document)?.viewType,
      ...Object.fromEntries(this.window.contexts),
    };
  }

  /** @param name a path in the workspace */
  uri(name: string): Uri {
    return Uri.file(path.join(this.workspace, name));
  }

  openFile(name: string): void {
    this.command('vscode.open', this.uri(name));
  }

  editor(text: Text): Promise<Document> {
    return this.until(() => {
      const { editor } = this.window;
      return editor && has(editor.getText(), text) ? editor : undefined;
    }, `An editor with ${text}`);
  }

  /** Once VS Code was asked to run a command of its own. */
  async builtIn(id: string): Promise<readonly unknown[]> {
    const find = () => this.window.builtIns.findLast((one) => one.id === id);
    return (await this.until(find, `The command ${id}`)).args;
  }

  /** Changes user settings, as the settings editor does; undefined: the default again. */
  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    this.steps.add(`changed settings: ${JSON.stringify(changes)}`);
    this.window.changeSettings(changes);
  }

  // ---- questions and messages

  /** The question with this text: a picker, an input box, a dialog. */
  question(text: Text): Promise<Question> {
    return this.until(
      () => this.window.questions.open.findLast((one) => has(one.text, text)),
      `The question ${text}`,
    );
  }

  /** Chooses in the question with this text, once the choice is offered. */
  async answer(text: Text, choice: Text): Promise<void> {
    this.steps.add(`answered “${text}” with “${choice}”`);
    const question = await this.question(text);
    const isOffered = () => question.choices.some((label) => fits(label, choice));
    await this.until(isOffered, `The choice ${choice} of ${text}`);
    question.pick(choice);
  }

  async enter(text: Text, value: string): Promise<void> {
    this.steps.add(`answered “${text}”`);
    await (await this.question(text)).enter(value);
  }

  /** The open modal dialog with this text. */
  dialog(text: Text = /./): Promise<Question> {
    return this.until(
      () => this.window.questions.open.find((one) => one.kind === 'dialog' && has(one.text, text)),
      `The dialog ${text}`,
    );
  }

  notification(text: Text): Promise<Notification> {
    return this.until(
      () => this.window.notifications.find((one) => has(one.text, text)),
      `The notification ${text}`,
    );
  }

  async noNotification(text: Text): Promise<void> {
    await this.until(
      () => !this.window.notifications.some((one) => has(one.text, text)),
      `The end of the notification ${text}`,
    );
  }

  async press(notification: Text, button: string): Promise<void> {
    this.steps.add(`chose “${button}” in the notification “${notification}”`);
    (await this.notification(notification)).press(button);
  }

  clearNotifications(): void {
    for (const one of this.window.notifications.slice()) one.close();
  }

  /** Answers the dialog of a file with one, or with the file that it offers; resolves to its path. */
  async chooseFile(file?: string): Promise<string> {
    const isOfFile = ({ kind }: Question) => kind === 'save' || kind === 'open';
    const question = await this.until(() => this.window.questions.open.find(isOfFile), 'A dialog of files');
    const chosen = file ?? question.value;
    if (chosen === undefined) throw new Error('The dialog offers no file.');
    question.choose(Uri.file(chosen));
    return chosen;
  }

  // ---- services

  /** Connects by the command and its three questions. The caller waits for the outcome. */
  async connect(service: { name: string; baseUrl: string; apiKey: string }): Promise<void> {
    await this.runCommand('Model Bench: Connect to a Service…');
    await this.enter(/Name/, service.name);
    await this.enter(/Base URL/, service.baseUrl);
    await this.enter(/API Key/, service.apiKey);
  }

  async startSandbox(): Promise<void> {
    await this.runCommand('Model Bench: Try the Built-in Sandbox');
    await this.row('Catalog', /^Sentiment/);
  }

  async switchTo(name: string): Promise<void> {
    await this.runCommand('Model Bench: Switch Environment…');
    await this.answer(/its own key/, name);
    await this.statusItem('modelBench.wallet', name);
  }

  async statusItem(id: string, text: Text, tooltip: Text = ''): Promise<{ text: string; tooltip: string }> {
    const found = await this.until(() => {
      const one = this.window.statusItems.get(id);
      return one?.isShown && has(one.text, text) && has(textOf(one.tooltip), tooltip) ? one : undefined;
    }, `The status bar item ${id} with ${text} ${tooltip}`);
    return { text: found.text, tooltip: textOf(found.tooltip) };
  }

  clickStatusItem(id: string): void {
    const command = this.window.statusItems.get(id)?.command;
    if (!command) throw new Error(`A click on ${id} does nothing.`);
    if (typeof command === 'string') this.command(command);
    else this.command(command.command, ...(command.arguments ?? []));
  }

  // ---- agents

  async agentSpending(choice: Text): Promise<void> {
    await this.runCommand('Model Bench: Agent Spending…');
    await this.answer('Agent Spending', choice);
  }

  // ---- index jobs

  /** Asks to index a file or folder of the workspace into a scope, up to the question whether to start. */
  async index(name: string, scope = 'playground', model: Text = /image.similarity/i): Promise<void> {
    await this.explorerMenu('Index Image with Model', name);
    // The only model for the files is not asked for.
    const asked = await this.question(/Index with which model|Into which scope/);
    if (fits(asked.text, /which model/)) await this.answer(/Index with which model/, model);
    await this.enter(/Into which scope/, scope);
    await this.answer(/Into which scope/, scope);
  }

  /** The message at the end of a job, which is then closed like all others. */
  async indexedInto(scope: string): Promise<string> {
    const { text } = await this.notification(new RegExp(`Indexed \\d+ of \\d+ files? into ${scope}`));
    this.clearNotifications();
    return text;
  }

  // ---- trees

  async rows(view: string, element?: unknown): Promise<Row[]> {
    const id = viewTitled(view);
    const tree = await this.until(() => this.window.trees.get(id), `The tree ${id}`);
    const { provider } = tree;
    const children = await tree.children(element);
    return Promise.all(
      children.map(async (child) => {
        const item = await provider.getTreeItem(child);
        const token = new CancellationTokenSource().token as never;
        const resolved = (await provider.resolveTreeItem?.(item, child, token)) ?? item;
        const label = typeof item.label === 'object' ? item.label.label : (item.label ?? '');
        const description = String(item.description ?? '');
        return {
          ...{ label, description, text: `${label} ${description}`.trim(), view },
          tooltip: textOf(resolved.tooltip),
          ...{ contextValue: item.contextValue ?? '', command: item.command, element: child },
        };
      }),
    );
  }

  async allRows(view: string, element?: unknown): Promise<Row[]> {
    const rows = await this.rows(view, element);
    const below = await Promise.all(rows.map((row) => this.allRows(view, row.element)));
    return rows.flatMap((row, at) => [row, ...below[at]!]);
  }

  async noRow(view: string, text: Text): Promise<void> {
    await this.rowsWith(view, text, (count) => count === 0);
  }

  /** A row anywhere in a view, once it is there. @param text a part of its label, or a pattern for label and description */
  async row(view: string, text: Text): Promise<Row> {
    return (await this.rowsWith(view, text, (count) => count > 0))[0]!;
  }

  rowsWith(view: string, text: Text, isEnough: (count: number) => boolean): Promise<Row[]> {
    return this.until(async () => {
      const found = (await this.allRows(view)).filter((row) =>
        typeof text === 'string' ? row.label.includes(text) : text.test(row.text),
      );
      return isEnough(found.length) ? found : undefined;
    }, `The row ${text} of ${view}`);
  }

  // ---- pages

  /** The page of the panel with this title, in the browser: of several, the one in front, or the newest. */
  async page(title: Text): Promise<Page> {
    this.steps.add(`waited for the page “${title}”`);
    return this.pageOf(
      await this.until(() => {
        const titled = this.window.panels.filter((one) => one.webview.html !== '' && fits(one.title, title));
        return titled.find(({ active }) => active) ?? titled.at(-1);
      }, `The panel ${title}`),
    );
  }

  clickTab(title: Text): void {
    this.window.panels.findLast((one) => fits(one.title, title))?.reveal();
  }

  async openRunPanel(model: Text): Promise<RunPanel> {
    await this.runCommand('Model Bench: Run Model…');
    await this.answer('Choose a model to run', model);
    return this.runPanel(model);
  }

  /** The run panel of this model, once its form, or the reason for its absence, is there. */
  async runPanel(model: Text): Promise<RunPanel> {
    const panel = new RunPanel(await this.page(runTab(model)), this.steps);
    await panel.tab('Form').or(panel.frame.getByRole('alert')).first().waitFor();
    return panel;
  }

  /** Closes the run panels of this model, or all panels, as a click on the cross of their tabs does. */
  closePanels(model: Text = /./): void {
    for (const panel of this.window.panels.slice()) if (fits(panel.title, runTab(model))) panel.dispose();
  }
}

function textOf(tooltip: unknown): string {
  if (typeof tooltip === 'object' && tooltip !== null && 'value' in tooltip) return String(tooltip.value);
  return String(tooltip ?? '');
}
