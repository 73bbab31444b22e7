import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import type { Figures } from '../support/figures';
import { outFolder, root } from '../support/paths';
import { KINDS } from './hostileShapes';

/** Test files, most of which `npm test` runs small; here at full size. The hour of indexing comes last. */
const parts: Readonly<Record<string, readonly string[]>> = {
  service: ['test/unit/service/*.test.ts'],
  hostile: ['test/faults/shapes.test.ts', 'test/faults/pages.test.ts'],
  store: ['kills', 'together'].map((name) => `test/processes/store/${name}.test.ts`),
  snippets: ['test/processes/snippets/snippets.test.ts'],
  messages: ['test/unit/runPanel/messages.test.ts'],
  runtimes: ['cli', 'store'].map((room) => `test/processes/${room}/promisedNodes.test.ts`),
  experiments: [
    ...['runs', 'fullDisk'].map((name) => `test/{unit,processes}/experiments/${name}.test.ts`),
    'test/faults/mixedDurations.test.ts',
  ],
  indexing: ['job', 'jobFaults', 'jobInterrupted', 'twins'].map(
    (name) => `test/{unit,processes}/indexing/${name}.test.ts`,
  ),
  simulation: ['test/unit/simulation/*.test.ts'],
  soak: ['test/processes/indexing/soak.test.ts'],
};

const fullSize = {
  MODEL_BENCH_FAULTS: 'full',
  MODEL_BENCH_FAULTS_RUNS: '1000',
  MODEL_BENCH_FAULTS_RETRY_AFTER: '100000',
  MODEL_BENCH_FAULTS_BODIES: '50000',
  MODEL_BENCH_FAULTS_KILLS: '1000',
  MODEL_BENCH_FAULTS_TOGETHER_ROUNDS: '5000',
  MODEL_BENCH_FAULTS_SEEDS: process.env.MODEL_BENCH_FAULTS_SEEDS ?? '100000',
  MODEL_BENCH_FAULTS_ORDERS: process.env.MODEL_BENCH_FAULTS_ORDERS ?? '5000',
  MODEL_BENCH_FAULTS_MESSAGES: '10000',
  MODEL_BENCH_FAULTS_SOAK_SECONDS: process.env.MODEL_BENCH_FAULTS_SOAK_SECONDS ?? '3600',
};

/** `npm run faults [PART …]`. Resolves to the exit code. */
export async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
    return 1;
  }
  const file = path.join(outFolder, 'faults', 'figures.jsonl');
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const failed: string[] = [];
  const started = Date.now();
  for (const [name, files] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`\n━━ ${name}`);
    const titles = name === 'hostile' ? [...KINDS.map((kind) => `noticed: ${kind}`), 'Pages with'] : [''];
    for (const title of titles)
      if ((await runMocha(files, file, title)) !== 0) failed.push(`${name} ${title}`.trim());
  }
  const figures = existsSync(file) ? readFigures(file) : [];
  const seconds = Math.round((Date.now() - started) / 1_000);
  const said = [
    `# Faults, ${new Date(started).toISOString().slice(0, 16)}`,
    '',
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.version}; ${seconds} s.`,
    '',
    table(figures),
    '',
    failed.length > 0 ? `FAILED: ${failed.join(', ')}` : 'All of it passed.',
    '',
  ].join('\n');
  console.log(`\n${said}`);
  writeFileSync(path.join(outFolder, 'faults', 'faults.md'), said);
  return failed.length > 0 || figures.length === 0 ? 1 : 0;
}

/** @param title a part of the titles of the tests */
function runMocha(files: readonly string[], figures: string, title: string): Promise<number> {
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const args = ['--import', 'tsx', mocha, '--exit', '--timeout', '0', '--fgrep', title, ...files];
  const env = { ...process.env, ...fullSize, MODEL_BENCH_FIGURES: figures };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function readFigures(file: string): Figures[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Figures);
}

function table(figures: readonly Figures[]): string {
  const rows = figures.map(
    ({ case: what, tried, lost, doubled, leaked, note = '' }) =>
      `| ${what} | ${tried.toLocaleString('en')} | ${lost} | ${doubled} | ${leaked} | ${note} |`,
  );
  const head = ['| case | tried | lost | doubled | leaked | |', '| --- | ---: | ---: | ---: | ---: | --- |'];
  return [...head, ...rows].join('\n');
}
