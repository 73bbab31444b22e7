import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, getLocation, getNodeValue, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { keepMapping } from '../../connection/responseMappings';
import { pointerOf } from '../../domain/pointer';
import {
  mappingAmong,
  type ResponseMapping,
  responseMappingOf,
  responseMappingSchema,
} from '../../domain/responseMapping';
import { getAt } from '../../domain/value';
import { mappingsIn } from '../../intake/mappingFile';
import { jsonText } from '../../platform/jsonText';
import { filenameOf } from '../../platform/localFile';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { isConfirmed } from '../../vscode/dialogs';
import { showOpenDialog } from '../../vscode/messages/fileDialogs';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { otherUses, runUses, type Use } from './uses';

interface ValueOfRun {
  readonly result: string;
  readonly pointer: string;
}

/**
 * Asks for the meaning of a value, by which responses are read from now on.
 * @param target missing: the value at the cursor of a raw response
 */
export async function useValueAs(services: Services, target?: ValueOfRun): Promise<void> {
  const { baseUrl, at, value, uses } = target ? await valueOfRun(services, target) : valueInEditor(services);
  const mapping = responseMappingOf(baseUrl) ?? {};
  const use = await chosenUse(uses(value), mapping, baseUrl, at);
  if (use === undefined) return;
  const currency = use.isMoney ? await askCurrency() : undefined;
  if (use.isMoney && currency === undefined) return;
  await apply(services, baseUrl, use.apply(mapping, at, currency || undefined), target?.result);
}

/** @param shown the run on screen, which is read again as well */
async function apply(
  services: Services,
  baseUrl: string,
  mapping: ResponseMapping,
  shown?: string,
): Promise<void> {
  const undo = await keepMapping(baseUrl, responseMappingSchema.parse(mapping));
  const { readAgain } = await import('../../runs/readAgain');
  const history = await services.history();
  const before = await readAgain({ history, guard: await services.guard() }, baseUrl, shown);
  const others = before.filter(({ id }) => id !== shown).length;
  if (shown === undefined) await executeCommand('modelBench.refresh');
  const { keptJobRuns } = await import('./keptJobs');
  const ofJobs = await keptJobRuns(services, baseUrl);
  const [undoTitle, readTitle] = [l10n.t('Undo'), l10n.t('Read Runs of Jobs Again')];
  const text =
    others === 0
      ? l10n.t('Responses of {0} are read by your mapping from now on.', baseUrl)
      : l10n.t(
          'Responses of {0} are read by your mapping from now on. {1} earlier runs were read again, none was sent.',
          baseUrl,
          others,
        );
  // Results of experiments only grow: their runs are read at a click, for that cannot be undone.
  const more = ofJobs.count > 0 ? [readTitle] : [];
  const chosen = await showInformationMessage(text, undoTitle, ...more, copyTitle());
  if (chosen === copyTitle()) await copyMapping(baseUrl);
  if (chosen === readTitle)
    void showInformationMessage(
      l10n.t('{0} of {1} runs of jobs were read again, none was sent.', await ofJobs.read(), ofJobs.count),
    );
  if (chosen !== undoTitle) return;
  await undo();
  for (const record of before) await history.put(record);
  if (shown === undefined) await executeCommand('modelBench.refresh');
}

const copyTitle = () => l10n.t('Copy Mapping');

async function copyMapping(baseUrl: string): Promise<void> {
  await vscode.env.clipboard.writeText(jsonText(responseMappingOf(baseUrl) ?? {}));
}

async function chosenUse(
  uses: readonly Use[],
  mapping: ResponseMapping,
  baseUrl: string,
  at: string,
): Promise<Use | undefined> {
  const copy = { label: copyTitle(), use: undefined };
  const known = Object.keys(mapping).length > 0;
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, use: undefined };
  const chosen = await showQuickPick<vscode.QuickPickItem & { use: Use | undefined }>(
    [...uses.map((use) => ({ label: use.label, use })), ...(known ? [separator, copy] : [])],
    { title: l10n.t('Use “{0}” As', at || '/'), placeHolder: l10n.t('In all responses of {0}', baseUrl) },
  );
  if (chosen === copy) await copyMapping(baseUrl);
  return chosen?.use;
}

/** Empty: the responses name it, or there is none. */
async function askCurrency(): Promise<string | undefined> {
  return showInputBox({
    title: l10n.t('Currency of These Amounts'),
    prompt: l10n.t('Such as EUR. Leave it empty where the responses name it.'),
    validateInput: (text) => (text.length > 24 ? l10n.t('At most {0} characters.', 24) : undefined),
  });
}

