import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import path from 'node:path';
import { root } from './paths';

/**
 * Makes `vscode` importable in plain Node: every member exists, can be called and has no effect. For tests that need
 * the extension's host code by the ten thousand calls; its behaviour in VS Code is tested there. Modules that import
 * `vscode` have to be imported after this call.
 */
export function stubVSCode(): void {
  register(stubHooks());
}

/** The address of the hooks that do it, for \`register\` of node:module. */
export function stubHooks(): string {
  return `data:text/javascript,${encodeURIComponent(hooks(moduleSource()))}`;
}

/** Source of a module whose every export responses to every name. */
function moduleSource(): string {
  const declarations = readFileSync(path.join(root, 'node_modules/@types/vscode/index.d.ts'), 'utf8');
  const names = new Set(
    [...declarations.matchAll(/^\s+export (?:class|enum|namespace|const|function) (\w+)/gm)].map(
      ([, name]) => name!,
    ),
  );
  const own = ['Uri', 'EventEmitter', 'l10n', 'FileType'];
  const rest = [...names].filter((name) => !own.includes(name));
  return `
const any = new Proxy(class {}, {
  get: (target, name) =>
    name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : name === Symbol.iterator ? function* () {} : name === 'prototype' ? target.prototype : any,
  apply: () => any,
  construct: () => any,
});
export class EventEmitter {
  #listeners = new Set();
  event = (listener) => { this.#listeners.add(listener); return { dispose: () => this.#listeners.delete(listener) }; };
  fire(value) { for (const listener of this.#listeners) listener(value); }
  dispose() { this.#listeners.clear(); }
}
export class Uri {
  constructor(url) { this.url = url; }
  static parse(text) { return new Uri(new URL(text)); }
  static file(path) { return new Uri(new URL('file://' + encodeURI(path))); }
  static joinPath(base, ...parts) { return Uri.file([base.path, ...parts].join('/')); }
  get scheme() { return this.url.protocol.slice(0, -1); }
  get path() { return decodeURIComponent(this.url.pathname); }
  get fsPath() { return this.path; }
  with() { return this; }
  toString() { return this.url.href; }
}
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const l10n = { bundle: undefined };
${rest.map((name) => `export { any as ${name} };`).join('\n')}
export default any;
`;
}

function hooks(source: string): string {
  return `export const resolve = (name, context, next) => name === 'vscode' ? { url: 'stub:vscode', shortCircuit: true } : next(name, context);
export const load = (url, context, next) => url === 'stub:vscode' ? { format: 'module', source: ${JSON.stringify(source)}, shortCircuit: true } : next(url, context);`;
}
