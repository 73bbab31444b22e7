import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/paths';

/**
 * Who may import whom. A room is a folder under src/ or webview/; its allowed imports are a list of packages and of
 * other rooms. `node:` means Node's built-ins. A room may always import itself.
 */
const pure = ['@vscode/l10n', 'src/domain'];
const logic = [
  'node:',
  'zod',
  '+',
  ...pure,
  'src/wording',
  'src/forms',
  'src/intake',
  'src/contracts',
  'src/readers',
  'src/service',
  'src/store',
];
const acting = [
  ...[...logic, 'src/results', 'src/jobs', 'src/runs', 'src/indexing', 'src/runFiles', 'src/experiments'],
];
const mayImport: Record<string, readonly string[]> = {
  'src/domain': ['zod'],
  'src/wording': [...pure, 'pretty-bytes'],
  'src/forms': [...pure, 'src/wording'],
  'src/results': [...pure, 'zod'],
  'src/snippets': pure,
  // The one way in: bytes, texts, tables, numbers, paths.
  'src/intake': ['node:', '+', ...pure],
  // The one place that starts programs.
  'src/programs': ['node:', '@vscode/l10n'],
  // Work on data of other people, in a thread with a deadline.
  'src/worker': ['node:', 'src/protocol', '+'],
  'src/protocol': ['zod', 'src/domain', 'src/forms', 'src/results'],
  // Pure functions over bodies.
  'src/readers': ['src/domain', 'src/intake', 'node:', 'zod', '+'],
  'src/contracts': ['src/domain', 'src/readers'],
  // Throws kinds: src/wording makes the users' texts from them.
  'src/service': ['src/domain', 'src/intake', 'src/contracts', 'src/readers', 'node:', 'zod', 'undici'],
  // The only room that knows SQL.
  'src/store': ['node:', 'zod', 'src/domain'],
  'src/runs': logic,
  'src/jobs': logic,
  'src/indexing': [...logic, 'src/jobs', 'src/runs'],
  // `NAME.run.json` as text, request, media and expectations. The format's JSON schema is the published one.
  'src/runFiles': [...logic, 'src/results', 'src/runs', 'schemas/run-file.schema.json'],
  'src/experiments': [
    ...[...logic, 'src/results', 'src/protocol', 'src/jobs', 'src/runs', 'src/runFiles', 'src/programs'],
    'schemas/experiment.schema.json',
  ],
  // The commands of a terminal, which agents call too.
  'src/commands': acting,
  // Tools of agents, for chat, other clients and the terminal.
  'src/agents': [...acting, 'src/commands', 'src/worker'],
  // `main.ts` sees everything but VS Code.
  'src/cli': [...acting, 'src/programs', 'src/commands', 'src/agents', 'package.json/'],
  // The editor: commands, messages, the log, trees.
  'src/vscode': ['node:', 'zod', 'vscode', ...pure, 'src/wording', 'src/service', 'src/contributions'],
  // Environments, their keys, and the catalogs of their models.
  'src/connection': [
    ...['node:', 'zod', 'vscode', ...pure, 'src/wording', 'src/contracts', 'src/service'],
    ...['src/contributions', 'src/vscode'],
  ],
  // The surfaces that features share.
  'src/platform': [
    ...[
      ...logic,
      'vscode',
      'src/results',
      'src/contributions',
      'src/indexing',
      'src/vscode',
      'src/connection',
    ],
    // `openPage` carries the messages of every page.
    ...['src/protocol', 'src/runs', 'src/runFiles'],
  ],
  'src/features': [
    ...[...logic, 'vscode', 'src/results', 'src/snippets', 'src/contributions', 'src/services'],
    ...['src/protocol', 'src/runs', 'src/jobs', 'src/indexing', 'src/runFiles', 'src/experiments'],
    ...['src/vscode', 'src/connection', 'src/platform', 'src/commands', 'src/agents', 'src/programs'],
  ],
  'src/services': [
    ...logic,
    'vscode',
    'src/contributions',
    'src/runs',
    'src/jobs',
    'src/indexing',
    'src/vscode',
    'src/connection',
    'src/platform',
  ],
  // Types of titles only: the compiler compares them with the commands.
  'src/contributions': ['src/domain', 'package.nls.json/'],
  'src/sandbox': ['node:', '+'],
  // Only these two import all rooms: services built on first use are separate from the list of features.
  'src/extension': ['node:', 'vscode', '@vscode/l10n', 'src/'],
  'src/openServices': ['node:', 'vscode', 'src/'],
  webview: [
    ...['src/protocol', 'src/wording', 'src/forms', 'src/results', 'src/snippets', ...pure],
    ...['lit', '@vscode/webview-ui-toolkit', 'zod', '+'],
  ],
};

