// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code of templates as text
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as ast from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { outFolder, root } from '../support/paths';

/** Attributes that a person reads or hears. */
const READ = 'aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label';
/** Properties of VS Code's objects that a person reads. */
const SHOWN = new Set(
  'title placeHolder placeholder prompt detail saveLabel openLabel label description tooltip message'.split(
    ' ',
  ),
);
/** Names of formats and of a JSON value: the same in every language. */
const SAME_EVERYWHERE = new Set(['HTTP', 'PNG', 'SVG', 'null']);
const MESSAGES = /^show(?:Information|Warning|Error)Message$|^withProgress$|^showQuickPick$/;

/** Every text of a user interface that no translation can replace, of a project's files: `file text`. */
function hardCoded(folder: string, tsconfig: string, files: RegExp): { found: string[]; read: number } {
  const api = new API({ cwd: folder });
  try {
    const [project] = api.updateSnapshot({ openProject: path.join(folder, tsconfig) }).getProjects();
    const found: string[] = [];
    let read = 0;
    for (const name of project!.program.getSourceFileNames()) {
      const file = path.relative(folder, name).replaceAll(path.sep, '/');
      if (!files.test(file)) continue;
      read++;
      found.push(...textsIn(project!.program.getSourceFile(name)!).map((text) => `${file} ${text.trim()}`));
    }
    return { found, read };
  } finally {
    api.close();
  }
}

function textsIn(source: ast.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ast.Node): void => {
    if (ast.isTaggedTemplateExpression(node) && /^(?:html|svg)$/.test(node.tag.getText()))
      found.push(...textsOfTemplate(node.template.getText().slice(1, -1)));
    if (ast.isPropertyAssignment(node) && SHOWN.has(node.name.getText()) && isSentence(node.initializer))
      found.push(node.initializer.getText());
    if (ast.isCallExpression(node) && MESSAGES.test(node.expression.getText()))
      found.push(...node.arguments.filter((argument) => isSentence(argument)).map((one) => one.getText()));
    node.forEachChild((child) => visit(child));
  };
  visit(source);
  return found;
}

/** The texts of a template: those between its expressions and its tags, and in attributes that people read. */
function textsOfTemplate(written: string): string[] {
  let whole = '';
  let depth = 0;
  for (let at = 0; at < written.length; at++) {
    const opens = written.startsWith('${', at);
    if (opens) at++;
    if (opens || (depth > 0 && written[at] === '{')) depth++;
    else if (depth > 0) depth -= written[at] === '}' ? 1 : 0;
    else whole += written[at];
    if (opens && depth === 1) whole += '\uE000';
  }
  const attributes = [...whole.matchAll(new RegExp(`\\s(?:${READ})="([^"]*)"`, 'g'))].map(
    ([, value]) => value!,
  );
  const texts = whole.replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, '\n').split(/[\n\uE000]/);
  return [...attributes, ...texts]
    .map((text) => text.replaceAll('\uE000', ' ').trim())
    .filter((text) => /\p{L}{2}/u.test(text) && !SAME_EVERYWHERE.has(text));
}

/** A literal of several words: identifiers and ids have no spaces. */
function isSentence(node: ast.Node): boolean {
  const isLiteral = ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node);
  return isLiteral && /\p{L}{2,} \p{L}/u.test(node.getText());
}

describe('Texts that are written into the code', () => {
  // The compiler starts, and reads the program.

  it('occur in no page', () => {
    const { found, read } = hardCoded(root, 'webview/tsconfig.json', /^webview\//);
    assert.deepEqual(found, []);
    assert.ok(read > 80, `${read} files were read`);
  });

  it('occur in no text of VS Code’s window', () => {
    const { found, read } = hardCoded(root, 'src/tsconfig.json', /^src\/(?:features|platform)\//);
    assert.deepEqual(found, []);
    assert.ok(read > 150, `${read} files were read`);
  });

  it('fail this check', () => {
    const texts = [
      'html`<p>${x} left</p>`;',
      'html`<button aria-label="Close ${x}" class="quiet">${icon}</button>`;',
      "showWarningMessage('Nothing was sent.');",
      "pick({ title: 'Choose a model' });",
      'html`<p>${y ? html`<b>Yes</b>` : x}</p>`;',
    ];
    const none = [
      "html`<p class='some words'>${t('Some words')} · </p>`;",
      "pick({ title: t('Choose a model'), label: 'id' });",
    ];
    mkdirSync(outFolder, { recursive: true });
    const folder = mkdtempSync(path.join(outFolder, 'hard-coded-'));
    try {
      writeFileSync(path.join(folder, 'tsconfig.json'), '{"files": ["a.ts", "b.ts"]}');
      writeFileSync(path.join(folder, 'a.ts'), texts.join('\n'));
      writeFileSync(path.join(folder, 'b.ts'), none.join('\n'));
      const { found } = hardCoded(folder, 'tsconfig.json', /^[ab]\.ts$/);
      assert.deepEqual(found, [
        ...['a.ts left', 'a.ts Close', "a.ts 'Nothing was sent.'", "a.ts 'Choose a model'", 'a.ts Yes'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