async function valueOfRun(services: Services, { result, pointer }: ValueOfRun) {
  const { keptResponse } = await import('../../runs/history/keptResponse');
  const history = await services.history();
  const record = history.get(result);
  const bytes = await history.runs.result(result);
  if (!record || !bytes) throw new Error(l10n.t('The response of this run is no longer stored.'));
  const { raw, output } = keptResponse(record, bytes);
  const at = placeOf(raw.json, output) + pointer;
  const { baseUrl } = record;
  return { baseUrl, at, value: getAt(raw.json as never, at) as unknown, uses: runUses };
}

/** The place of a result in its response: in the body, or in a record of it. */
function placeOf(json: unknown, output: unknown): string {
  const pending: { value: unknown; path: string[] }[] = [{ value: json, path: [] }];
  // Grows while it is gone through.
  for (const { value, path } of pending) {
    if (value === output) return pointerOf(path);
    if (typeof value === 'object' && value !== null && path.length < 4)
      for (const [name, inner] of Object.entries(value).slice(0, 200))
        pending.push({ value: inner, path: [...path, name] });
  }
  return '';
}

function valueInEditor({ connection }: Services) {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText() ?? '';
  const tree = parseTree(text);
  const environment = connection.active;
  if (!editor || !tree || !environment)
    throw new Error(l10n.t('Open a raw response, and put the cursor on a value of it.'));
  const { path } = getLocation(text, editor.document.offsetAt(editor.selection.active));
  const node = findNodeAtLocation(tree, path);
  const value = (node ? getNodeValue(node) : undefined) as unknown;
  return { baseUrl: environment.baseUrl, at: pointerOf(path.map(String)), value, uses: otherUses };
}

/** "The catalog has 60 models, but the service sent 50": which parameter asks for the others, tried at once. */
export async function sayNextPage(services: Services): Promise<void> {
  const { active } = services.connection;
  if (!active) return;
  const parameter = await showInputBox({
    title: l10n.t('Which Parameter Asks for the Next Page?'),
    prompt: l10n.t('Of the query of GET /api/marketplace/models, such as page, offset or cursor.'),
    value: 'page',
    validateInput: (text) =>
      /^[\w.[\]-]{1,60}$/.test(text) ? undefined : l10n.t('Letters, digits, “_”, “-”, “.” and brackets.'),
  });
  if (parameter === undefined) return;
  const value = await showInputBox({
    title: l10n.t('Where Does a Response Have Its Value?'),
    prompt: l10n.t('A place such as /page or /nextPageToken. Empty: the number of models received so far.'),
    value: /offset|skip|start/i.test(parameter) ? '' : `/${parameter}`,
    validateInput: (text) => (/^(?:\/|$)/.test(text) ? undefined : l10n.t('A place begins with “/”.')),
  });
  if (value === undefined) return;
  // The number of a page is that of the page itself.
  const next = { parameter, ...(value !== '' && { value, ...(/page$/i.test(value) && { add: 1 }) }) };
  const mapping = responseMappingOf(active.baseUrl) ?? {};
  const { active: catalog } = services.catalog;
  const before = catalog.models?.length ?? 0;
  const undo = await keepMapping(active.baseUrl, { ...mapping, models: { ...mapping.models, next } });
  await catalog.refresh();
  const count = catalog.models?.length ?? 0;
  if (count > before) return void showInformationMessage(l10n.t('{0} models instead of {1}.', count, before));
  await undo();
  await catalog.refresh();
  throw new Error(l10n.t('The service sent no other models for “{0}”. The mapping is as before.', parameter));
}

/** A repository can offer a mapping; only the user's own settings apply one. */
export async function useFile(
  services: Services,
  file: { readonly fsPath: string } | undefined,
): Promise<void> {
  const [chosen] = file
    ? [vscode.Uri.file(file.fsPath)]
    : ((await showOpenDialog({ filters: { JSON: ['json'] } })) ?? []);
  const { active } = services.connection;
  if (!chosen || !active) return;
  const mappings = mappingsIn(await vscode.workspace.fs.readFile(chosen), filenameOf(chosen));
  const mapping = mappingAmong(mappings, active.baseUrl) ?? mappings['*'];
  if (!mapping) throw new Error(l10n.t('“{0}” has no mapping for {1}.', filenameOf(chosen), active.baseUrl));
  const isWanted = await isConfirmed(
    l10n.t('Read the responses of {0} by this mapping?', active.baseUrl),
    jsonText(mapping),
    l10n.t('Use This Mapping'),
  );
  if (isWanted) await apply(services, active.baseUrl, mapping);
}
