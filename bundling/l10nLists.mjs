import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LANGUAGE = /^bundle\.l10n\.[\w-]+\.json$/;

/**
 * Writes the translations as they are shipped: for each language a list, in the order of the English texts in
 * `keys.json`. As bundles are kept in `l10n/`, each has all the English texts as well, which is half of its size.
 * @param {string} from the folder of the bundles
 * @param {string} to
 */
export function writeTextLists(from, to) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(from, file), 'utf8'));
  const keys = Object.keys(read('bundle.l10n.json'));
  mkdirSync(to, { recursive: true });
  const write = (/** @type {string} */ file, /** @type {readonly string[]} */ texts) =>
    writeFileSync(join(to, file), JSON.stringify(texts));
  write('keys.json', keys);
  for (const file of readdirSync(from).filter((name) => LANGUAGE.test(name))) {
    const texts = read(file);
    // What has no translation is shown in English.
    write(
      file,
      keys.map((key) => texts[key] ?? null),
    );
  }
}
