import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import type { ModelSummary } from '../../domain/model';
import type { NextStep } from '../../domain/problems';
import { actionFor } from '../../platform/showError';
import { moreRow, treeRow } from '../../platform/treeRows';
import type { Estimate } from '../../runs/estimates/estimate';
import type { RawResponse } from '../../service/client';
import { formatMoney, formatPrice } from '../../wording/money';

/** What the history knows of a model. */
export interface PastRuns {
  readonly estimate: Estimate;
  /** As text; empty when neither cost nor time is known. */
  readonly text: string;
}

/** What the catalog view shows. */
export type CatalogNode =
  | { readonly kind: 'group'; readonly name: string; readonly models: readonly ModelSummary[] }
  | { readonly kind: 'model'; readonly model: ModelSummary }
  | {
      readonly kind: 'mode';
      readonly model: ModelSummary;
      readonly mode: string;
      readonly description?: string;
    }
  /** The models of a group ('' when there are no groups) that are not shown yet. */
  | { readonly kind: 'more'; readonly group: string; readonly left: number }
  | {
      readonly kind: 'problem';
      readonly message: string;
      readonly nextStep: NextStep;
      /** The response it is about: a click opens it. */
      readonly response?: RawResponse;
    };

/** A node as VS Code draws it. Ids are the service's own names, so that a refresh keeps selection and expansion. */
export function treeItem(node: CatalogNode, expanded: boolean, past?: PastRuns): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'group':
      return treeRow(node.name, {
        collapsibleState: expanded ? Expanded : Collapsed,
        // A state in the id, since VS Code keeps what it once saw of an id: a filter opens every group.
        id: `group:${expanded}:${node.name}`,
        description: String(node.models.length),
        iconPath: new vscode.ThemeIcon('folder-library'),
        contextValue: 'modelBench.group',
      });
    case 'model': {
      const { name, slug, description = '' } = node.model;
      const facts = [name === slug ? description : slug, past ? shortPast(past) : ''];
      return treeRow(name, {
        collapsibleState: Collapsed,
        id: `model:${slug}`,
        description: facts.filter(Boolean).join(' · '),
        iconPath: new vscode.ThemeIcon('symbol-method'),
        contextValue: 'modelBench.model',
        command: runCommand({ model: slug }),
      });
    }
    case 'mode':
      return treeRow(node.mode, {
        id: `mode:${node.model.slug}:${node.mode}`,
        description: node.description ?? '',
        iconPath: new vscode.ThemeIcon(modeIcon(node.mode)),
        contextValue: 'modelBench.mode',
        command: runCommand({ model: node.model.slug, mode: node.mode }),
      });
    case 'more':
      return moreRow(`more:${node.group}:${node.left}`, node.left, 'modelBench.showMoreModels', node.group);
    case 'problem': {
      const command = actionFor(node.nextStep, node.response);
      return treeRow(node.message, {
        tooltip: node.message,
        iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        ...(command && { command }),
      });
    }
    default:
      return assertNever(node);
  }
}

/** Texts of the service are appended as text, never as markup. */
export function modelTooltip(model: ModelSummary, past?: PastRuns): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.appendMarkdown('**').appendText(model.name).appendMarkdown('**\n\n');
  if (model.description) text.appendText(model.description).appendMarkdown('\n\n');
  const facts: [string, string | undefined][] = [
    [vscode.l10n.t('Slug'), model.slug],
    [vscode.l10n.t('Modes'), model.modeNames.join(', ')],
    [vscode.l10n.t('Tags'), model.tags.join(', ')],
    [vscode.l10n.t('Published price'), formatPrice(model.price, vscode.env.language)],
    [
      vscode.l10n.t('Your runs'),
      past && past.estimate.runs > 0 ? [past.estimate.runs, past.text].filter(Boolean).join('. ') : undefined,
    ],
  ];
  for (const [label, value] of facts) {
    if (value) text.appendText(`${label}: ${value}`).appendMarkdown('  \n');
  }
  return text;
}

/** "12 runs, about $0.02 each" */
function shortPast({ estimate: { runs, medianCost } }: PastRuns): string {
  if (runs === 0) return '';
  const count = runs === 1 ? vscode.l10n.t('1 run') : vscode.l10n.t('{0} runs', runs);
  if (!medianCost) return count;
  const cost = formatMoney(medianCost, vscode.env.language, { about: true });
  return vscode.l10n.t('{0}, about {1} each', count, cost);
}

function runCommand(args: { model: string; mode?: string }): vscode.Command {
  return { command: 'modelBench.runModel', title: vscode.l10n.t('Run Model…'), arguments: [args] };
}

function modeIcon(mode: string): string {
  if (mode === 'index') return 'database';
  if (mode === 'search') return 'search';
  return 'play';
}
