import nodePath, { type PlatformPath } from 'node:path';

// Rules of paths that hold on every system. `on` is the system's own; tests give that of another.

/**
 * Whether a file or folder is below a folder. Upper and lower case are the same where Windows says so, drive letters
 * among them: VS Code writes "c:", the system "C:".
 * @param path absolute, as is `folder`; where links matter, both resolved
 */
export function isInside(path: string, folder: string, on: PlatformPath = nodePath): boolean {
  const way = on.relative(folder, path);
  return way !== '' && !leadsOut(way, on);
}

/**
 * The path from a folder to a file, as a run file has it: beginning with "./" or "../", with "/" between its parts.
 * Undefined where none leads there: on another drive or share of Windows.
 */
export function relativePath(path: string, folder: string, on: PlatformPath = nodePath): string | undefined {
  // Between two shares of one server, Node.js finds a way that does not lead there.
  if (rootOf(path, on) !== rootOf(folder, on)) return undefined;
  const way = on.relative(folder, path);
  const slashed = way.replaceAll(on.sep, '/');
  return leadsOut(way, on) ? slashed : `./${slashed}`;
}

function rootOf(path: string, on: PlatformPath): string {
  return on.parse(path).root.toLowerCase();
}

function leadsOut(way: string, on: PlatformPath): boolean {
  return way === '..' || way.startsWith(`..${on.sep}`) || on.isAbsolute(way);
}
