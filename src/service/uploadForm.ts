import { randomUUID } from 'node:crypto';
import type { FormFields } from '../readers/upload';

/** Where the file of a form goes. */
export interface FormFile {
  /** Of the form's field. */
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
}

export interface UploadForm {
  readonly contentType: string;
  /** The size of the whole body around a file of this size. */
  sizeAround(fileBytes: number): number;
  around(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/** multipart/form-data (RFC 7578): the fields first and the file last, since stores ignore later parts. */
export function uploadForm(fields: FormFields, { field, filename, contentType }: FormFile): UploadForm {
  const boundary = `model-bench-${randomUUID()}`;
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = new TextEncoder().encode(
    `${parts.join('')}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(filename)}"\r\n` +
      `Content-Type: ${contentType}\r\n\r\n`,
  );
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeAround: (fileBytes) => head.length + fileBytes + tail.length,
    async *around(file) {
      yield head;
      yield* file;
      yield tail;
    },
  };
}

/** As browsers write names in a form (HTML, multipart form data). */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
