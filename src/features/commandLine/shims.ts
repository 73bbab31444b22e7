/** A script that is found on the PATH. */
export interface Shim {
  readonly name: string;
  readonly text: string;
}

/**
 * The scripts by which a terminal calls the command line of this installation. The program that runs extensions runs it as
 * Node.js, so that no Node.js has to be installed.
 * @param program that runs the extension host
 * @param script path of the command line
 */
export function shimsFor(platform: NodeJS.Platform, program: string, script: string): Shim[] {
  const posix = {
    name: 'model-bench',
    text: `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(program)} ${quoted(script)} "$@"\n`,
  };
  if (platform !== 'win32') return [posix];
  const [own, cli] = [program, script].map((path) => `"${path.replaceAll('%', '%%')}"`);
  const text = ['@echo off', 'setlocal', 'set ELECTRON_RUN_AS_NODE=1', `${own} ${cli} %*`, ''].join('\r\n');
  // Git Bash takes the first, Command Prompt and PowerShell the second.
  return [posix, { name: 'model-bench.cmd', text }];
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
