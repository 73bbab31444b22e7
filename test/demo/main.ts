import { execSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { outFolder, root } from '../support/paths';
import { VSCode } from '../support/vscode';
import { keepPictures } from './pictures';
import { prepareSamples } from './samples';
import { steps } from './steps';

/** Longer than any step takes on a slow machine. */
const patienceMs = 90_000;

/** Performs the main job and reports each step. Resolves to the exit code: 0 when every step happened. */
export async function main(args: readonly string[]): Promise<number> {
  const open = args.includes('--open');
  console.log('Building and packaging …');
  execSync('npm run --silent package', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log('Opening VS Code with the package installed …');
  await using vscode = await VSCode.open({ prepare: prepareSamples });
  vscode.page.setDefaultTimeout(20_000);
  if (open) return await leaveOpen(vscode);
  const pictures = await perform(vscode);
  if (pictures && args.includes('--pictures')) await keepPictures(pictures);
  return pictures ? 0 : 1;
}

/** Resolves to the pictures of the steps; undefined when one of them did not happen. */
async function perform(vscode: VSCode): Promise<readonly string[] | undefined> {
  await rm(path.join(outFolder, 'demo'), { recursive: true, force: true });
  const failed: string[] = [];
  const pictures: string[] = [];
  for (const [at, { title, run }] of steps.entries()) {
    const number = String(at + 1).padStart(2, '0');
    const started = performance.now();
    let saw: string;
    let happened = true;
    try {
      saw = await within(patienceMs, run(vscode));
    } catch (error) {
      happened = false;
      failed.push(title);
      saw = error instanceof Error ? error.message.split('\n', 8).join('\n') : String(error);
    }
    const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const picture = await vscode.screenshot(`demo/${number}-${slug}`);
    pictures.push(picture);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`\n${happened ? '✔' : '✘'} ${number} ${title} (${seconds} s)`);
    console.log(indented(saw));
    console.log(`     → ${path.relative(process.cwd(), picture)}`);
    // An open menu or quick pick of a failed step would be in the way of the next.
    if (!happened) for (let press = 0; press < 3; press += 1) await vscode.page.keyboard.press('Escape');
  }
  for (const error of vscode.errors) console.log(`\n✘ The extension logged an error: ${error}`);
  console.log(`\n${steps.length - failed.length} of ${steps.length} steps happened.`);
  return failed.length === 0 && vscode.errors.length === 0 ? pictures : undefined;
}

/** The texts on screen, in a few lines: a page's text is one word a line otherwise. */
function indented(saw: string): string {
  const lines = saw
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = lines.length > 12 ? lines.join(' · ') : lines.join('\n');
  return (text.length > 700 ? `${text.slice(0, 700)} …` : text).replaceAll(/^/gm, '     ');
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

/** Rejects when a promise takes too long; a hanging promise is a failed step, not a hung demo. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${milliseconds / 1000} s.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
