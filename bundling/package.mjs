// Makes dist/model-bench.vsix of the bundles. Its manifest is without scripts and tools of the development, its JSON without
// spaces.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

const folder = 'out/package';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const PARTS =
  /^(?:package\.nls.*\.json|README\.md|CHANGELOG\.md|LICENSE|\.vscodeignore|media|schemas|skills|dist|l10n)$/;
const parts = readdirSync('.').filter((name) => PARTS.test(name));
for (const part of parts) cpSync(part, join(folder, part), { recursive: true });
const {
  scripts: _scripts,
  devDependencies: _tools,
  ...manifest
} = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/^(?:package\.nls.*|l10n.*|schemas.*)\.json$/.test(file)) continue;
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), JSON.stringify(JSON.parse(text)));
}
await createVSIX({
  cwd: folder,
  packagePath: join(process.cwd(), 'dist/model-bench.vsix'),
  dependencies: false,
});
