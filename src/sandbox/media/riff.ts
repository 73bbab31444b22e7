/** The chunks of a RIFF file (WAV, WebP). `data` reaches to the end of the file: some claim a wrong size. */
export function* riffChunks(bytes: Buffer): Generator<{ name: string; size: number; data: Buffer }> {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    yield { name: bytes.toString('latin1', at, at + 4), size, data: bytes.subarray(at + 8) };
    at += 8 + size + (size % 2);
  }
}