/** Packages that keep out of a room although '+' lets small libraries in. */
const clientOnly = ['vscode', 'undici', '@vscode/webview-ui-toolkit', 'lit'];

describe('The house', () => {
  it('limits the imports of every room', () => {
    const wrong: string[] = [];
    for (const file of sources())
      for (const imported of importsOf(file)) {
        const reason = whyNot(file, imported);
        if (reason) wrong.push(`${file} imports ${imported}: ${reason}`);
      }
    assert.deepEqual(wrong, []);
  });

  it('imports nothing in circles, types neither', () => {
    // The experiments and the pages are being rebuilt: their circles are counted, and none comes back.
    const open = /^(?:src\/experiments|src\/commands\/(?:experiment|runsToSend)|webview)/;
    assert.deepEqual(circular(sources().filter((file) => !open.test(file))), []);
  });

  it('keeps one feature from importing another', () => {
    const wrong: string[] = [];
    for (const file of sources()) {
      const feature = featureOf(file);
      if (!feature) continue;
      for (const imported of importsOf(file)) {
        const other = imported.startsWith('.') ? featureOf(resolved(file, imported)) : undefined;
        if (other && other !== feature) wrong.push(`${file} imports ${imported}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('lets only the command of agent spending, and a terminal by --max-cost, give a grant', () => {
    const giver = 'src/store/giveAgentGrant';
    const givers = sources().filter((file) =>
      importsOf(file).some((imported) => imported.startsWith('.') && resolved(file, imported) === giver),
    );
    const others = givers.filter((file) => !file.startsWith('src/features/agents/allow/'));
    assert.deepEqual(others, ['src/cli/mcp.ts']);
  });

  it('keeps Node and VS Code out of code that also runs in a webview', () => {
    const wrong = sources()
      .filter((file) => /^(src\/(domain|wording|forms|results|snippets|protocol)|webview)\//.test(file))
      .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
      .filter(({ imported }) => imported.startsWith('node:') || imported === 'vscode');
    assert.deepEqual(wrong, []);
  });

  it('reads bytes as text, and tables, in few places', () => {
    const readers = sources().filter((file) => {
      if (/^(?:src\/(?:sandbox|snippets)|webview)\//.test(file)) return false;
      const text = read(file);
      const decodes =
        /new TextDecoder\(|\.toString\(\s*['"](?:utf-?8|utf16le|latin1)|readFile(?:Sync)?\(.*['"]utf-?8['"]/.test(
          text,
        );
      return decodes || importsOf(file).some((imported) => imported.startsWith('csv-parse'));
    });
    assert.deepEqual(readers.sort(), [
      'src/connection/environmentCatalog.ts',
      // Names of the parts of a picture.
      'src/experiments/report/withoutMetadata.ts',
      // Text of this program itself.
      ...['src/experiments/results/resultsFile.ts', 'src/features/runPanel/savedPanels.ts'],
      // The one way in.
      ...['src/intake/bodyContent.ts', 'src/intake/bodyText.ts', 'src/intake/fileCheck.ts'],
      ...['src/intake/ignoreRules.ts', 'src/intake/pictureParts.ts', 'src/intake/tables/delimited.ts'],
      ...['src/intake/tables/delimiter.ts', 'src/intake/text.ts'],
      ...['src/platform/openPage.ts', 'src/platform/runFiles/uses.ts'],
      // Only asks whether bytes are text.
      // Bodies of responses, certificates in PEM, and bytes that are searched for an ID or the key.
      ...['src/service/certificates.ts', 'src/service/loggedRequestId.ts'],
      'src/service/redact.ts',
    ]);
  });

  it('registers and calls commands by typed names only', () => {
    const literal = /\bcommands\s*\.\s*(registerCommand|executeCommand)\s*\(\s*['"`]/;
    const wrong = sources().filter((file) => literal.test(read(file)));
    assert.deepEqual(wrong, []);
    const registering = sources().filter((file) => /\bcommands\.registerCommand\b/.test(read(file)));
    assert.deepEqual(registering, ['src/vscode/commands.ts']);
  });

  it('imports undici in one file, and never sets the global dispatcher', () => {
    const files = sources();
    const importing = files.filter(
      (file) => importsOf(file).includes('undici') && !onlyTypes(file, 'undici'),
    );
    assert.ok(importing.length <= 1, `undici is imported by ${importing.join(', ')}`);
    for (const file of files)
      assert.doesNotMatch(read(file), /setGlobalDispatcher/, `${file} sets the global dispatcher`);
  });

  it('imports the toolkit in one file, so that it can be swapped', () => {
    const importing = sources().filter((file) => importsOf(file).includes('@vscode/webview-ui-toolkit'));
    assert.ok(importing.length <= 1, `the toolkit is imported by ${importing.join(', ')}`);
  });
});

function whyNot(file: string, imported: string): string | undefined {
  const room = roomOf(file);
  const allowed = mayImport[room];
  if (!allowed) return `${room} is no room of the house`;
  if (imported.startsWith('.')) {
    const target = roomOf(resolved(file, imported));
    if (target === room || allowed.includes(target)) return undefined;
    if (allowed.includes('src/') && target.startsWith('src/')) return undefined;
    return `${room} may not import ${target}`;
  }
  if (imported.startsWith('node:'))
    return allowed.includes('node:') ? undefined : `${room} is not for Node alone`;
  const name = packageOf(imported);
  if (allowed.includes(name)) return undefined;
  if (allowed.includes('+') && !clientOnly.includes(name)) return undefined;
  return `${room} may not import ${name}`;
}

/** `src/features/catalog/tree.ts` → `src/features`; `src/extension.ts` → `src/extension`; webview is one room. */
function roomOf(file: string): string {
  const [top, second = ''] = file.split('/');
  return top === 'webview' ? 'webview' : `${top}/${second.replace(/\.ts$/, '')}`;
}

function featureOf(file: string): string | undefined {
  return /^src\/features\/([^/]+?)(\.ts)?(\/|$)/.exec(file)?.[1];
}

function packageOf(imported: string): string {
  return imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');
}

function resolved(file: string, imported: string): string {
  return path.posix.join(path.posix.dirname(file), imported);
}

/**
 * The imports of a file, types too. Read from the text: a bundler's metafile leaves out types, and those tie rooms
 * together too. The formatter keeps import statements in a form that this expression knows.
 */
function importsOf(file: string, withDynamic = true): string[] {
  const text = read(file);
  const statements = /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'/g;
  const dynamic = withDynamic ? text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g) : [];
  return [...text.matchAll(statements), ...dynamic].map((match) => match[1] ?? match[2]!);
}

/** The files that a file's own imports lead back to; those loaded on use are not followed. */
function circular(files: readonly string[]): string[] {
  const known = new Set(files);
  const next = new Map(
    files.map((file) => {
      const imports = importsOf(file, false).filter((imported) => imported.startsWith('.'));
      return [file, imports.map((one) => `${resolved(file, one)}.ts`).filter((one) => known.has(one))];
    }),
  );
  // Without those that import nothing that is left, again and again: only circles, and files that lead to them, stay.
  for (let left = 0; left !== next.size; ) {
    left = next.size;
    for (const [file, imports] of next)
      if (!imports.some((imported) => next.has(imported))) next.delete(file);
  }
  return [...next.keys()];
}

function onlyTypes(file: string, name: string): boolean {
  const text = read(file);
  return !new RegExp(`import (?!type)[^'";]*'${name}'|import\\('${name}'\\)`).test(text);
}

function sources(): string[] {
  return ['src', 'webview'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')),
  );
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
