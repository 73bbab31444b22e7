import * as l10n from '@vscode/l10n';
import {
  type ExperimentSetup,
  keptSetup,
  NOTHING_VARIED,
  type SetUpValues,
} from '../../../src/domain/experimentSetup';
import type { RunPage } from '../page';

/** Time without a change before runs are counted again: a folder may have many files. */
const MEASURE_AFTER_MS = 150;

export function setupOf(page: RunPage): ExperimentSetup {
  return page.state.work?.experiment ?? NOTHING_VARIED;
}

/** @param replaced says that something entered is gone; it can be undone */
export function editSetup(page: RunPage, changes: Partial<ExperimentSetup>, replaced?: string): void {
  const experiment = keptSetup({ ...setupOf(page), ...changes });
  // The opened part stays open when its last entry is removed.
  page.state.experimentShown = true;
  if (replaced === undefined) page.editWork({ experiment });
  else page.replaceWork({ experiment }, replaced);
}

export function editValues(page: RunPage, pointer: string, values: SetUpValues): void {
  editSetup(page, { vary: { ...setupOf(page).vary, [pointer]: values } });
}

/** @param label of the field, for the user */
export function stopVarying(page: RunPage, pointer: string, label: string): void {
  const { [pointer]: _stopped, ...vary } = setupOf(page).vary;
  editSetup(page, { vary }, l10n.t('“{0}” is no longer varied.', label));
}

/** Another use for a place that inputs went into. */
export function unmap(page: RunPage, pointer: string, label: string): void {
  const { over } = setupOf(page);
  if (!over) return;
  const text = l10n.t('“{0}” no longer comes from the inputs.', label);
  // One arm for each kind: their maps have other values.
  if (over.kind === 'rows') editSetup(page, { over: { ...over, map: without(over.map, pointer) } }, text);
  else {
    const map = without(over.map, pointer);
    editSetup(page, { over: Object.keys(map).length > 0 ? { ...over, map } : undefined }, text);
  }
}

function without<T>(map: Readonly<Record<string, T>>, pointer: string): Record<string, T> {
  const { [pointer]: _removed, ...others } = map;
  return others;
}

/** Asks for the files or the table that the run goes over. */
export async function chooseInputs(page: RunPage, kind: 'files' | 'rows', pointer?: string): Promise<void> {
  const mode = page.state.work?.draft.mode ?? '';
  const reply = await page.ask(page.host.call('chooseInputs', { kind, mode, pointer }));
  if (!reply?.over) return;
  const { over: before, vary } = setupOf(page);
  const mapped = new Set(Object.keys(reply.over.map));
  const kept = Object.fromEntries(Object.entries(vary).filter(([place]) => !mapped.has(place)));
  const isReplaced = before !== undefined || Object.keys(kept).length < Object.keys(vary).length;
  editSetup(
    page,
    { at: undefined, ...reply, vary: kept },
    isReplaced ? l10n.t('The inputs of the experiment were replaced.') : undefined,
  );
}

export async function addModels(page: RunPage): Promise<void> {
  const { work } = page.state;
  if (!work) return;
  const added = await page.ask(page.host.call('addModels', { draft: work.draft, experiment: setupOf(page) }));
  const { models } = setupOf(page);
  const isNew = ({ slug }: { readonly slug: string }) => models.every((model) => model.slug !== slug);
  if (added?.length) editSetup(page, { models: [...models, ...added.filter(isNew)] });
}

let measured: readonly unknown[] = [];
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Has the host count the runs after a change of the setup. */
export function measure(page: RunPage): void {
  const { work, panel, run } = page.state;
  if (!work?.experiment) return;
  const result = run.state === 'done' ? run.run.id : undefined;
  const now = [work.draft, work.experiment, panel?.environment, panel?.estimate, result];
  if (now.every((part, at) => part === measured[at])) return;
  measured = now;
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const { draft, experiment } = work;
    if (!experiment) return;
    const experimentSize = await page.ask(page.host.call('measureExperiment', { draft, experiment }));
    if (measured === now && experimentSize) page.update({ experimentSize });
  }, MEASURE_AFTER_MS);
}

export function focusLater(page: RunPage, id: string): void {
  page.afterRender(() => document.getElementById(id)?.focus());
}
