import { closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { newHostFolders } from '../support/hosts/folders';
import { runInServerHost } from '../support/hosts/serverHost';
import { outFolder, root } from '../support/paths';
import * as parts from '../support/runtime/parts';
import type { Arguments } from './arguments';
import { bundleHostTests, hostRunner } from './hostBundles';
import { newTallyFile, readTally } from './suite';
import type { Running, Tally } from './tally';

/** The host suite inside a VS Code server, of the oldest or the newest version. */
export function runOnServer(age: parts.Age, args: Arguments): Running {
  const starting = parts
    .codeServer(age)
    .then((code) => inHost(`host-${code.vscode}`, args, (env) => runInServerHost(code, env)));
  // The caller reports it.
  starting.catch(() => undefined);
  return async () => (await starting)();
}

/** The same suite inside a desktop VS Code, which @vscode/test-electron downloads. */
export async function runOnDesktop(version: string, args: Arguments): Promise<Tally> {
  const show = await inHost(`desktop-${version}`, args, async (env) => {
    await using folders = await newHostFolders();
    await runTests({
      version,
      extensionDevelopmentPath: root,
      extensionTestsPath: hostRunner,
      extensionTestsEnv: env,
      launchArgs: [
        folders.workspace,
        `--user-data-dir=${folders.userData}`,
        `--extensions-dir=${folders.extensions}`,
        '--disable-workspace-trust',
      ],
    });
  });
  return show();
}

type Host = (env: Record<string, string>) => Promise<void>;

/** By the files in it: all hosts that run the same files share a bundle. */
const bundles = new Map<string, Promise<void>>();

function bundle(files: readonly string[]): Promise<void> {
  const key = files.join();
  const made = bundles.get(key) ?? bundleHostTests(files);
  // The next one is written in its place.
  bundles.clear();
  bundles.set(key, made);
  return made;
}

/** Starts a suite. Resolves when it can be shown, long before its end. */
async function inHost(suite: string, args: Arguments, host: Host): Promise<Running> {
  await bundle(args.files.filter((file) => file.includes('test/host/')));
  const output = path.join(outFolder, 'logs', `${suite}.txt`);
  mkdirSync(path.dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const tallyFile = newTallyFile(suite);
  let ending = `The suite ${suite} ended`;
  const running = host({
    MODEL_BENCH_ROOT: root,
    MODEL_BENCH_OUTPUT: output,
    MODEL_BENCH_TALLY: tallyFile,
    MODEL_BENCH_MOCHA: JSON.stringify(mochaOptions(args.mocha)),
    MODEL_BENCH_COLOR: process.stdout.isTTY ? '1' : '0',
  }).catch((error: unknown) => {
    // The suite's own failures are in its count; other errors are reported below.
    ending = `The suite ${suite} ended (${error instanceof Error ? error.message : String(error)})`;
  });
  return async () => {
    const show = follow(output);
    await running;
    show.end();
    return readTally(tallyFile, ending);
  };
}

/** The few of Mocha's arguments that a run inside the host takes. */
function mochaOptions(args: readonly string[]): Mocha.MochaOptions {
  const options: Mocha.MochaOptions = {};
  for (let at = 0; at < args.length; at += 1) {
    const [name, joined] = args[at]!.split(/=(.*)/s);
    const value = () => joined ?? args[++at] ?? '';
    if (name === '--grep' || name === '-g') options.grep = value();
    else if (name === '--fgrep' || name === '-f') options.fgrep = value();
    else if (name === '--timeout' || name === '-t') options.timeout = Number(value());
    else if (name === '--bail' || name === '-b') options.bail = true;
    else if (name === '--invert' || name === '-i') options.invert = true;
    else console.warn(`Host tests do not take ${name}.`);
  }
  return options;
}

/** Prints the lines that are appended to a file. */
function follow(file: string): { end(): void } {
  const handle = openSync(file, 'a+');
  const buffer = Buffer.alloc(64 * 1024);
  let position = 0;
  const print = () => {
    for (;;) {
      const read = readSync(handle, buffer, 0, buffer.length, position);
      if (read === 0) return;
      process.stdout.write(Uint8Array.from(buffer.subarray(0, read)));
      position += read;
    }
  };
  const timer = setInterval(print, 100);
  return {
    end: () => {
      clearInterval(timer);
      print();
      closeSync(handle);
    },
  };
}
