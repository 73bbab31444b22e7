import { mkdir, writeFile } from 'node:fs/promises';
import mime from 'mime';
import * as vscode from 'vscode';
import type { ShownResponse } from '../../protocol/run';
import { type ResultSource, resultSource } from '../../results/resultSource';
import { keptResponse } from '../../runs/history/keptResponse';
import type { RunRecord } from '../../runs/history/record';
import type { RunResponse } from '../../service/client';

/** The response of one run as the panel holds it: the page is told what it is, and asks for the pieces it shows. */
export class HeldResponse {
  readonly kind: ShownResponse['kind'];
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The result itself where an envelope was recognised; for what is no JSON the text or the bytes. */
  readonly output: unknown;
  #body: string | undefined;
  #source: ResultSource | undefined;

  constructor(
    readonly record: RunRecord,
    private readonly response: RunResponse,
    private readonly truncated: boolean,
  ) {
    const { raw, output } = response;
    this.contentType = raw.contentType;
    this.bytes = raw.bytes;
    this.kind = raw.json !== undefined ? 'json' : isText(raw.contentType, raw.bytes) ? 'text' : 'binary';
    this.output = this.kind === 'json' ? (output ?? raw.json) : this.kind === 'text' ? this.body : this.bytes;
  }

  /** Of a run that has just been answered; nothing for an empty body. */
  static of(record: RunRecord, response: RunResponse | undefined): HeldResponse | undefined {
    return response && response.raw.bytes.byteLength > 0
      ? new HeldResponse(record, response, false)
      : undefined;
  }

  /** Of a run that history kept: its body is read again as it was then. */
  static kept(record: RunRecord, bytes: Uint8Array): HeldResponse {
    return new HeldResponse(record, keptResponse(record, bytes), record.result?.truncated === true);
  }

  /** The body as it came; empty for what is no text. */
  get body(): string {
    this.#body ??= this.kind === 'binary' ? '' : new TextDecoder().decode(this.bytes);
    return this.#body;
  }

  get source(): ResultSource {
    this.#source ??= resultSource(this.output, {
      contentType: this.contentType,
      attachmentTypes: this.record.attachments.map((attachment) => attachment.contentType),
    });
    return this.#source;
  }

  /** The text for an editor or the clipboard: JSON laid out for reading. */
  readable(part: 'output' | 'body'): string {
    if (this.kind !== 'json') return this.body;
    if (part === 'body') return this.body;
    return typeof this.output === 'string' ? this.output : (JSON.stringify(this.output, null, 2) ?? '');
  }

  /** The name a saved copy is offered under. */
  get filename(): string {
    const fallback = this.kind === 'text' ? 'txt' : 'bin';
    const extension = this.kind === 'json' ? 'json' : (mime.getExtension(this.contentType) ?? fallback);
    return `run-${this.record.id.slice(0, 8)}.${extension}`;
  }

  /** As the page is told. */
  describe(): ShownResponse {
    return {
      contentType: this.contentType,
      sizeBytes: this.bytes.byteLength,
      kind: this.kind,
      recognised: this.response.recognised,
      bodyChars: this.body.length,
      truncated: this.truncated || undefined,
    };
  }

  /** The body as a file, written anew each time. */
  async file(folder: vscode.Uri): Promise<vscode.Uri> {
    await mkdir(folder.fsPath, { recursive: true });
    const uri = vscode.Uri.joinPath(folder, this.filename);
    await writeFile(uri.fsPath, this.bytes);
    return uri;
  }
}

/** Text by its declared type; without a telling one, by its bytes: no NUL, and valid UTF-8. */
function isText(contentType: string, bytes: Uint8Array): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^text\/|[/+](json|xml|yaml|x-ndjson|javascript|csv)$/.test(type)) return true;
  if (/^(image|audio|video|font)\//.test(type)) return false;
  const start = bytes.subarray(0, 64 * 1024);
  if (start.includes(0)) return false;
  try {
    // `stream`, so that a character cut at the end of the sample is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
