import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Json } from '../../domain/json';
import type { RunResponse } from '../../domain/response';
import type { RunDraft } from '../../domain/run';
import type { RunRecord } from '../../domain/runRecord';
import { sameJson } from '../../domain/value';
import { changeText } from '../../platform/documentText';
import { filenameOf } from '../../platform/localFile';
import { type LoadedDraft, loadDraft, readFileAt } from '../../platform/runFiles/load';
import { pathsFor } from '../../platform/runFiles/save';
import type { ShownFile, ShownRun } from '../../protocol/run';
import { checkExpectations } from '../../runFiles/expectations';
import { withRefs } from '../../runFiles/mediaPaths';
import { runFileOutcome } from '../../runFiles/outcome';
import { expectationsIn, problemsIn, type ReadRunFile, readRunFile } from '../../runFiles/read';
import { newRunFileText, withDraft } from '../../runFiles/write';
import { Owner } from '../../vscode/disposables';

interface LinkParts {
  /** The panel's draft; local files have their URIs as references. */
  readonly draft: () => RunDraft | undefined;
  readonly show: (file: ShownFile) => void;
  /** The file has changed, and the panel had nothing of its own: it takes the file's request. */
  readonly take: (loaded: LoadedDraft) => Promise<void>;
}

/** The run file from which a panel was opened: its differences, saving back, and changes from elsewhere. */
export class FileLink extends Owner {
  /** The file as the panel last took or wrote it; undefined: not read yet, or gone. */
  #base:
    | { readonly file: ReadRunFile; readonly draft: RunDraft; readonly paths: Map<string, string> }
    | undefined;
  #isConflict = false;
  #shown: ShownFile | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly parts: LinkParts,
  ) {
    super();
    const isOurs = (uri: vscode.Uri) => uri.toString() === this.uri.toString();
    const renew = () => void this.#follow();
    this.store.add(
      vscode.workspace.onDidChangeTextDocument(
        ({ document }) => isOurs(document.uri) && this.#seen(document.getText()),
      ),
    );
    const folder = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), basename(uri.path));
    const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(folder));
    this.store.add(watcher.onDidChange(renew));
    this.store.add(watcher.onDidCreate(renew));
    this.store.add(watcher.onDidDelete(renew));
  }

  /** The file as the panel knows it. */
  get file(): ReadRunFile | undefined {
    return this.#base?.file;
  }

  /** The file's expectations, checked; undefined where there are none, or the run has no outcome. */
  checks(record: RunRecord, response: RunResponse | undefined): ShownRun['checks'] {
    const { file } = this;
    const expected = file ? expectationsIn(file) : [];
    if (!file || expected.length === 0 || record.state === 'notSent') return undefined;
    // Expectations that cannot be checked are problems of the file, and are shown there.
    if (problemsIn(file, undefined).some(({ pointer }) => pointer.startsWith('/expect'))) return undefined;
    return checkExpectations(expected, runFileOutcome(record, response), vscode.env.language);
  }

  /** The page and the tab show this. */
  get shown(): ShownFile {
    const draft = this.parts.draft();
    const isChanged =
      this.#base === undefined ||
      (draft !== undefined && !sameJson(comparable(draft), comparable(this.#base.draft)));
    const state =
      this.#base === undefined ? 'gone' : isChanged ? (this.#isConflict ? 'conflict' : 'changed') : 'saved';
    return { name: filenameOf(this.uri), state };
  }

  /** The panel begins with this file, or comes back with it. */
  async begin(): Promise<void> {
    const file = await readFileAt(this.uri).catch(() => undefined);
    await this.#takeBase(file);
    this.renew();
  }

  /** The panel's draft may have changed. */
  renew(): void {
    const { shown } = this;
    if (this.#shown?.state === shown.state && this.#shown.name === shown.name) return;
    this.#shown = shown;
    this.parts.show(shown);
  }

  /** Writes the panel's request into the file: only differences, as one step that the file's editor can undo. */
  async save(): Promise<void> {
    const draft = this.parts.draft();
    if (!draft) return;
    const known = this.#base?.paths ?? new Map<string, string>();
    const paths = await pathsFor(draft, this.uri, known);
    if (!paths) return;
    const written = withRefs(draft, paths);
    if (this.#base === undefined) {
      await vscode.workspace.fs.writeFile(this.uri, new TextEncoder().encode(newRunFileText(written)));
    } else {
      const document = await vscode.workspace.openTextDocument(this.uri);
      const before = document.getText();
      if (readRunFile(before).errors.length > 0)
        throw new Error(
          l10n.t(
            '“{0}” is not valid JSON in its editor. Correct it there before saving.',
            filenameOf(this.uri),
          ),
        );
      const text = withDraft(before, written);
      // Known before the change is reported: it is not one from elsewhere.
      this.#base = { file: readRunFile(text), draft, paths: new Map([...known, ...paths]) };
      await replaceText(document, before, text);
    }
    this.#base = { file: await readFileAt(this.uri), draft, paths: new Map([...known, ...paths]) };
    this.#isConflict = false;
    this.renew();
  }

  /** The panel takes the file's request in place of its own. */
  async revert(): Promise<void> {
    const file = await readFileAt(this.uri);
    const loaded = await this.#takeBase(file);
    if (loaded) await this.parts.take(loaded);
    this.renew();
  }

  async #follow(): Promise<void> {
    const file = await readFileAt(this.uri).catch(() => undefined);
    if (file) this.#seen(file.text);
    else {
      this.#base = undefined;
      this.renew();
    }
  }

  /** A text of the file, from its editor or the disk. One that is not valid is being typed: the next one counts. */
  #seen(text: string): void {
    if (text === this.#base?.file.text) return;
    const file = readRunFile(text);
    if (file.errors.length > 0 || file.inexact.length > 0 || !file.members) return;
    void this.#takeSeen(file);
  }

  async #takeSeen(file: ReadRunFile): Promise<void> {
    const hadOwn = this.shown.state !== 'saved';
    const loaded = await this.#takeBase(file);
    if (!loaded) return;
    if (!hadOwn) await this.parts.take(loaded);
    this.#isConflict = hadOwn;
    this.renew();
  }

  async #takeBase(file: ReadRunFile | undefined): Promise<LoadedDraft | undefined> {
    const loaded = file && (await loadDraft(this.uri, file));
    const paths = new Map([...(loaded?.uris ?? [])].map(([path, uri]) => [uri, path]));
    this.#base = file && loaded && { file, draft: loaded.draft, paths };
    return loaded;
  }
}

/** Makes a text of a document another, as one step that its editor can undo, and saves it. */
async function replaceText(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  if (before !== after) await changeText(document, after);
  if (!(await document.save()))
    throw new Error(l10n.t('“{0}” could not be saved.', filenameOf(document.uri)));
}

/** The written part of a draft: the form adds empty members that a file need not have. */
function comparable({ model, mode, scope, input, params, options }: RunDraft): Json {
  return { model, mode, scope: scope ?? '', input, params, options: options ?? {} };
}
