import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { installed, installTree, treeOf } from './install';

/** The script of a command-line tool that `tools/` pins with its whole tree: the command of its only dependency. */
export async function toolScript(name: string): Promise<string> {
  const tree = await treeOf(name);
  const [[packageName = '', version] = []] = Object.entries(tree.versions);
  const folder = await installed({
    name: `${name}-${version}-${tree.digest}`,
    title: `${packageName} ${version}`,
    fill: (partial) => installTree(tree, partial),
  });
  const home = path.join(folder, 'node_modules', packageName);
  const { bin } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as {
    bin: string | Readonly<Record<string, string>>;
  };
  const [script = ''] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return path.join(home, script);
}
