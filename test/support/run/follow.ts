import { closeSync, openSync, readSync } from 'node:fs';

/** Prints what a file holds and what is appended to it, as it comes. */
export function follow(file: string): { end(): void } {
  const handle = openSync(file, 'a+');
  const buffer = Buffer.alloc(64 * 1024);
  let position = 0;
  const print = () => {
    for (;;) {
      const read = readSync(handle, buffer, 0, buffer.length, position);
      if (read === 0) return;
      process.stdout.write(Uint8Array.from(buffer.subarray(0, read)));
      position += read;
    }
  };
  const timer = setInterval(print, 100);
  return {
    end: () => {
      clearInterval(timer);
      print();
      closeSync(handle);
    },
  };
}
