/**
 * Whether a file or folder of this name is left out of the inputs of its folder, unless it is chosen itself: hidden
 * ones, notes of macOS ("._a.jpg") among them, and the packages of a project.
 */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/**
 * Whether a folder holds files that experiments made of their results: they are no inputs. It has the name of the
 * results file beside it: "try.results" and "try.results.jsonl".
 * @param isThere whether a file is in the same folder
 */
export function isOwnOutput(name: string, isThere: (name: string) => boolean): boolean {
  return name.endsWith('.results') && isThere(`${name}.jsonl`);
}
