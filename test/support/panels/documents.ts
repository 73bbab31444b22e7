import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Disposable, EventEmitter, Position, Range, Uri, type WorkspaceEdit } from './values';

/** A text document as VS Code's extension host has it. */
export class Document {
  version = 1;
  isDirty = false;
  isClosed = false;
  constructor(
    readonly uri: Uri,
    public text: string,
    readonly languageId: string,
    private readonly save_: (document: Document) => Promise<boolean>,
  ) {}
  readonly eol = 1;
  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }
  get fileName(): string {
    return this.uri.fsPath;
  }
  get lineCount(): number {
    return this.text.split('\n').length;
  }
  getText(range?: Range): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  lineAt(line: number | Position) {
    const number = typeof line === 'number' ? line : line.line;
    const text = this.text.split('\n')[number]!.replace(/\r$/, '');
    const range = new Range(number, 0, number, text.length);
    return { lineNumber: number, text, range, firstNonWhitespaceCharacterIndex: text.search(/\S|$/) };
  }
  offsetAt({ line, character }: Position): number {
    const before = this.text.split('\n').slice(0, line);
    return Math.min(this.text.length, before.join('\n').length + (line > 0 ? 1 : 0) + character);
  }
  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)!.length);
  }
  save(): Promise<boolean> {
    return this.save_(this);
  }
}

interface ContentProvider {
  provideTextDocumentContent(uri: Uri): unknown;
}

/** The open documents of a window, and their events. */
export class Documents {
  readonly open: Document[] = [];
  readonly opened = new EventEmitter<Document>();
  readonly changed = new EventEmitter<{ document: Document; contentChanges: readonly unknown[] }>();
  readonly closed = new EventEmitter<Document>();
  readonly saved = new EventEmitter<Document>();
  readonly #providers = new Map<string, ContentProvider>();
  #untitled = 0;

  /** Documents of a scheme of the extension's own. */
  provide(scheme: string, provider: ContentProvider): Disposable {
    this.#providers.set(scheme, provider);
    return new Disposable(() => this.#providers.delete(scheme));
  }

  openTextDocument = async (
    what: Uri | string | { readonly content?: string; readonly language?: string } = {},
  ): Promise<Document> => {
    if (typeof what === 'object' && !Uri.isUri(what)) {
      const uri = Uri.from({ scheme: 'untitled', path: `Untitled-${++this.#untitled}` });
      return this.#add(new Document(uri, what.content ?? '', what.language ?? 'plaintext', this.#save));
    }
    const uri = typeof what === 'string' ? Uri.file(what) : what;
    const known = this.open.find((document) => document.uri.toString() === uri.toString());
    if (known) return known;
    const text = this.#providers.has(uri.scheme)
      ? String((await this.#providers.get(uri.scheme)!.provideTextDocumentContent(uri)) ?? '')
      : await readFile(uri.fsPath, 'utf8');
    return this.#add(new Document(uri, text, languageOf(uri), this.#save));
  };

  applyEdit = async (edit: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, range, text } of edit.edits) {
      const document = await this.openTextDocument(uri);
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      this.type(document, document.text.slice(0, start) + text + document.text.slice(end));
    }
    return true;
  };

  /** Types text in an editor. */
  type(document: Document, text: string): void {
    document.text = text;
    document.version++;
    document.isDirty = true;
    this.changed.fire({ document, contentChanges: [{ text }] });
  }

  close(document: Document): void {
    this.open.splice(this.open.indexOf(document), 1);
    document.isClosed = true;
    this.closed.fire(document);
  }

  #add(document: Document): Document {
    this.open.push(document);
    this.opened.fire(document);
    return document;
  }

  readonly #save = async (document: Document): Promise<boolean> => {
    if (document.uri.scheme !== 'file') return false;
    await writeFile(document.uri.fsPath, document.text);
    document.isDirty = false;
    this.saved.fire(document);
    return true;
  };
}

function languageOf(uri: Uri): string {
  if (/\.(?:run|experiment)\.json$/.test(uri.path)) return 'jsonc';
  const languages: Record<string, string> = { '.json': 'json', '.md': 'markdown' };
  return languages[path.posix.extname(uri.path)] ?? 'plaintext';
}
