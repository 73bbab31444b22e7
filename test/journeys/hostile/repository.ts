import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { hostileText } from '../../support/hostileText';
import { makePictures } from '../../support/pictures';

/** The hostile content of a workspace. */
export interface HostileRepository {
  /** Pictures that are files of its own, by any name. */
  readonly pictures: number;
  /** Rules within the length limit: the content of .gitignore after its reader has rejected the long one. */
  readonly usableRules: string;
}

const MARKUP = '[x](command:hostWatch.act) $(trash)';

/**
 * Fills a workspace with content that can harm its reader: names that are markup, rules that take minutes, links that
 * lead out or in circles, pipes that never end, settings that point elsewhere, and run files.
 */
export async function makeHostileRepository(workspace: string, foreign: string): Promise<HostileRepository> {
  const inside = (...parts: readonly string[]) => path.join(workspace, ...parts);
  await makePictures(inside('pictures'), 12);
  const first = inside('pictures/set-0/picture-0.png');
  const names = [...chosenNames, ...generatedNames()];
  for (const name of names) await copyFile(first, inside('pictures/set-0', name));

  for (const folder of ['pictures/pipes', 'pictures/linked', 'pictures/slow', 'many', '.vscode'])
    await mkdir(inside(folder), { recursive: true });
  await copyFile(first, inside('pictures/pipes/beside.png'));
  await copyFile(first, inside('pictures/linked/beside.png'));
  await copyFile(first, inside('pictures/slow/beside.png'));
  const pipes = ['pictures/pipes/.gitignore', 'pictures/pipes/pipe.png', 'pipe.run.json'];
  for (const pipe of pipes) execFileSync('mkfifo', [inside(pipe)]);
  const links: Readonly<Record<string, string>> = {
    'pictures/linked/.gitignore': '/dev/zero',
    'pictures/linked/passwd.png': '/etc/passwd',
    'pictures/linked/endless.png': '/dev/zero',
    'pictures/linked/circle': '../..',
    'pictures/linked/itself': 'itself',
    'pictures/linked/machine': '/',
    'out.png': '/etc/passwd',
  };
  for (const [link, target] of Object.entries(links)) await symlink(target, inside(link));

  const rules = [
    `${'a/**/'.repeat(30)}b`,
    `${'*a'.repeat(60)}b`,
    `${'[a-z]*'.repeat(60)}!`,
    '{a,b}'.repeat(40),
  ];
  await writeFile(inside('pictures/slow/.gitignore'), rules.join('\n'));
  await writeFile(inside('.gitignore'), `${rules.join('\n')}\n${'#'.repeat(1_000_000)}\n`);
  const settings = {
    'files.exclude': { ['**/a'.repeat(30)]: true },
    'modelBench.environments': { Sandbox: foreign, [MARKUP]: foreign },
    'modelBench.indexing.concurrency': 10_000,
  };
  await writeFile(inside('.vscode/settings.json'), JSON.stringify(settings));
  for (let n = 0; n < 5000; n += 1) await writeFile(inside('many', `${n}.txt`), '');

  const runs: Readonly<Record<string, string>> = {
    'out.run.json': JSON.stringify({
      model: 'image-description',
      name: MARKUP,
      input: { image: { media_ref: './out.png' }, text: MARKUP },
      expect: [{ at: '/a', matches: '^(a+)+$' }],
    }),
    'elsewhere.run.json': JSON.stringify({ model: MARKUP, environment: foreign, input: { text: MARKUP } }),
    ...experimentFiles,
    'huge.run.json': `{"model":"${'a'.repeat(5_000_000)}"}`,
    'deep.run.json': '['.repeat(500_000),
    'members.run.json': JSON.stringify({
      ...{ model: 'sentiment', input: { text: 'a' } },
      ...Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`u${at}`, at])),
    }),
    'places.experiment.json': JSON.stringify({
      run: { model: 'sentiment', input: { text: 'a' } },
      vary: Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`/params/p${at}`, [at]])),
    }),
    'proto.run.json': '{"model":"sentiment","input":{"__proto__":{"text":"a"},"text":"a"}}',
  };
  for (const [name, text] of Object.entries(runs)) await writeFile(inside(name), text);
  // Their trees would take gigabytes; none of them is opened.
  await mkdir(inside('trees'));
  const tree = `[${','.repeat(990_000)}"expect"]`;
  for (let n = 0; n < 40; n += 1) await writeFile(inside('trees', `${n}.run.json`), tree);
  const own = (await readdir(inside('pictures'), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.png') && !entry.name.startsWith('.'),
  );
  return { pictures: own.length, usableRules: rules.join('\n') };
}

/** An experiment with markup as rows, columns and results, and with results that lead out of its folder. */
const experimentFiles: Readonly<Record<string, string>> = {
  'hostile.experiment.json': JSON.stringify({
    version: 1,
    run: { model: 'language-id', input: {} },
    vary: { '/model': ['language-id', MARKUP] },
    over: { rows: 'hostile.csv', map: { '/input/text': 'text' } },
    expected: { column: 'language', at: '/language' },
    metrics: ['accuracy'],
  }),
  'hostile.csv': `text,language\n${MARKUP},${MARKUP}\n=cmd|calc,__proto__\n../../../etc/passwd,en\n`,
  'hostile.results.jsonl': [
    { item: 'row 2', result: { language: MARKUP, text: `<img src=x onerror=alert(1)> ${MARKUP}` } },
    { item: 'row 3', result: JSON.parse('{"language":"en","__proto__":{"language":"de"}}') as object },
    { item: 'row 4', result_file: '../../../../../../etc/passwd' },
  ]
    .map(
      (line, at) =>
        `${JSON.stringify({
          custom_id: `${at}`.padEnd(24, '0').concat('-0'),
          variation: { '/model': 'language-id' },
          repeat: 0,
          request_sha256: `${at}`.padEnd(64, '0'),
          state: 'finished',
          ...line,
        })}\n`,
    )
    .join(''),
};

const chosenNames = [
  `${MARKUP}.png`,
  'line\nbreak.png',
  'picture\u202egnp.exe.png',
  '-rf.png',
  '%2e%2e%2fetc.png',
  '..%5c..%5csecret.png',
  'C:\\secret.png',
  '__proto__.png',
  '<img src=x onerror=alert(1)>.png',
  '\u001b[31mred.png',
];

/** Of 40 generated texts, as names: a slash or a NUL is in none, and a name has at most 255 bytes. */
function generatedNames(): string[] {
  const texts = fc.sample(hostileText, { numRuns: 40, seed: 14 });
  const names = texts.map((text) => Buffer.from(text.replaceAll(/[/\0]/g, '')).subarray(0, 200));
  return [...new Set(names.map((name, at) => `${name.toString().replaceAll('\ufffd', '')}${at}.png`))];
}
