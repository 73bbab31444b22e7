import { readFileSync } from 'node:fs';
import path from 'node:path';
import { URI, Utils } from 'vscode-uri';
import { root } from '../paths';

/** The parts of the `vscode` module that are only values: the extension makes them and reads them back. */

const declarations = readFileSync(path.join(root, 'node_modules/@types/vscode/index.d.ts'), 'utf8');

/** An enum of VS Code with the numbers that its declarations give. */
function enumOf(name: string): Record<string, string | number> {
  const body = new RegExp(`export enum ${name} \\{([\\s\\S]*?)\\n\\t\\}`).exec(declarations)?.[1];
  if (body === undefined) throw new Error(`VS Code declares no enum ${name}.`);
  const members: Record<string, string | number> = {};
  let next = 0;
  for (const [, member = '', given] of body
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/(\w+)(?:\s*=\s*(-?\d+))?\s*(?:,|$)/gm)) {
    next = given === undefined ? next : Number(given);
    members[member] = next;
    members[next] = member;
    next++;
  }
  return members;
}

export const CompletionItemKind = enumOf('CompletionItemKind');
export const ConfigurationTarget = enumOf('ConfigurationTarget');
export const DiagnosticSeverity = enumOf('DiagnosticSeverity');
export const FileType = enumOf('FileType');
export const InputBoxValidationSeverity = enumOf('InputBoxValidationSeverity');
export const ProgressLocation = enumOf('ProgressLocation');
export const QuickPickItemKind = enumOf('QuickPickItemKind');
export const StatusBarAlignment = enumOf('StatusBarAlignment');
export const TestRunProfileKind = enumOf('TestRunProfileKind');
export const TextEditorRevealType = enumOf('TextEditorRevealType');
export const TreeItemCollapsibleState = enumOf('TreeItemCollapsibleState');
export const ViewColumn = enumOf('ViewColumn');

export { URI as Uri };

// VS Code has this on the class itself.
Object.assign(URI, { joinPath: Utils.joinPath });

export class Disposable {
  constructor(private readonly end: () => unknown) {}
  static from(...items: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }
  dispose(): void {
    this.end();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly event = (
    listener: (value: T) => unknown,
    self?: unknown,
    owners?: { push(item: Disposable): unknown },
  ): Disposable => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.#listeners.add(bound);
    const listening = new Disposable(() => this.#listeners.delete(bound));
    owners?.push(listening);
    return listening;
  };
  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class CancellationError extends Error {
  override readonly name = 'Canceled';
}

export class FileSystemError extends Error {
  constructor(
    message: string | URI = '',
    readonly code = 'Unknown',
  ) {
    super(String(message));
  }
  static FileNotFound(of?: string | URI): FileSystemError {
    return new FileSystemError(of, 'FileNotFound');
  }
  static NoPermissions(of?: string | URI): FileSystemError {
    return new FileSystemError(of, 'NoPermissions');
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }
  isBeforeOrEqual(other: Position): boolean {
    return this.isBefore(other) || this.isEqual(other);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    const [start, end] = at.length === 2 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
    [this.start, this.end] = end.isBefore(start) ? [end, start] : [start, end];
  }
  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  contains(one: Position | Range): boolean {
    const [start, end] = one instanceof Range ? [one.start, one.end] : [one, one];
    return this.start.isBeforeOrEqual(start) && end.isBeforeOrEqual(this.end);
  }
}

export class Selection extends Range {
  get anchor(): Position {
    return this.start;
  }
  get active(): Position {
    return this.end;
  }
}

export class MarkdownString {
  isTrusted?: boolean;
  supportThemeIcons?: boolean;
  supportHtml?: boolean;
  constructor(public value = '') {}
  appendText(text: string): this {
    // As VS Code escapes it.
    this.value += text
      .replaceAll(/[\\`*_{}[\]()#+\-!~]/g, '\\$&')
      .replaceAll(/[ \t]/g, '&nbsp;')
      .replaceAll('>', '\\>')
      .replaceAll('\n', '\n\n');
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

/** Values whose constructor keeps its arguments under these names. */
function kept<const Names extends readonly string[]>(...names: Names) {
  return class {
    [member: string]: unknown;
    constructor(...values: unknown[]) {
      for (const [at, name] of names.entries()) if (values[at] !== undefined) this[name] = values[at];
    }
  };
}

export class ThemeIcon extends kept('id', 'color') {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
}

export const QuickInputButtons = { Back: { iconPath: new ThemeIcon('arrow-left'), tooltip: 'Back' } };
export class ThemeColor extends kept('id') {}
export class TreeItem extends kept('label', 'collapsibleState') {
  constructor(label: unknown, collapsibleState: unknown = 0) {
    super(undefined, collapsibleState);
    if (URI.isUri(label)) this.resourceUri = label;
    else this.label = label;
  }
}
export class RelativePattern extends kept('base', 'pattern') {
  constructor(base: URI | { readonly uri: URI } | string, pattern: string) {
    super(base, pattern);
    this.baseUri = typeof base === 'string' ? URI.file(base) : 'uri' in base ? base.uri : base;
  }
}
export class CodeAction extends kept('title', 'kind') {}
export class CodeLens extends kept('range', 'command') {}
export class CompletionItem extends kept('label', 'kind') {}
export class CompletionList extends kept('items', 'isIncomplete') {}
export class Diagnostic extends kept('range', 'message', 'severity') {
  constructor(range: unknown, message: unknown, severity: unknown = DiagnosticSeverity.Error) {
    super(range, message, severity);
  }
}
export class DocumentLink extends kept('range', 'target') {}
export class FileDecoration extends kept('badge', 'tooltip', 'color') {}
export class Hover extends kept('contents', 'range') {}
export class Location extends kept('uri', 'range') {}
export class SnippetString extends kept('value') {}
export class LanguageModelTextPart extends kept('value') {}
export class LanguageModelToolResult extends kept('content') {}
export class TabInputCustom extends kept('uri', 'viewType') {}
export class TabInputText extends kept('uri') {}
export class TabInputWebview extends kept('viewType') {}
export class TestMessage extends kept('message') {
  static diff(message: string, expectedOutput: string, actualOutput: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
  }
}
export class TestRunRequest extends kept('include', 'exclude', 'profile') {}
export class DataTransferItem extends kept('value') {}
export class WorkspaceEdit {
  readonly edits: { readonly uri: URI; readonly range: Range; readonly text: string }[] = [];
  replace(uri: URI, range: Range, text: string): void {
    this.edits.push({ uri, range, text });
  }
  insert(uri: URI, at: Position, text: string): void {
    this.replace(uri, new Range(at, at), text);
  }
  delete(uri: URI, range: Range): void {
    this.replace(uri, range, '');
  }
}

export class CodeActionKind extends kept('value') {
  static readonly QuickFix = new CodeActionKind('quickfix');
}
