import JSZip from 'jszip';
import { LARGEST_PACKAGE } from '../support/paths';

/** Everything that the package may contain, relative to the extension. */
export const PACKAGED =
  /^(package\.json|package\.nls(\.[\w-]+)?\.json|README\.md|CHANGELOG\.md|LICENSE|media\/.+|schemas\/.+\.json|skills\/model-bench\/.+|l10n\/bundle\.l10n\.[\w-]+\.json|dist\/.+\.(js|css|ttf|wasm)|dist\/webview\/chunks\.json|dist\/THIRD_PARTY_NOTICES\.txt|dist\/sbom\.cdx\.json)$/;

/** Files without which it does not work. */
export const NEEDED: readonly string[] = [
  ...['package.json', 'README.md', 'dist/extension.js', 'dist/webview/chunks.json', 'dist/sandbox.js'],
  'dist/worker.js',
  ...['dist/webp.wasm', 'skills/model-bench/SKILL.md', 'l10n/bundle.l10n.de.json'],
];

/** An odd minor version is a pre-release, as VS Code's guidelines have it. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** Why a version cannot be published; empty when it can. @param tag of git, like `v1.2.3` */
export function versionProblems(version: string, changelog: string, tag?: string): string[] {
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    problems.push(`package.json has the version ${version}; the Marketplace takes numbers only, like 1.2.3.`);
  if (tag !== undefined && tag !== `v${version}`)
    problems.push(`The tag is ${tag}, and package.json has ${version}.`);
  const headings = changelog.split(/\r?\n/).filter((line) => line.startsWith('## '));
  if (!headings.includes(`## ${version}`))
    problems.push(
      `CHANGELOG.md has no section “## ${version}”${headings[0] ? `; its first is “${headings[0]}”` : ''}.`,
    );
  return problems;
}

/** Why a package cannot be published; empty when it can. @param bytes of the .vsix */
export async function packageProblems(bytes: Uint8Array, version: string): Promise<string[]> {
  const problems: string[] = [];
  if (bytes.length > LARGEST_PACKAGE)
    problems.push(`The package has ${bytes.length} bytes; ${LARGEST_PACKAGE} are the most.`);
  const zip = await JSZip.loadAsync(bytes);
  // vsce lowers the case of texts at the root, and ends the license in .txt.
  const packed = Object.values(zip.files)
    .filter(({ dir, name }) => !dir && name.startsWith('extension/'))
    .map(({ name }) => name.slice('extension/'.length));
  const pattern = new RegExp(PACKAGED.source.replace('LICENSE', 'LICENSE(\\.txt)?'), 'i');
  for (const name of packed.filter((one) => !pattern.test(one)))
    problems.push(`The package contains ${name}, which is no part of it.`);
  const names = new Set(packed.map((name) => name.toLowerCase()));
  for (const name of NEEDED.filter((one) => !names.has(one.toLowerCase())))
    problems.push(`The package lacks ${name}.`);
  const manifest = (await zip.file('extension/package.json')?.async('string')) ?? '{}';
  const { version: packedVersion, ...members } = JSON.parse(manifest) as { readonly version?: string };
  for (const name of ['scripts', 'devDependencies'].filter((one) => one in members))
    problems.push(`The package's package.json has ${name}.`);
  const bill = JSON.parse((await zip.file('extension/dist/sbom.cdx.json')?.async('string')) ?? '{}');
  if (!bill.components?.every(({ hashes }: { hashes?: unknown[] }) => hashes?.length === 1))
    problems.push('The package has no bill of materials with a hash of each part.');
  if (packedVersion !== version)
    problems.push(`The package has the version ${packedVersion}, and package.json ${version}.`);
  const vsix = (await zip.file('extension.vsixmanifest')?.async('string')) ?? '';
  const isMarked = /Id="Microsoft\.VisualStudio\.Code\.PreRelease" Value="true"/.test(vsix);
  if (isMarked !== isPreRelease(version))
    problems.push(
      `The package is ${isMarked ? '' : 'not '}marked as a pre-release, and ${version} is ${isMarked ? 'none' : 'one'}.`,
    );
  return problems;
}
