// Of VS Code's 600 icons the pages use some forty: the rest would be a twentieth of the package, and read at each opening
// of a page.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import { root } from './root.mjs';

const ICON = /^\.codicon-([\w-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)"\s*\}\s*$/;

/** Every quoted word of the sources that could be an icon's name: `'file'`, `codicon-file`. */
function quotedWords() {
  const words = new Set();
  for (const folder of ['src', 'webview'])
    for (const file of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(path.join(root, folder, file), 'utf8');
      if (/codicon-[a-z-]+\$\{/.test(source))
        throw new Error(`${file} makes up the name of an icon: write it out.`);
      for (const [, word] of source.matchAll(/['"`]([a-z][a-z0-9-]*)['"`]/g)) words.add(word);
      for (const [, name] of source.matchAll(/codicon-([a-z][a-z0-9-]*)/g)) words.add(name);
    }
  return words;
}

/**
 * Keeps of codicon.css and codicon.ttf the icons that the sources name.
 * @type {import('esbuild').Plugin}
 */
export const usedIcons = {
  name: 'used-icons',
  setup(build) {
    const words = quotedWords();
    build.onLoad({ filter: /codicon\.css$/ }, ({ path: file }) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const isUsed = (line) => {
        const icon = ICON.exec(line);
        return !icon || words.has(icon[1]);
      };
      return { contents: lines.filter(isUsed).join('\n'), loader: 'css' };
    });
    build.onLoad({ filter: /codicon\.ttf$/ }, async ({ path: file }) => {
      const used = readFileSync(file.replace(/ttf$/, 'css'), 'utf8')
        .split('\n')
        .map((line) => ICON.exec(line))
        .filter((icon) => icon && words.has(icon[1]));
      if (used.length === 0) throw new Error('codicon.css is not written as expected');
      const characters = used.map(([, , code]) => String.fromCodePoint(Number.parseInt(code, 16)));
      const font = await subsetFont(readFileSync(file), characters.join(''), { targetFormat: 'truetype' });
      return { contents: font, loader: 'file' };
    });
  },
};
