import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { initialInput } from '../../forms/buildForm';
import { chooseModel } from '../../platform/pickers/chooseModel';
import { saveAsRunFile } from '../../platform/runFiles/save';
import type { Services } from '../../services';

/** New Run File…: asks for a model and a place, and opens a file with the model's required fields. */
export async function newRunFile(services: Services): Promise<void> {
  const catalog = services.catalog.of(await services.connection.connected());
  const chosen = await chooseModel(catalog, { title: l10n.t('Choose a model for the run file') });
  if (!chosen) return;
  const contract = await catalog.contract(chosen.slug);
  const mode = contract.modes[0];
  const input = mode ? initialInput(mode.input.schema) : {};
  const scope = mode?.vectorBacked ? 'playground' : undefined;
  const draft = { model: contract.slug, mode: mode?.name ?? 'execute', scope, input, params: {} };
  await show(await saveAsRunFile(draft));
}

async function show(uri: vscode.Uri | undefined): Promise<void> {
  if (uri) await vscode.window.showTextDocument(uri, { preview: false });
}
