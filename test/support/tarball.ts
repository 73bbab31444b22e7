import { gzipSync } from 'node:zlib';

/** A package as a registry serves it: a gzip of a ustar archive, with the files under `package/`. */
export function packed(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const bytes = Buffer.from(text);
    return [header(`package/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & 511)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** The header of a file, by POSIX.1-1988: numbers are octal, and the checksum counts itself as spaces. */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644\0'.padEnd(8), 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        0', 148);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
