import * as l10n from '@vscode/l10n';
import type { RunModelArgs } from '../../contributions';
import type { Environment } from '../../domain/environment';
import type { RunRecord } from '../../domain/runRecord';
import { checkDraft } from '../../forms/checkDraft';
import { runningAtOnce, withGrantedFiles } from '../../platform/grantedFiles';
import { chooseFittingModel } from '../../platform/pickers/fittingModels';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { showWarningMessage } from '../../vscode/messages/notifications';
import { onRun } from './kept';

/** Opens a panel with a run's work in it. Sends it only if the user has asked for that. */
async function openPanel(
  run: RunRecord,
  more: Partial<Pick<RunModelArgs, 'model' | 'historyId' | 'environment' | 'preview'>> = {},
  prepared = <T extends object>(args: T): T => args,
): Promise<void> {
  const { model, mode, scope, input, params, options } = run.draft;
  const args = {
    model,
    mode,
    input,
    params,
    ...more,
    scope,
    options,
  };
  // Only the user's own choice put a file here; the panel may use it again.
  const files = run.attachments.map(({ uri }) => uri);
  await executeCommand('modelBench.runModel', prepared(withGrantedFiles(args, files)));
}

export const openRun = onRun(
  () => l10n.t('Find Run'),
  (run) => openPanel(run, { historyId: run.id, preview: true }),
);

/** Sends the same request again, in a panel of its own. */
export const runAgain = onRun(
  () => l10n.t('Run Again'),
  async (run, services) => {
    const where = await environmentToRunIn(run, services, {
      detail: l10n.t('The same input is sent again, and the service may charge for it.'),
      title: (name) => l10n.t('Run in {0}', name),
    });
    if (where) await openPanel(run, { environment: where.name }, runningAtOnce);
  },
);

export const editAndRunAgain = onRun(
  () => l10n.t('Edit and Run Again'),
  async (run, services) => {
    const where = await environmentToRunIn(run, services, opening());
    if (where) await openPanel(run, { environment: where.name });
  },
);

interface WhereQuestion {
  readonly detail: string;
  /** Of the button for an environment. */
  readonly title: (name: string) => string;
}

function opening(): WhereQuestion {
  return {
    detail: l10n.t('A panel with the same input opens. Nothing is sent before you run it.'),
    title: (name) => l10n.t('Open in {0}', name),
  };
}

/**
 * Where a run of the history is sent again: its own environment, or the one the user chooses where that is not the
 * active one. Undefined: cancelled.
 */
async function environmentToRunIn(
  { environment: name, baseUrl }: RunRecord,
  { connection }: Services,
  { detail, title }: WhereQuestion,
): Promise<Environment | undefined> {
  const { active } = connection;
  // A run of before any environment was there has none.
  const own = baseUrl === '' ? active : connection.find({ name, baseUrl });
  if (!active || own === active) return own ?? (await connection.connected());
  const question = own
    ? l10n.t('This run was sent to {0}, but {1} is active. Where do you want to run it?', name, active.name)
    : l10n.t(
        'This run was sent to {0} ({1}), which is no environment any more. Run it in {2}?',
        name,
        baseUrl,
        active.name,
      );
  const choices = [...(own ? [own] : []), active];
  const titles = choices.map((one) => title(one.name));
  const chosen = await showWarningMessage(question, { modal: true, detail }, ...titles);
  return choices[titles.indexOf(chosen ?? '')];
}

const anotherModelTitle = () => l10n.t('Run with Another Model');

export const runWithAnotherModel = onRun(anotherModelTitle, async (run, services) => {
  const environment = await environmentToRunIn(run, services, opening());
  if (!environment) return;
  const { draft } = run;
  const chosen = await chooseFittingModel(services.catalog.of(environment), {
    title: anotherModelTitle(),
    none: l10n.t('No other model in the catalog accepts this input in the mode “{0}”.', draft.mode),
    mayFit: ({ slug, modeNames }) =>
      slug !== draft.model && (modeNames.length === 0 || modeNames.includes(draft.mode)),
    fits: (contract) => checkDraft(contract, { ...draft, model: contract.slug }).length === 0,
  });
  if (chosen) await openPanel(run, { model: chosen.slug, environment: environment.name });
});
