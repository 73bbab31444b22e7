import path from 'node:path';
import * as ast from 'typescript/unstable/ast';
import { API, type Symbol as Declared, type Project } from 'typescript/unstable/sync';

/** The members of `vscode.window` that show no text. */
const TEXTLESS = new Set([
  ...['activeTextEditor', 'visibleTextEditors', 'tabGroups', 'state', 'showTextDocument'],
  ...['registerWebviewPanelSerializer', 'registerCustomEditorProvider', 'registerFileDecorationProvider'],
  ...['onDidChangeWindowState', 'onDidChangeActiveTextEditor', 'terminals', 'onDidOpenTerminal'],
]);

/** Classes of VS Code that hold texts which may have links or icons. */
const TEXT_CLASSES = new Set(['MarkdownString', 'TreeItem', 'TestMessage']);

/** Texts of these objects are the room's: it makes them, or makes them plain. */
const TEXT_OBJECTS = new Set(
  'TreeItem QuickPickItem StatusBarItem MarkdownString TestItem WebviewPanel'.split(' '),
);
const TEXTS = new Set('label description detail tooltip title text name accessibilityInformation'.split(' '));
const MARKDOWN = new Set(
  'appendMarkdown appendText appendCodeblock isTrusted supportHtml supportThemeIcons'.split(' '),
);

const DECLARATIONS = /node_modules\/@types\/vscode\/index\.d\.ts$/;

/**
 * Ways in which a file hands a text to VS Code's window itself, found in the syntax tree with types: other names,
 * destructured or computed members and aliases are found like plain calls.
 * @param files which of the program's files, by their path from the root
 * @returns one line for each way
 */
export function windowUses(root: string, tsconfig: string, files: (file: string) => boolean): string[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: path.join(root, tsconfig) }).getProjects();
    const found: string[] = [];
    for (const name of project!.program.getSourceFileNames()) {
      const file = path.relative(root, name).replaceAll(path.sep, '/');
      if (file.startsWith('..') || file.includes('node_modules') || !files(file)) continue;
      const source = project!.program.getSourceFile(name)!;
      if (!source.text.includes("'vscode'")) continue;
      found.push(...usesIn(project!, source).map((use) => `${file} ${use}`));
    }
    return found;
  } finally {
    api.close();
  }
}

function usesIn(project: Project, source: ast.SourceFile): string[] {
  const names: ast.Node[] = [];
  const visit = (node: ast.Node): void => {
    if (ast.isIdentifier(node) || ast.isStringLiteral(node)) names.push(node);
    node.forEachChild((child) => visit(child));
  };
  visit(source);
  const symbols = project.checker.getSymbolAtLocation(names);
  return names.flatMap((node, at) => {
    const symbol = symbols[at];
    if (!symbol) return [];
    const imported = isImported(symbol) ? project.checker.getAliasedSymbol(symbol) : symbol;
    const why = isModule(imported) ? taken(node) : isOfVSCode(imported) ? wrong(node, imported) : undefined;
    return why ? [why] : [];
  });
}

function isImported({ declarations: [declaration] }: Declared): boolean {
  const { ImportSpecifier, NamespaceImport, ImportClause } = ast.SyntaxKind;
  return (
    declaration !== undefined && [ImportSpecifier, NamespaceImport, ImportClause].includes(declaration.kind)
  );
}

function isModule(symbol: Declared): boolean {
  return symbol.name.replaceAll('"', '') === 'vscode' && isOfVSCode(symbol);
}

function isOfVSCode(symbol: Declared): boolean {
  return symbol.declarations.some((declaration) => DECLARATIONS.test(declaration.path));
}

function wrong(node: ast.Node, symbol: Declared): string | undefined {
  const owner = symbol.getParent()?.name.replaceAll('"', '');
  const used = whole(node);
  if (owner === 'window' && !TEXTLESS.has(symbol.name) && !isType(used)) return `takes window.${symbol.name}`;
  if (symbol.name === 'window' && owner === 'vscode' && !isNamed(used)) return 'takes the window as a whole';
  if (TEXT_CLASSES.has(symbol.name) && isMade(used)) return `makes a ${symbol.name}`;
  if (owner === 'MarkdownString' && MARKDOWN.has(symbol.name)) return `uses MarkdownString.${symbol.name}`;
  const isSet = owner !== undefined && TEXT_OBJECTS.has(owner) && TEXTS.has(symbol.name) && isAssigned(used);
  return isSet && !isPlainTitle(used) ? `sets ${owner}.${symbol.name}` : undefined;
}

/** The module itself, under any name: only its members may be named. */
function taken(node: ast.Node): string | undefined {
  const { parent } = node;
  const isDeclared =
    ast.isNamespaceImport(parent) || ast.isImportDeclaration(parent) || ast.isModuleDeclaration(parent);
  return isDeclared || isNamed(node) ? undefined : 'takes VS Code as a whole';
}

/** A name with its object: `vscode.window` of its `window`. */
function whole(node: ast.Node): ast.Node {
  const { parent } = node;
  return ast.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
}

/** Whether a member of it is named, which is looked at there. */
function isNamed(node: ast.Node): boolean {
  const { parent } = node;
  if (ast.isQualifiedName(parent)) return true;
  if (ast.isPropertyAccessExpression(parent)) return parent.expression === node;
  return ast.isElementAccessExpression(parent) && ast.isStringLiteral(parent.argumentExpression);
}

function isType(node: ast.Node): boolean {
  return ast.isQualifiedName(node.parent) || ast.isTypeQueryNode(node.parent);
}

/** By `new`, as a base class, or by a function of the class. */
function isMade(node: ast.Node): boolean {
  const { parent } = node;
  const isStatic = ast.isPropertyAccessExpression(parent) && parent.expression === node;
  return isStatic || ast.isNewExpression(parent) || ast.isExpressionWithTypeArguments(parent);
}

function isAssigned(access: ast.Node): boolean {
  const { parent } = access;
  return ast.isBinaryExpression(parent) && parent.left === access && isAssignment(parent);
}

function isAssignment({ operatorToken: { kind } }: ast.BinaryExpression): boolean {
  return kind >= ast.SyntaxKind.FirstAssignment && kind <= ast.SyntaxKind.LastAssignment;
}

/** A panel is VS Code's own object; its title may be set to a text that is made plain on that very line. */
function isPlainTitle({ parent }: ast.Node): boolean {
  return ast.isBinaryExpression(parent) && parent.right.getText().startsWith('plainLine(');
}
