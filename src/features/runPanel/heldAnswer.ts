import { mkdir, writeFile } from 'node:fs/promises';
import mime from 'mime';
import * as vscode from 'vscode';
import type { ShownAnswer } from '../../protocol/run';
import type { FinishedRun } from '../../runs/runs';

/** One answer as the panel holds it: the page is told what it is, and fetches its text in pieces. */
export class HeldAnswer {
  readonly kind: ShownAnswer['kind'];
  readonly #body: string;
  readonly #output: string;

  constructor(
    readonly runId: string,
    readonly contentType: string,
    readonly bytes: Uint8Array,
    private readonly facts: {
      readonly output: unknown;
      readonly json: boolean;
      readonly recognised: boolean;
      readonly truncated?: boolean;
    },
  ) {
    this.kind = facts.json ? 'json' : isText(contentType, bytes) ? 'text' : 'binary';
    this.#body = this.kind === 'binary' ? '' : new TextDecoder().decode(bytes);
    this.#output = this.kind === 'json' ? (JSON.stringify(facts.output) ?? 'null') : this.#body;
  }

  /** Of a run that has just been answered. */
  static of({ record, answer }: FinishedRun): HeldAnswer | undefined {
    if (!answer || answer.raw.bytes.byteLength === 0) return undefined;
    const { raw, output, recognised } = answer;
    return new HeldAnswer(record.id, raw.contentType, raw.bytes, {
      output,
      json: raw.json !== undefined,
      recognised,
    });
  }

  /** The result itself: a JSON value, a text, or the bytes of a file. */
  get value(): unknown {
    if (this.kind === 'json') return this.facts.output;
    return this.kind === 'text' ? this.#body : this.bytes;
  }

  text(part: 'output' | 'body'): string {
    return part === 'output' ? this.#output : this.#body;
  }

  /** The name a saved copy is offered under. */
  filename(part: 'output' | 'body' = 'body'): string {
    const type = part === 'output' && this.kind === 'json' ? 'application/json' : this.contentType;
    const extension =
      this.kind === 'json' ? 'json' : (mime.getExtension(type) ?? (this.kind === 'text' ? 'txt' : 'bin'));
    return `run-${this.runId.slice(0, 8)}.${extension}`;
  }

  /** As the page is told. A binary answer is put into a file that the page can show. */
  async describe(webview: vscode.Webview, folder: vscode.Uri): Promise<ShownAnswer> {
    const src = this.kind === 'binary' ? webview.asWebviewUri(await this.file(folder)).toString() : undefined;
    return {
      contentType: this.contentType,
      sizeBytes: this.bytes.byteLength,
      kind: this.kind,
      recognised: this.facts.recognised,
      outputChars: this.#output.length,
      bodyChars: this.#body.length,
      src,
      truncated: this.facts.truncated,
    };
  }

  /** The body as a file. */
  async file(folder: vscode.Uri): Promise<vscode.Uri> {
    await mkdir(folder.fsPath, { recursive: true });
    const uri = vscode.Uri.joinPath(folder, this.filename());
    await writeFile(uri.fsPath, this.bytes);
    return uri;
  }

  /** The text for an editor: JSON laid out for reading. */
  readable(part: 'output' | 'body'): string {
    if (this.kind !== 'json') return this.text(part);
    try {
      return JSON.stringify(JSON.parse(this.text(part)), null, 2);
    } catch {
      return this.text(part);
    }
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
