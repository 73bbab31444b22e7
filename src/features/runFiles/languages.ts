import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { Environment } from '../../domain/environment';
import { environmentFor } from '../../platform/runFiles/environment';
import { namedMedia } from '../../platform/runFiles/places';
import { runFileUses } from '../../platform/runFiles/uses';
import { type CompletionFacts, completeAt, hoverIn, isInScope } from '../../runFiles/complete';
import { problemFixes } from '../../runFiles/fixes';
import { problemPlace } from '../../runFiles/marks';
import { modelIn, type ReadRunFile, readRunFile } from '../../runFiles/read';
import { nameAt, nodeAt } from '../../runFiles/text';
import type { Services } from '../../services';
import { plainMarkdown, thumbnail } from '../../vscode/messages/editorTexts';
import type { Contracts } from './contracts';
import { runFileProblems } from './problems';

/** An editor's knowledge about its run file. Typing a key here causes no request to the service. */
export class Languages {
  constructor(
    private readonly services: Services,
    private readonly contracts: Contracts,
  ) {}

  async completions(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const file = readRunFile(document.getText());
    const offset = document.offsetAt(position);
    const known = await this.#known(file, isInScope(file, offset));
    const offers = completeAt(file, offset, known);
    if (!offers) return undefined;
    const range = textRange(document, offers.place);
    const items = offers.items.map((one, index) => {
      const kind =
        offers.kind === 'name' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value;
      const item = new vscode.CompletionItem(
        { label: one.label, ...(one.detail !== undefined && { description: one.detail }) },
        kind,
      );
      item.range = range;
      item.insertText = offers.kind === 'name' ? nameSnippet(one.insert) : one.insert;
      // Where a string is typed, the text begins with a quote.
      item.filterText = offers.kind === 'name' ? JSON.stringify(one.label) : one.insert;
      item.sortText = String(index).padStart(5, '0');
      if (one.documentation !== undefined) item.documentation = plainMarkdown(one.documentation);
      return item;
    });
    return new vscode.CompletionList(items, offers.isIncomplete);
  }

  async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const file = readRunFile(document.getText());
    const offset = document.offsetAt(position);
    const media = await this.#mediaAt(document.uri, file, offset);
    if (media && PICTURE.test(media.uri.path))
      return new vscode.Hover(thumbnail(media.uri), textRange(document, media.place));
    const hoverText = hoverIn(file, offset, await this.#known(file, false));
    return hoverText && new vscode.Hover(plainMarkdown(hoverText.text), textRange(document, hoverText.place));
  }

  async links(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const file = readRunFile(document.getText());
    const media = await namedMedia(document.uri, file);
    return media.flatMap(({ pointer, resolved }) => {
      const node = nodeAt(file.root, `${pointer}/media_ref`);
      if (typeof resolved === 'string' || !node) return [];
      const place = { offset: node.offset + 1, length: node.length - 2 };
      return [new vscode.DocumentLink(textRange(document, place), vscode.Uri.file(resolved.path))];
    });
  }

  async fixes(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const file = readRunFile(document.getText());
    const environment = environmentFor(file, this.services.connection);
    const contract = this.contracts.of(modelIn(file), environment);
    const problems = await runFileProblems(
      runFileUses(this.services.context),
      document.uri,
      file,
      contract,
      environment,
    );
    // Also on the name of a member with a marked value.
    const here = problems.filter((problem) =>
      [problemPlace(problem, file), nameAt(file.root, problem.pointer)].some(
        (place) => place && textRange(document, place).intersection(range),
      ),
    );
    const seen = new Set<string>();
    return here.flatMap((problem) => {
      const fixes = problemFixes(file, problem, contract).filter(
        ({ title }) => !seen.has(title) && seen.add(title),
      );
      return fixes.map((fix, index) => {
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.replace(document.uri, textRange(document, fix), fix.text);
        action.isPreferred = index === 0 && fixes.length === 1;
        return action;
      });
    });
  }

  async #mediaAt(uri: vscode.Uri, file: ReadRunFile, offset: number) {
    for (const { pointer, resolved } of await namedMedia(uri, file)) {
      const node = nodeAt(file.root, `${pointer}/media_ref`);
      const isHere = node && node.offset <= offset && offset <= node.offset + node.length;
      if (isHere && typeof resolved !== 'string')
        return { uri: vscode.Uri.file(resolved.path), place: { offset: node.offset, length: node.length } };
    }
    return undefined;
  }

  async #known(file: ReadRunFile, withScopes: boolean): Promise<CompletionFacts> {
    const { catalog, connection } = this.services;
    const environment = environmentFor(file, connection);
    const environments = connection.environments.map(({ name }) => name);
    const slug = modelIn(file);
    if (!environment)
      return { models: [], contract: undefined, environments, scopes: [], locale: vscode.env.language };
    const models = catalog.of(environment);
    return {
      models: models.models ?? (await this.#list(models)),
      contract: this.contracts.of(slug, environment),
      environments,
      scopes: slug === undefined || !withScopes ? [] : await this.#scopesOf(slug, environment),
      locale: vscode.env.language,
    };
  }

  /** The catalog is listed once, at the first completion; an untrusted workspace starts no request. */
  async #list(catalog: EnvironmentCatalog) {
    if (!vscode.workspace.isTrusted || catalog.error !== undefined) return [];
    return catalog.refresh().catch(() => []);
  }

  async #scopesOf(slug: string, { baseUrl }: Environment): Promise<readonly string[]> {
    if ((await this.services.storeVersion()) === undefined) return [];
    const datasets = await this.services
      .store()
      .then((store) => store.datasets.summaries(baseUrl))
      .catch(() => []);
    return datasets.filter(({ model }) => model === slug).map(({ scope }) => scope);
  }
}

function textRange(
  document: vscode.TextDocument,
  { offset, length }: { offset: number; length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** `"name": value` with the value, or the text between its quotes or brackets, selected. */
function nameSnippet(insert: string): vscode.SnippetString {
  const [, name = insert, value] = /^("(?:[^"\\]|\\.)*")(?:: ([\s\S]*))?$/.exec(insert) ?? [];
  if (value === undefined) return new vscode.SnippetString(escaped(name));
  const [, open = '', inner = value, close = ''] = /^(["{[])([\s\S]*)(["}\]])$/.exec(value) ?? [];
  return new vscode.SnippetString(
    `${escaped(name)}: ${escaped(open)}\${1:${escaped(inner)}}${escaped(close)}`,
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, '\\$&');
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|bmp|svg|avif)$/i;
