import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../paths';

interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const { contributes } = read('package.json');
const texts: Readonly<Record<string, string>> = read('package.nls.json');
const plain = (text: string) => text.replace(/^%(.+)%$/, (_whole, key: string) => texts[key] ?? key);

/** Which values the keys of `when` clauses have. */
export type Keys = Readonly<Record<string, unknown>>;

/** The ID of the view that the side bar shows with this title. */
export function viewTitled(title: string): string {
  const found = contributes.views.modelBench.find(({ name }: { name: string }) => plain(name) === title);
  if (!found) throw new Error(`The side bar has no view “${title}”.`);
  return found.id;
}

/** The IDs of commands with this title in a menu: with or without the trailing dots. */
function commandsTitled(title: string): string[] {
  const all = contributes.commands as readonly { command: string; title: string; category?: string }[];
  const bare = (text: string) => text.replace(/…$/, '');
  return all.filter((one) => bare(plain(one.title)) === bare(title)).map(({ command }) => command);
}

/** Whether the palette offers a command. */
function isOffered(command: string, keys: Keys): boolean {
  const hiding = contributes.menus.commandPalette as readonly Entry[];
  return hiding.filter((entry) => entry.command === command).every(({ when }) => holds(when, keys));
}

/** The command that the palette offers under “Model Bench: Title”; undefined while it offers none. */
export function inPalette(title: string, keys: Keys): string | undefined {
  return commandsTitled(title.replace(/^Model Bench: /, '')).find((command) => isOffered(command, keys));
}

/** The titles of all commands that the palette offers, in the order in which VS Code lists commands that were not used yet. */
export function paletteTitles(keys: Keys): string[] {
  return (contributes.commands as readonly { command: string; title: string }[])
    .filter(({ command }) => isOffered(command, keys))
    .map(({ title }) => plain(title))
    .sort((a, b) => a.localeCompare(b));
}

/** The command that a menu (`view/item/context` and the like) or its submenu offers under this title; undefined: it offers none. */
export function inMenu(menu: string, title: string, keys: Keys): string | undefined {
  const commands = commandsTitled(title);
  for (const { command, submenu, when } of contributes.menus[menu] as readonly Entry[]) {
    if (!holds(when, keys)) continue;
    const found = submenu === undefined ? command : inMenu(submenu, title, keys);
    if (found !== undefined && commands.includes(found)) return found;
  }
  return undefined;
}

/** The welcome text that an empty view shows; undefined: none. */
export function welcomeOf(view: string, keys: Keys): string | undefined {
  const id = viewTitled(view);
  const shown = (contributes.viewsWelcome as readonly { view: string; contents: string; when?: string }[])
    .filter((one) => one.view === id && holds(one.when, keys))
    .map(({ contents }) => plain(contents));
  return shown.length > 0 ? shown.join('\n') : undefined;
}

const TOKEN = /\s*(&&|\|\||!=|==|=~|!|\(|\)|\/(?:[^/\\]|\\.)+\/\w*|'[^']*'|[\w.:-]+)/gy;

/** Whether a `when` clause holds. */
function holds(when: string | undefined, keys: Keys): boolean {
  if (when === undefined) return true;
  const tokens = [...when.matchAll(TOKEN)].map(([, token]) => token!);
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  if (bare(tokens.join('')) !== bare(when)) throw new Error(`“${when}” was not understood.`);
  const next = (token: string) => tokens[0] === token && tokens.shift() !== undefined;
  const either = (): boolean => {
    let holding = both();
    while (next('||')) holding = both() || holding;
    return holding;
  };
  const both = (): boolean => {
    let holding = one();
    while (next('&&')) holding = one() && holding;
    return holding;
  };
  const one = (): boolean => {
    if (next('!')) return !one();
    if (next('(')) {
      const holding = either();
      next(')');
      return holding;
    }
    const key = tokens.shift()!;
    const value = key === 'true' || (key === 'false' ? false : keys[key]);
    if (next('==')) return String(value) === tokens.shift()!.replaceAll("'", '');
    if (next('!=')) return String(value) !== tokens.shift()!.replaceAll("'", '');
    if (next('in')) {
      const list = keys[tokens.shift()!];
      return Array.isArray(list) && list.includes(value);
    }
    if (next('=~')) {
      const [, pattern, flags] = /^\/(.*)\/(\w*)$/.exec(tokens.shift()!)!;
      return new RegExp(pattern!, flags).test(String(value ?? ''));
    }
    return Boolean(value);
  };
  return either();
}
