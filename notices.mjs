import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licences of the packages that the bundles hold, as their terms ask, from esbuild's own account of what went
 * in. Throws when a bundled package has a licence that has not been looked at.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
export function thirdPartyNotices(metafiles) {
  const folders = new Set(
    metafiles.flatMap((metafile) => Object.keys(metafile.inputs)).flatMap(packageFolder),
  );
  const entries = [...folders].map(entryOf).sort((a, b) => (a.title < b.title ? -1 : 1));
  const head = 'Model Bench includes parts of these packages, under their own licences.\n';
  return [head, ...entries.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text}\n`)].join('\n');
}

/** The folder of the package that a bundled file belongs to; none for our own. */
function packageFolder(input) {
  const match = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input);
  return match ? [match[0]] : [];
}

function entryOf(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const text = licenceText(folder);
  const known = license ?? (/MIT License/i.test(text ?? '') ? 'MIT' : undefined);
  // CC-BY-4.0 asks for the attribution that this file is; VS Code's own icon font has it.
  if (!/^\(?(MIT|ISC|BSD|BlueOak-1|Apache-2\.0|0BSD|CC0|CC-BY-4|Unlicense)/.test(known ?? ''))
    throw new Error(`${name} has the licence “${license}”: look at it before it is bundled.`);
  const owner = typeof author === 'string' ? author : author?.name;
  return { title: `${name} ${version} (${known})`, text: text ?? owner ?? '' };
}

function licenceText(folder) {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  return file && readFileSync(path.join(folder, file), 'utf8').trim();
}
