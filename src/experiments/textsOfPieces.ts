import { textEncoding } from '../intake/text';

/** The text of a file that is read in pieces, in the encoding of its first bytes. */
export class TextsOfPieces {
  encoding: ReturnType<typeof textEncoding> | undefined;
  #decoder: InstanceType<typeof TextDecoder> | undefined;

  /** @param bytes the first ones of the file, or later ones */
  begin(bytes: Uint8Array): void {
    this.encoding ??= textEncoding(bytes);
  }

  next(bytes: Uint8Array): string {
    this.begin(bytes);
    this.#decoder ??= new TextDecoder(this.encoding);
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** The text of a character that is cut off at the end. */
  end(): string {
    return this.#decoder?.decode() ?? '';
  }
}
