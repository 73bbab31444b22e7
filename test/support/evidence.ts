import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright-core';
import { outFolder } from './paths';
import type { Steps } from './steps';
import { beginWaits, endWaits, expectTests } from './waits';

/** The number of characters kept from the end of each log. */
const LOG_TAIL = 20_000;

/** A page that can show and report its events. */
export interface Witness {
  readonly page: Page;
  readonly steps: Steps;
  /** Unexpected messages of its console. */
  readonly errors: readonly string[];
  /** Folders and files of its logs; those that are not there are left out. */
  readonly logs: readonly string[];
}

const witnesses = new Set<Witness>();
let current: Mocha.Test | undefined;

/** Names a page that is questioned when a test fails while it is open. Returns how to leave it out again. */
export function addWitness(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** Keeps evidence of a page that is about to close, if the test in which it was open has failed. */
export async function keepIfFailed(witness: Witness): Promise<void> {
  if (current?.state === 'failed') await keepEvidence(witness, current.fullTitle(), current.err);
}

/** For Mocha's `--require`: a test that fails itself or in its hook leaves evidence of every open page. */
export const mochaHooks = {
  beforeAll: expectTests,
  beforeEach(this: Mocha.Context) {
    current = this.currentTest;
    for (const { steps } of witnesses) steps.add(`Test: ${current?.title}`);
    beginWaits(current?.fullTitle() ?? '');
    if (current) judgeWaits(current);
  },
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test === undefined || test.state === 'passed' || test.isPending()) return;
    await keepAllEvidence(test.fullTitle(), test.err);
  },
} satisfies Mocha.RootHookObject;

/** Keeps evidence of every page that is open. */
export async function keepAllEvidence(title: string, error: unknown): Promise<void> {
  let number = 1;
  for (const witness of witnesses) {
    const suffix = number === 1 ? '' : ` ${number}`;
    await keepEvidence(witness, `${title}${suffix}`, error);
    number += 1;
  }
}

/** Unawaited acts fail their test itself: after a failed hook, Mocha runs no more tests of the suite. */
function judgeWaits(test: Mocha.Test): void {
  const { fn } = test;
  if (fn === undefined || fn.length > 0) return;
  test.fn = async function (this: Mocha.Context) {
    await (fn as Mocha.AsyncFunc).call(this);
    endWaits();
  };
}

/** Leaves a picture (`out/journeys/<title>.png`), and the steps and logs in words (`.txt`). Never rejects. */
export async function keepEvidence(
  witness: Witness,
  title: string,
  error?: unknown,
  folder = 'journeys',
): Promise<void> {
  const base = path.join(outFolder, folder, title.replaceAll(/[^\w]+/g, '-').slice(0, 200));
  await mkdir(path.dirname(base), { recursive: true });
  const picture = await witness.page
    .screenshot({ path: `${base}.png`, timeout: 10_000 })
    .then(() => `${path.basename(base)}.png`)
    .catch(String);
  const parts: Record<string, string> = {
    Error: error instanceof Error ? (error.stack ?? error.message) : String(error ?? 'see the report'),
    Picture: picture,
    Steps: String(witness.steps),
    'Console errors': witness.errors.join('\n'),
  };
  for (const file of await logFiles(witness.logs))
    parts[file] = await readFile(file, 'utf8').then((text) => text.slice(-LOG_TAIL), String);
  const text = Object.entries(parts)
    .map(([heading, body]) => `## ${heading}\n${body || '(none)'}\n`)
    .join('\n');
  await writeFile(`${base}.txt`, stripVTControlCharacters(`# ${title}\n\n${text}`));
  console.log(`      what it left: ${path.relative(process.cwd(), base)}.{png,txt}`);
}

/** The logs of the extension and of its host among `places`; VS Code's other logs are not useful. */
async function logFiles(places: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of places) {
    if (!(await stat(place).catch(() => undefined))?.isDirectory()) found.push(place);
    else
      for (const file of await readdir(place, { recursive: true }))
        if (/model-bench.*\.log$|exthost\.log$/.test(file)) found.push(path.join(place, file));
  }
  return found;
}
