/** The ending of a run file's name, here for code at activation: the format itself is read on first use. */
const SUFFIX = '.run.json';

/** The documents that run files are, for VS Code's providers and searches. */
export const RUN_FILES = `**/*${SUFFIX}`;

export function isRunFileName(path: string): boolean {
  return path.endsWith(SUFFIX);
}
