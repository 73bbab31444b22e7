import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { greatestOf } from '../../domain/many';
import { isForTesting } from '../../domain/modelFilter';
import type { VectorUse } from '../../indexing/payload';
import {
  isOfOtherKind,
  modelLikelihood,
  noModeText,
  type VectorMode,
  vectorMode,
} from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { chosenFiles } from '../fileIntake/chosenFiles';
import { chooseUsableModel } from './chooseModel';
import { lookingAtContracts } from './fittingModels';

/**
 * Asks for a model that can index, or search with, files; the only one there is needs no question.
 * @param chosen the files and folders: of the models, those that take most of these files are listed
 */
export async function chooseVectorModel(
  catalog: EnvironmentCatalog,
  use: VectorUse,
  last: string | undefined,
  chosen: readonly vscode.Uri[] = [],
): Promise<VectorMode | undefined> {
  const files = chosen.length > 0 ? (await chosenFiles(chosen)).files : [];
  const facts = files.map((path) => ({ filename: posix.basename(path), contentType: contentTypeOf(path) }));
  const models = catalog.models ?? (await catalog.refresh());
  const likelihood = modelLikelihood(models, use, (slug) => catalog.memory.modesOf(slug));
  const likely = models.filter((model) => !isForTesting(model) && likelihood(model) !== 'unlikely');
  const contracts = await lookingAtContracts(catalog, likely);
  if (!contracts) return undefined;
  const takes = (mode: VectorMode) => facts.filter((file) => !isOfOtherKind(file, mode.shape)).length;
  const modes = [...contracts.values()].flatMap((contract) => vectorMode(contract, use) ?? []);
  const most = greatestOf([0, ...modes.map(takes)]);
  const fitting = most > 0 || facts.length === 0 ? modes.filter((mode) => takes(mode) === most) : [];
  if (contracts.size === likely.length && fitting.length === 1) return fitting[0];
  if (contracts.size === likely.length && likely.length > 0 && fitting.length === 0) {
    void showInformationMessage(l10n.t('No model in the catalog takes files of the chosen types.'));
    return undefined;
  }
  const slugs = new Set(fitting.map(({ contract }) => contract.slug));
  const asked = await chooseUsableModel(
    catalog,
    {
      title: use === 'index' ? l10n.t('Index with which model?') : l10n.t('Search with which model?'),
      fits: () => (model) =>
        contracts.has(model.slug) ? (slugs.has(model.slug) ? 'yes' : 'unlikely') : likelihood(model),
      last,
    },
    (contract) => vectorMode(contract, use),
    (name) => noModeText(name, use),
  );
  return asked?.use;
}
