import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { comparesValues } from '../../experiments/file/askedMetrics';
import type { ExperimentFile } from '../../experiments/file/format';
import {
  choicesFrom,
  JUDGE_KINDS,
  type JudgeKind,
  type NewJudge,
  newJudge,
} from '../../experiments/setup/newJudge';
import type { Services } from '../../services';
import { freePlace } from '../../vscode/freePlace';
import { showInputBox, showQuickPick } from '../../vscode/messages/inputs';
import { askInputModel, TEXTS } from './inputExperiment';

const KINDS: Readonly<Record<JudgeKind, () => { readonly label: string; readonly detail: string }>> = {
  rubric: () => ({ label: l10n.t('Rubric'), detail: l10n.t('Gives each result a score from 1 to 5') }),
  choices: () => ({
    label: l10n.t('Choice'),
    detail: l10n.t('Gives each result one of several labels, such as good or bad'),
  }),
  pairwise: () => ({
    label: l10n.t('Pairs'),
    detail: l10n.t('Compares each result with that of the first column, in both orders'),
  }),
};

const CHOICES = 'good = 1, bad = 0';

/**
 * Asks for a model that judges, and writes its run file beside the experiment, to be adapted. Undefined: cancelled.
 * @param folder of the experiment
 */
export async function askJudge(
  services: Services,
  folder: vscode.Uri,
  experiment: Pick<ExperimentFile, 'expected'>,
): Promise<NewJudge['entry'] | undefined> {
  const items = JUDGE_KINDS.map((judge) => ({ ...KINDS[judge](), judge }));
  const chosen = await showQuickPick(items, { title: l10n.t('How does the model judge?') });
  if (!chosen) return undefined;
  const kind = chosen.judge;
  const typed = kind === 'choices' ? await askChoices() : CHOICES;
  const choices = typed === undefined ? undefined : choicesFrom(typed);
  if (!choices) return undefined;
  const slug = await askInputModel(services, { title: l10n.t('Choose a model that judges'), table: TEXTS });
  if (slug === undefined) return undefined;
  const name = await showInputBox({
    title: l10n.t('Name of the metric'),
    value: kind === 'pairwise' ? 'better' : 'quality',
    validateInput: (text) =>
      /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,58}$/u.test(text.trim())
        ? undefined
        : l10n.t('Use letters, digits, spaces, “_” and “-”.'),
  });
  if (name === undefined) return undefined;
  const contract = await services.catalog.of(await services.connection.connected()).contract(slug);
  const target = await freePlace(folder, name.trim().replaceAll(/\s+/g, '-'), '.judge.run.json');
  const made = newJudge(contract, {
    kind,
    name: name.trim(),
    file: posix.basename(target.path),
    hasExpected: comparesValues(experiment),
    choices,
  });
  if (!made)
    throw new Error(l10n.t('{0} has no field for a text. Choose another model to judge.', contract.name));
  const text = `${JSON.stringify(made.run, null, 2)}\n`;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  return made.entry;
}

function askChoices(): Thenable<string | undefined> {
  return showInputBox({
    title: l10n.t('Labels'),
    prompt: l10n.t('The possible answers with their values, such as {0}', CHOICES),
    value: CHOICES,
    validateInput: (text) => (choicesFrom(text) ? undefined : l10n.t('Enter two or more labels.')),
  });
}
