import { execSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { keepEvidence } from '../support/evidence';
import { outFolder, root } from '../support/paths';
import { VSCode } from '../support/vscode';
import { perform } from './perform';
import { keepPictures } from './pictures';
import { prepareSamples } from './samples';
import { steps } from './steps';

/** On a quiet machine: a step takes less, and each wait of it. */
const STEP_MS = 90_000;
const WAIT_MS = 20_000;

/** Performs the main job and reports each step. Resolves to the exit code: 0 when every step happened. */
export async function main(args: readonly string[]): Promise<number> {
  console.log('Building and packaging …');
  execSync('npm run --silent package', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  await rm(path.join(outFolder, 'demo'), { recursive: true, force: true });
  console.log('Opening VS Code with the package installed …');
  await using vscode = await open();
  if (!vscode) return 1;
  console.log(`Started: ${vscode.startedIn}`);
  if (args.includes('--open')) return await leaveOpen(vscode);
  vscode.page.setDefaultTimeout(WAIT_MS * vscode.slowness);
  const happened = await perform(steps, {
    subject: vscode,
    limitMs: STEP_MS * vscode.slowness,
    say: console.log,
    picture: async (name) => path.relative(process.cwd(), await vscode.screenshot(`demo/${name}`)),
    keepLogs: async (name, error) => {
      await keepEvidence(vscode, name, error, 'demo');
      // An open menu or quick pick of a failed step would be in the way of the next.
      for (let press = 0; press < 3; press += 1) await vscode.page.keyboard.press('Escape');
    },
    errors: vscode.errors,
  });
  if (happened && args.includes('--pictures')) await keepPictures(happened);
  return happened ? 0 : 1;
}

async function open(): Promise<VSCode | undefined> {
  try {
    return await VSCode.open({ prepare: prepareSamples });
  } catch (error) {
    console.log(`\nMissing: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`);
    console.log('Look at: out/journeys/a-window-that-did-not-open-*.txt, the logs beside its picture');
    return undefined;
  }
}

async function leaveOpen(vscode: VSCode): Promise<number> {
  console.log(
    `\nVS Code is open at\n\n  ${vscode.address}\n\nwith the password ${vscode.password}. Ctrl+C ends it.`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  return 0;
}
