import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { build } from '../run/build';
import { launchBrowser } from '../support/browser';
import { Panels } from '../support/panels/panels';
import { root } from '../support/paths';

/** From the last written file to the reload: a build writes several. */
const QUIET_MS = 100;

const COMMANDS: Readonly<Record<string, (panels: Panels, argument: string) => unknown>> = {
  run: (panels, model) => panels.command('modelBench.runModel', { model: model || 'sentiment' }),
  usage: (panels) => panels.command('modelBench.showUsage'),
  search: (panels, scope) => panels.command('modelBench.searchScope', scope || undefined),
};

/**
 * Opens a page of the extension over the sandbox, without VS Code, and opens it again whenever its sources are saved.
 * The page is shown in a window of the browser, or nowhere with `--headless`.
 */
export async function main(args: readonly string[]): Promise<void> {
  const [name = 'run', argument = ''] = args.filter((arg) => !arg.startsWith('-'));
  const open = COMMANDS[name];
  if (!open) throw new Error(`There is no page “${name}”: ${Object.keys(COMMANDS).join(', ')}.`);
  const browser = launchBrowser(args.includes('--headless'));
  await build();

  const panels = await Panels.open(() => browser);
  // The page that was asked for is the only one.
  panels.window.changeSettings({ 'modelBench.openModelAfterConnecting': false });
  panels.command('modelBench.startSandbox');
  await panels.row('Catalog', /^Sentiment/);
  open(panels, argument);
  const page = await panels.page(/./);
  console.log(`Shown: ${await page.title()}. Save a file of webview/ to see it change; Ctrl+C ends it.`);

  // The host's code is loaded once: after a change of it, start again.
  for (const row of ['pages', 'theme']) {
    const args = ['esbuild.mjs', `--only=${row}`, '--watch'];
    const bundle = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    process.once('exit', () => bundle.kill());
  }
  let timer: NodeJS.Timeout | undefined;
  watch(path.join(root, 'dist/webview'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const started = performance.now();
      await panels.reload();
      // A panel without input is not restored.
      open(panels, argument);
      await (await panels.page(/./)).waitForLoadState('load');
      console.log(`Reloaded in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }, QUIET_MS);
  });
  (await browser).once('disconnected', () => process.exit(0));
}
