import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogNote } from '../../connection/environmentCatalog';
import type { Environment } from '../../domain/environment';
import { type Modality, modelModality } from '../../domain/modality';
import type { ModelSummary } from '../../domain/model';
import type { NextStep } from '../../domain/problems';
import type { RawResponse } from '../../domain/response';
import type { Estimate } from '../../runs/estimates/estimate';
import { environmentOfError, ServiceError } from '../../service/errors';
import { tooltip } from '../../vscode/messages/tooltip';
import { moreRow, treeRow } from '../../vscode/messages/views';
import { actionFor, messageOf } from '../../vscode/showError';
import { nextStepOf } from '../../wording/errors';
import { firstSentence } from '../../wording/firstSentence';
import { formatMoney, formatPrice } from '../../wording/money';

export interface PastRuns {
  readonly estimate: Estimate;
  /** As text; empty when neither cost nor time is known. */
  readonly text: string;
}

export type CatalogNode =
  | { readonly kind: 'group'; readonly name: string; readonly models: readonly ModelSummary[] }
  | { readonly kind: 'model'; readonly model: ModelSummary }
  | {
      readonly kind: 'mode';
      readonly model: ModelSummary;
      readonly mode: string;
      readonly description?: string;
    }
  /** In place of models that are not listed yet. */
  | { readonly kind: 'loading'; readonly environment: string }
  /** The models of a group ('' when there are no groups) that are not shown yet. */
  | { readonly kind: 'more'; readonly group: string; readonly left: number }
  | {
      readonly kind: 'problem';
      readonly message: string;
      readonly nextStep: NextStep;
      /** The response it is about: a click opens it. */
      readonly response?: RawResponse | undefined;
      /** Where it happened: a key is set there. */
      readonly environment?: Environment | undefined;
    };

/** A node as VS Code draws it. Ids are the service's own names, so that a refresh keeps selection and expansion. */
export function treeItem(
  node: Exclude<CatalogNode, { kind: 'model' }>,
  expanded: boolean,
  showMore: (group: string) => void,
): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'group':
      return treeRow(node.name, {
        collapsibleState: expanded ? Expanded : Collapsed,
        // A state in the ID, since VS Code keeps an ID's last state: a filter opens every group.
        id: `group:${expanded}:${node.name}`,
        description: String(node.models.length),
        iconPath: new vscode.ThemeIcon('folder-library'),
        contextValue: 'modelBench.group',
      });
    case 'mode':
      return treeRow(node.mode, {
        id: `mode:${node.model.slug}:${node.mode}`,
        description: node.description ?? '',
        iconPath: new vscode.ThemeIcon(modeIcon(node.mode)),
        contextValue: 'modelBench.mode',
        command: runCommand({ model: node.model.slug, mode: node.mode }),
      });
    case 'loading':
      return treeRow(l10n.t('Loading the models of {0}…', node.environment), {
        iconPath: new vscode.ThemeIcon('loading~spin'),
      });
    case 'more':
      return moreRow(`more:${node.group}:${node.left}`, node.left, () => showMore(node.group));
    case 'problem': {
      const command = actionFor(node.nextStep, node.response, node.environment);
      return treeRow(node.message, {
        tooltip: [node.message],
        iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        command,
      });
    }
  }
}

/** An error as a row; Refresh retries. */
export function problemNode(error: unknown): CatalogNode {
  const step = nextStepOf(error);
  return {
    kind: 'problem',
    message: messageOf(error),
    nextStep: step === 'retry' ? 'refresh' : step,
    response: error instanceof ServiceError ? error.details.raw : undefined,
    environment: environmentOfError(error),
  };
}

/** Facts about the list that the user needs: parts that are missing or could not be read. */
export function noteNode({ message, response, goesOn }: CatalogNote): CatalogNode {
  const nextStep = response ? 'showRaw' : goesOn ? 'nextPage' : 'showLog';
  return { kind: 'problem', message, nextStep, response };
}

/** A model in VS Code's tree, with its known `modes`. */
export function modelItem(
  model: ModelSummary,
  isFavourite: boolean,
  modes: readonly string[],
  past?: PastRuns,
): vscode.TreeItem {
  const { name, slug, description = '' } = model;
  const price = formatPrice(model.price, vscode.env.language);
  // A name says the id already when the id is made of it.
  const id = name === slug || isMadeOf(name, slug) ? '' : slug;
  const about = firstSentence(description) || (price === undefined ? id : '');
  const facts = [price, past ? shortPast(past) : '', about];
  return treeRow(name, {
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    id: `model:${slug}`,
    description: facts.filter(Boolean).join(' · '),
    iconPath: new vscode.ThemeIcon(isFavourite ? 'star-full' : modelIcon(model)),
    contextValue: [
      'modelBench.model',
      ...modes.filter((mode) => /^(?:index|search)$/i.test(mode)).map((mode) => mode.toLowerCase()),
      ...(isFavourite ? ['favourite'] : []),
    ].join(' '),
    command: runCommand({ model: slug }),
  });
}

export function modelTooltip(model: ModelSummary, past?: PastRuns): vscode.MarkdownString {
  const facts: [string, string | undefined][] = [
    [l10n.t('ID'), model.slug],
    [l10n.t('Modes'), model.modeNames.join(', ')],
    [l10n.t('Tags'), model.tags.join(', ')],
    [l10n.t('Published price'), formatPrice(model.price, vscode.env.language)],
    [
      l10n.t('Your runs'),
      past && past.estimate.runs > 0 ? [past.estimate.runs, past.text].filter(Boolean).join('. ') : undefined,
    ],
  ];
  const lines = facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return tooltip(model.name, [model.description ?? '', ...lines]);
}

/** "12 runs, about $0.02 each" */
function shortPast({ estimate: { runs, medianCost } }: PastRuns): string {
  if (runs === 0) return '';
  const count = runs === 1 ? l10n.t('1 run') : l10n.t('{0} runs', runs);
  if (!medianCost) return count;
  const cost = formatMoney(medianCost, vscode.env.language, { about: true });
  return l10n.t('{0}, about {1} each', count, cost);
}

/** `image-description` says no more than “Image Description”. */
function isMadeOf(name: string, slug: string): boolean {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return name !== slug && letters(slug) === letters(name);
}

/** A click shows the model; a second one, or an entry in its form, keeps its tab. */
function runCommand(args: { model: string; mode?: string }): vscode.Command {
  const title = l10n.t('Run Model…');
  return { command: 'modelBench.runModel', title, arguments: [{ ...args, preview: true }] };
}

const ICONS: Readonly<Record<Modality, string>> = {
  video: 'device-camera-video',
  audio: 'unmute',
  image: 'file-media',
  text: 'symbol-string',
};

function modelIcon(model: ModelSummary): string {
  const modality = modelModality(model);
  return modality === undefined ? 'symbol-method' : ICONS[modality];
}

function modeIcon(mode: string): string {
  if (mode === 'index') return 'database';
  if (mode === 'search') return 'search';
  return 'play';
}
