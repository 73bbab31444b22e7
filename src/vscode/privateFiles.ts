import { chmod, mkdir, writeFile } from 'node:fs/promises';

// The extension's files are for its user alone: inputs, responses and names of files of other people's computers.

/** Of files; folders are 0700. Windows keeps a profile's files to its owner by itself. */
export const PRIVATE_FILE = 0o600;

/** Makes a folder, with those above it, that only its owner may open; one that was there becomes so. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/** Writes a file that only its owner may read; one that was there becomes so. */
export async function writePrivateFile(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(path, content, { mode: PRIVATE_FILE });
  await chmod(path, PRIVATE_FILE);
}
