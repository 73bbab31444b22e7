// Removes translations of texts that are gone, and reports how many texts each language lacks: they are shown in English.
// With `--complete`, as before a release, a missing translation is an error.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'));

let missing = 0;
for (const [folder, name] of [
  [here, 'bundle.l10n'],
  [root, 'package.nls'],
]) {
  const english = Object.keys(read(join(folder, `${name}.json`)));
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && file !== `${name}.json`);
  for (const file of files) {
    const texts = read(join(folder, file));
    const kept = english.filter((key) => texts[key] !== undefined);
    writeFileSync(
      join(folder, file),
      `${JSON.stringify(Object.fromEntries(kept.map((key) => [key, texts[key]])), undefined, 2)}\n`,
    );
    if (kept.length < english.length)
      console.log(`${file}: ${english.length - kept.length} texts are in English`);
    missing += english.length - kept.length;
  }
}
if (missing > 0 && process.argv.includes('--complete')) process.exitCode = 1;
