import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ name: string, version: string, licence: string, text: string, dependencies: readonly string[] }} BundledPackage
 */

/**
 * The packages that the bundles hold, from esbuild's own account of its inputs. Throws when one has a licence that
 * has not been looked at.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {readonly BundledPackage[]} sorted by name
 */
export function bundledPackages(metafiles) {
  // Files only: the modules of a plugin have its name before a namespace.
  const inputs = metafiles
    .flatMap((metafile) => Object.keys(metafile.inputs))
    .filter((input) => !/^[\w-]+:/.test(input));
  const folders = new Set(inputs.flatMap(packageFolder));
  return [...folders].map(packageIn).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const COPYRIGHT = /^\W*(?:copyright (?!notice|holder)|\(c\) |©).*$/gim;

/**
 * The licences of the bundled packages, as their terms ask: each with its copyright, and a text that several have word
 * for word after all of them.
 * @param {readonly BundledPackage[]} packages
 */
export function thirdPartyNotices(packages) {
  const head =
    'Model Bench includes parts of these packages, under their own licences. Packages that are listed together have the\n' +
    'text below them as their licence, each with its own copyright.\n';
  const line = '-'.repeat(80);
  /** @type {Map<string, { text: string, names: string[] }>} */
  const groups = new Map();
  for (const { name, version, licence, text } of packages) {
    const rest = text.replaceAll(COPYRIGHT, '').trim();
    const copyrights = text.match(COPYRIGHT) ?? [];
    // Wrapped otherwise, it is the same text.
    const key = rest.replaceAll(/\s+/g, ' ');
    const group = groups.get(key) ?? { text: rest.replaceAll(/\n\s*\n\s*\n/g, '\n\n'), names: [] };
    const owners = copyrights.map((copyright) => `\n    ${copyright.trim()}`);
    group.names.push(`${name} ${version} (${licence})${owners.join('')}`);
    groups.set(key, group);
  }
  const entries = [...groups.values()].map(({ text, names }) => `${line}\n${names.join('\n')}\n\n${text}\n`);
  return [head, ...entries].join('\n');
}

/**
 * A software bill of materials of the package, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). npm's own
 * would list every development tool and leave open which are in the package. Hashes are those of the lock file.
 * @param {readonly BundledPackage[]} packages
 * @param {{ name: string, version: string, devDependencies: Record<string, string> }} product
 * @param {{ packages: Record<string, { version?: string, integrity?: string }> }} lock package-lock.json
 */
export function billOfMaterials(packages, { name, version, devDependencies }, lock) {
  const purl = (of) => `pkg:npm/${of.name.replace('@', '%40')}@${of.version}`;
  const component = (type, of) => ({
    type,
    'bom-ref': purl(of),
    name: of.name,
    version: of.version,
    purl: purl(of),
  });
  const product = component('application', { name, version });
  const components = packages.map((each) => ({
    ...component('library', each),
    licenses: [{ expression: each.licence }],
    hashes: hashesOf(each, lock),
  }));
  const refs = (names) => packages.filter((each) => names.includes(each.name)).map(purl);
  const dependencies = [
    { ref: product['bom-ref'], dependsOn: refs(Object.keys(devDependencies)) },
    ...packages.map((each) => ({ ref: purl(each), dependsOn: refs(each.dependencies) })),
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([product, components]))
    .digest('hex');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // A UUID of version 8 (RFC 9562): one build has one number.
    serialNumber: `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      tools: { components: [{ type: 'application', name: 'esbuild', version: devDependencies.esbuild }] },
      component: product,
    },
    components,
    dependencies,
  };
}

/** @param {{ name: string, version: string }} of */
function hashesOf({ name, version }, lock) {
  const entry = Object.entries(lock.packages).find(
    ([place, { version: locked }]) => place.endsWith(`node_modules/${name}`) && locked === version,
  );
  const [, sha512] = /^sha512-(.+)$/.exec(entry?.[1].integrity ?? '') ?? [];
  if (sha512 === undefined) throw new Error(`package-lock.json has no hash of ${name} ${version}.`);
  return [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }];
}

/** The folder of the package that a bundled file belongs to; none for our own. */
function packageFolder(input) {
  const match = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input);
  return match ? [match[0]] : [];
}

function packageIn(folder) {
  const {
    name,
    version,
    license,
    author,
    dependencies = {},
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const text = licenceText(folder);
  const known = license ?? (/MIT License/i.test(text ?? '') ? 'MIT' : undefined);
  // CC-BY-4.0 asks for the attribution that this file is; VS Code's own icon font has it.
  if (!/^\(?(MIT|ISC|BSD|BlueOak-1|Apache-2\.0|0BSD|CC0|CC-BY-4|Unlicense)/.test(known ?? ''))
    throw new Error(`${name} has the licence “${license}”: look at it before it is bundled.`);
  const owner = typeof author === 'string' ? author : author?.name;
  return {
    name,
    version,
    licence: known,
    text: text ?? owner ?? '',
    dependencies: Object.keys(dependencies),
  };
}

function licenceText(folder) {
  const read = (/** @type {RegExp} */ name) => {
    const file = readdirSync(folder).find((entry) => name.test(entry));
    return file && readFileSync(path.join(folder, file), 'utf8').trim();
  };
  const text = read(/^(licen[cs]e|copying)/i);
  // The Apache License asks to pass on its notice, too.
  const notice = /^\s*Apache License/.test(text ?? '') ? read(/^notice(\.|$)/i) : undefined;
  return notice ? `${text}\n\n${notice}` : text;
}
