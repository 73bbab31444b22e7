import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExplorerArgs, FileTarget } from '../../contributions';
import { modePrice } from '../../domain/model';
import { initialInput } from '../../forms/buildForm';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { chooseModel } from '../../platform/pickers/chooseModel';
import { requiredEnvironment } from '../../platform/runFiles/environment';
import { readFileAt } from '../../platform/runFiles/load';
import { saveAsRunFile } from '../../platform/runFiles/save';
import { targetFile } from '../../platform/runFiles/target';
import { runFileUses } from '../../platform/runFiles/uses';
import { mediaPaths } from '../../runFiles/mediaPaths';
import { draftIn, modelIn } from '../../runFiles/read';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { fileFacts } from '../../vscode/fileFacts';
import { showInformationMessage } from '../../vscode/messages/notifications';

/** New Run File…: asks for a model and a place, and opens a file with the model's required fields. */
export async function newRunFile(services: Services, args: ExplorerArgs): Promise<void> {
  const catalog = services.catalog.of(await services.connection.connected());
  const chosen = await chooseModel(catalog, { title: l10n.t('Choose a model for the run file') });
  if (!chosen) return;
  const contract = await catalog.contract(chosen.slug);
  const mode = contract.modes[0];
  const input = mode ? initialInput(mode.input.schema) : {};
  const scope = mode?.vectorBacked ? 'playground' : undefined;
  const draft = { model: contract.slug, mode: mode?.name ?? 'execute', scope, input, params: {} };
  await show(await saveAsRunFile(draft, await folderOf(args)));
}

async function folderOf(args: ExplorerArgs): Promise<vscode.Uri | undefined> {
  const [clicked] = chosenUris(args);
  const facts = clicked && (await fileFacts(clicked));
  return facts?.isFolder ? clicked : undefined;
}

async function show(uri: vscode.Uri | undefined): Promise<void> {
  if (uri) await vscode.window.showTextDocument(uri, { preview: false });
}

/** The expected cost of a run of the file. Sends only a request for an unknown contract. */
export async function estimateRunFile(services: Services, target: FileTarget | undefined): Promise<void> {
  const uri = targetFile(target);
  const file = await readFileAt(uri);
  const model = modelIn(file);
  if (model === undefined) throw new Error(l10n.t('The run file names no model.'));
  const environment = await requiredEnvironment(uri, file, services.connection);
  const contract = await services.catalog.of(environment).contract(model);
  const draft = draftIn(file);
  const { mode } = draft;
  const items = Math.max(1, mediaPaths(draft).length);
  const text = (await services.estimates()).text({
    baseUrl: environment.baseUrl,
    model: contract.slug,
    mode,
    price: modePrice(contract, mode),
    items,
  });
  void showInformationMessage(
    text === '' ? l10n.t('{0} publishes no price, and has not reported a cost yet.', contract.name) : text,
  );
}

export async function compareRunFile(services: Services, target: FileTarget | undefined): Promise<void> {
  const uri = targetFile(target);
  const history = await services.history();
  const kept = (await runFileUses(services.context).runs(uri)).filter((id) => history.get(id));
  if (kept.length < 2) {
    void showInformationMessage(l10n.t('Run this file twice to compare its runs.'));
    return;
  }
  const [last, before] = kept.map((id) => ({ id }));
  await executeCommand('modelBench.compareRuns', last, [last!, before!]);
}
