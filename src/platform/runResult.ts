import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JsonSchema } from '../domain/json';
import type { RawResponse, RunResponse } from '../domain/response';
import type { RunRecord } from '../domain/runRecord';
import { bodyText } from '../intake/bodyText';
import { extensionOfType } from '../intake/contentType';
import type { ShownResponse } from '../protocol/run';
import { type ResultSource, resultSource } from '../results/resultSource';
import { shownHeaders } from '../results/shownHeaders';
import type { ChosenViews } from '../results/viewKinds';
import { keptResponse } from '../runs/history/keptResponse';
import type { Datasets } from '../store/datasets';
import { askSavePlace } from '../vscode/dialogs';
import { makePrivateFolder, writePrivateFile } from '../vscode/privateFiles';
import { readByText } from '../wording/runStates';
import { hitFile } from './hitFiles';
import { readableText } from './jsonText';
import type { PageResult } from './resultHost';
import type { ResultViews } from './resultViews';

/** A `RunRecord` and its `RunResponse`, held by the host: a page gets a description, and requests the pieces it shows. */
export class RunResult {
  readonly kind: ShownResponse['kind'];
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The result itself where an envelope was recognised; otherwise the text or the bytes. */
  readonly output: unknown;
  #source: ResultSource | undefined;
  #viewed: ReturnType<ResultViews['show']> | undefined;

  constructor(
    readonly record: RunRecord,
    readonly response: RunResponse,
    /** The body as text; empty for other bodies. */
    readonly body: string,
    private readonly truncated: boolean,
  ) {
    const { raw, output } = response;
    this.contentType = raw.contentType;
    this.bytes = raw.bytes;
    this.kind = responseKind(raw);
    this.output = this.kind === 'json' ? (output ?? raw.json) : this.kind === 'text' ? body : this.bytes;
  }

  /** Of a run that has just been answered; undefined for an empty body. */
  static of(record: RunRecord, response: RunResponse | undefined): RunResult | undefined {
    return response && response.raw.bytes.byteLength > 0
      ? new RunResult(record, response, shownBody(response), false)
      : undefined;
  }

  /** The response of a run in the history: its body is read like the first time. */
  static kept(record: RunRecord, bytes: Uint8Array): RunResult {
    const response = keptResponse(record, bytes);
    return new RunResult(record, response, shownBody(response), record.result?.truncated === true);
  }

  get source(): ResultSource {
    if (this.#viewed) return this.#viewed.source();
    this.#source ??= this.#make(new Map());
    return this.#source;
  }

  #make(views: ChosenViews): ResultSource {
    return resultSource(this.output, {
      views,
      contentType: this.contentType,
      attachmentTypes: this.record.attachments.map((attachment) => attachment.contentType),
    });
  }

  /** The result as a page asks about it, in the views of its model. @param schema of the results of its mode */
  forPage(datasets: Datasets | undefined, views: ResultViews, schema?: JsonSchema): PageResult {
    const { baseUrl, draft, attachments } = this.record;
    const { model, mode } = draft;
    const dataset = { baseUrl, model, scope: draft.scope ?? '' };
    this.#viewed ??= views.show({ baseUrl, model, mode, schema }, (chosen) => this.#make(chosen));
    const viewed = this.#viewed;
    return {
      ...viewed,
      baseUrl,
      contentType: this.contentType,
      attachments: attachments.map(({ uri }) => uri),
      fileOf: (id) => hitFile(id, dataset, datasets),
    };
  }

  /** The text for an editor or the clipboard: JSON laid out for reading. */
  readable(part: 'output' | 'body'): string {
    return this.kind !== 'json' || part === 'body' ? this.body : readableText(this.output);
  }

  /** The name a saved copy is offered under. */
  get filename(): string {
    const fallback = this.kind === 'text' ? 'txt' : 'bin';
    const extension = this.kind === 'json' ? 'json' : (extensionOfType(this.contentType) ?? fallback);
    const model = this.record.draft.model.replaceAll(/[^\w.-]+/g, '-');
    return `${model}-${this.record.id.slice(0, 8)}.${extension}`;
  }

  /** Saves the body where the user chooses. */
  async saveCopy(): Promise<void> {
    const target = await askSavePlace(this.filename, { saveLabel: l10n.t('Save Result') });
    if (target) await vscode.workspace.fs.writeFile(target, this.bytes);
  }

  describe(): ShownResponse {
    return {
      contentType: this.contentType,
      sizeBytes: this.bytes.byteLength,
      kind: this.kind,
      recognised: this.response.recognised,
      readBy: readByText(this.response.readBy ?? []),
      hasOddValues: this.response.raw.hasOddValues,
      bodyChars: this.body.length,
      headers: shownHeaders(this.response.raw.headers),
      truncated: this.truncated || undefined,
    };
  }

  /** The body as a file, written each time. */
  async file(folder: vscode.Uri): Promise<vscode.Uri> {
    await makePrivateFolder(folder.fsPath);
    const uri = vscode.Uri.joinPath(folder, this.filename);
    await writePrivateFile(uri.fsPath, this.bytes);
    return uri;
  }
}

function responseKind(raw: RawResponse): ShownResponse['kind'] {
  if (raw.json !== undefined) return 'json';
  return raw.text === undefined ? 'binary' : 'text';
}

function shownBody({ raw }: RunResponse): string {
  return responseKind(raw) === 'binary' ? '' : bodyText(raw.bytes, raw.contentType);
}
