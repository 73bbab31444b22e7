import * as l10n from '@vscode/l10n';
import type { Dataset } from '../../domain/dataset';
import type { Environment } from '../../domain/environment';
import type { VectorMode } from '../../indexing/vectorMode';
import type { Services } from '../../services';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { JobParams } from './jobParams';
import { followIndexing } from './jobProgress';
import {
  describePlan,
  type FoundPlan,
  type PlanChoice,
  planChoices,
  showNothingToIndex,
} from './planQuestion';

/** Shows the coming work, asks once, and starts the job. */
export async function confirmAndBegin(
  services: Services,
  environment: Environment,
  dataset: Dataset,
  model: VectorMode,
  plan: FoundPlan,
): Promise<void> {
  const choices = planChoices(plan);
  const [first] = choices;
  if (!first) return showNothingToIndex(plan, dataset, model);
  const described = await describePlan(services, environment, dataset, model, plan, first.files);
  const params = new JobParams(services.context.globalState, dataset, model.mode);
  const choice = await asked(described, choices, params, dataset);
  if (!choice) return;
  // Asked before the job starts: a question during the job would block it.
  if (model.shape.carries === 'media') {
    const { chosenMediaType } = await import('../../platform/mediaType');
    for (const { filename, contentType } of choice.files)
      await chosenMediaType(filename, contentType, services.context.globalState);
  }
  (await services.guard()).approve(dataset.baseUrl);
  const job = await services.jobs.begin(environment, dataset.scope, model, choice.files, params.values);
  void followIndexing(services, job);
}

/** The files that the user wants indexed. The question comes back after parameters were set. */
async function asked(
  { question, detail, warns }: Awaited<ReturnType<typeof describePlan>>,
  choices: readonly PlanChoice[],
  params: JobParams,
  { scope }: Dataset,
): Promise<PlanChoice | undefined> {
  const ask = warns ? showWarningMessage : showInformationMessage;
  const set = l10n.t('Set Parameters…');
  const titles = choices.map(({ title }) => title);
  for (let times = 0; ; times++) {
    const { lines } = params;
    const shown = { modal: true, detail: [...detail, ...lines] };
    const chosen = await ask(question, shown, ...titles, ...(lines.length > 0 ? [set] : []));
    const choice = choices.find(({ title }) => title === chosen);
    if (!choice && chosen !== set) return undefined;
    // Asks for required values once; after that the service decides, since schemas are wrong at times.
    if (choice && (times > 0 || params.problemWith(params.values) === undefined)) return choice;
    const { askParams } = await import('./askParams');
    await askParams(params, l10n.t('Parameters of indexing into {0}', scope));
  }
}
