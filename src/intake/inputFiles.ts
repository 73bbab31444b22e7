/**
 * Whether a file or folder of this name is left out of the inputs of its folder, unless it is chosen itself: hidden
 * ones, notes of macOS ("._a.jpg") among them, and the packages of a project.
 */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/**
 * Whether a file or folder of this name is made by an experiment, and so no input: results ("try.results.jsonl", and
 * "try.results" beside it), judgements, and charts and reports, "try.confusion.png" beside "try.experiment.json".
 * @param isThere whether a file is in the same folder
 */
export function isOwnOutput(name: string, isThere: (name: string) => boolean): boolean {
  if (/\.(?:results|qrels)\.jsonl$/.test(name)) return true;
  if (name.endsWith('.results')) return isThere(`${name}.jsonl`);
  const [, experiment] = /^(.+)\.[^.]+\.(?:png|svg|html|md)$/.exec(name) ?? [];
  return experiment !== undefined && isThere(`${experiment}.experiment.json`);
}
