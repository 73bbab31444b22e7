import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Json } from '../../domain/json';
import { loggedError } from '../../domain/loggedError';
import { membersWithoutExpected } from '../../experiments/askedMetrics';
import { withGrid } from '../../experiments/editGrid';
import type { ExperimentFile } from '../../experiments/format';
import { runOver } from '../../experiments/newExperiment';
import { readExperiment } from '../../experiments/read';
import { withMetric } from '../../experiments/setup/addedMetric';
import { betterPart, partVerdicts } from '../../experiments/setup/partVerdicts';
import { withoutColumn } from '../../experiments/setup/removedColumn';
import { withLabel } from '../../experiments/setup/renamed';
import { type ColumnUse, overRows, withColumnUse, withSetUp } from '../../experiments/setup/setUp';
import { tableAt } from '../../experiments/tableFile';
import { changeText } from '../../platform/documentText';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import type { Handlers } from '../../protocol/channel';
import type { setUpMethods } from '../../protocol/experimentSetUp';
import { isInside } from '../../runFiles/paths';
import { withMembers } from '../../runFiles/write';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { askVaried } from './askVaried';
import type { ExperimentRuns } from './experimentRuns';
import { askInputModel, filesExperiment } from './inputExperiment';
import { judgedResults, modelIn, shownSetUp } from './shownSetUp';
import type { ShownTable } from './shownTable';

/** The shown table, and the one of the present text. */
export interface ShownTables {
  shown(): Promise<ShownTable>;
  newest(): Promise<ShownTable>;
}

/** Sets up an experiment on its page: each choice is an edit of its text, which its editor can undo. */
export function setUpHandlers(
  document: vscode.TextDocument,
  services: Services,
  runs: ExperimentRuns,
  { shown, newest }: ShownTables,
): Handlers<typeof setUpMethods> {
  const { uri } = document;
  const folder = vscode.Uri.joinPath(uri, '..');
  const experimentNow = () => readExperiment(document.getText()).experiment;
  const tableNow = (rows: string) => tableAt(vscode.Uri.joinPath(folder, rows).fsPath);
  const loadContract = async (slug: string) =>
    services.catalog.of(await services.connection.connected()).contract(slug);

  const setUp = async (model: string, inputs: vscode.Uri | string | undefined) => {
    const contract = await loadContract(model);
    const rows = typeof inputs === 'string' ? inputs : inputs && pathBelow(folder, inputs);
    const members =
      rows === undefined
        ? { run: runOver(contract, contract.modes[0]?.name ?? 'execute', []) }
        : overRows(contract, rows, await tableNow(rows));
    await changeText(document, withSetUp(document.getText(), members));
  };

  const chooseModel = async ({ more }: { readonly more: boolean }) => {
    const experiment = experimentNow();
    const own = modelIn(experiment);
    const over = experiment?.over;
    const rows = over && 'rows' in over ? over.rows : undefined;
    const slug = await askInputModel(services, {
      ...(own !== undefined && { last: own }),
      ...(rows !== undefined && { table: await tableNow(rows) }),
    });
    if (slug === undefined) return;
    if (!more || !experiment || own === undefined) return setUp(slug, rows);
    const named = experiment.vary?.['/model'];
    const models = Array.isArray(named) ? named : [own];
    if (!models.includes(slug))
      await changeText(
        document,
        withMembers(document.getText(), {
          vary: { '/model': [...models, slug], ...without(experiment.vary, '/model') } as Json,
        }),
      );
  };

  const addColumn = async () => {
    const experiment = experimentNow();
    const own = modelIn(experiment);
    if (!experiment || own === undefined || typeof experiment.run === 'string')
      return chooseModel({ more: false });
    const chosen = await askVaried(await loadContract(own), experiment);
    if (chosen === 'model') return chooseModel({ more: true });
    if (chosen) await changeText(document, withGrid(document.getText(), { vary: chosen }));
  };

  return {
    addColumn,
    addCheck: async () => {
      const { askCheck } = await import('./askMetric');
      const entry = await askCheck();
      if (entry) await changeText(document, withMetric(document.getText(), entry));
    },
    addJudge: async () => {
      const experiment = experimentNow();
      if (!experiment) throw new Error(l10n.t('Fix the problems of the experiment first.'));
      const { askJudge } = await import('./askJudge');
      const entry = await askJudge(services, folder, experiment);
      if (!entry || typeof entry.judge !== 'string') return;
      await changeText(document, withMetric(document.getText(), entry));
      const file = vscode.Uri.joinPath(folder, entry.judge);
      await executeBuiltIn('vscode.open', file, { viewColumn: vscode.ViewColumn.Beside });
    },
    duplicateColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      const experiment = experimentNow();
      if (!variation || !experiment) return;
      const { askDuplicate } = await import('./askValue');
      const chosen = await askDuplicate(experiment, variation);
      if (chosen === 'model') return chooseModel({ more: true });
      if (chosen === 'none') return addColumn();
      if (chosen) await changeText(document, withGrid(document.getText(), { vary: chosen }));
    },
    renameColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      if (!variation) return;
      const { askLabel } = await import('./askValue');
      const asked = await askLabel(variation, experimentNow()?.labels);
      if (!asked) return;
      await changeText(document, withLabel(document.getText(), asked.pointer, asked.value, asked.name));
    },
    removeColumn: async ({ column }) => {
      const variation = (await shown()).source.table.plan.variations[column];
      const experiment = experimentNow();
      const change = variation && experiment && withoutColumn(experiment.vary, variation);
      if (!change) throw new Error(l10n.t('Several columns have each of its values. Use Edit Grid instead.'));
      const left = withGrid(document.getText(), { vary: change });
      await changeText(document, withLabel(left, change.pointer, variation[change.pointer]!, ''));
    },
    setUp: async () => shownSetUp(await shown(), uri, services),
    chooseModel,
    chooseInputs: async ({ kind }) => {
      const isRows = kind === 'rows';
      const [chosen] = await pickFiles({
        openLabel: l10n.t('Choose'),
        title: isRows ? l10n.t('Table to run over: CSV, TSV or JSONL') : l10n.t('Folder to run over'),
        ...(isRows ? { kind: 'table' as const } : { folders: 'only' as const }),
      });
      if (!chosen) return;
      const path = pathBelow(folder, chosen);
      const own = modelIn(experimentNow());
      if (!isRows) {
        const members = await filesExperiment(services, [chosen], folder, own);
        if (members) await changeText(document, withSetUp(document.getText(), members));
        return;
      }
      const slug = own ?? (await askInputModel(services, { table: await tableAt(chosen.fsPath) }));
      if (slug !== undefined) await setUp(slug, path);
    },
    useColumn: async ({ column, use }) => {
      const experiment = experimentNow();
      const over = experiment?.over;
      if (!experiment || !over || !('rows' in over)) return;
      const next: ColumnUse = use === 'expected' ? use : use === '' ? 'none' : { place: use };
      const table = await tableNow(over.rows);
      await changeText(document, withColumnUse(document.getText(), experiment, table, column, next));
    },
    labelByFolder: async ({ on }) => {
      const members = on
        ? { expected: { folder: true }, metrics: experimentNow()?.metrics ?? ['accuracy', 'macro_f1'] }
        : membersWithoutExpected(experimentNow() ?? {});
      await changeText(
        document,
        withMembers(document.getText(), members as Record<string, Json | undefined>),
      );
    },
    startSetUp: async ({ which, offer }) => {
      if (!(await runs.start(uri, which, offer))) return false;
      // Opened again, it shows its results.
      if (which !== 'trial') runs.settingUp.delete(uri.toString());
      void runs
        .ended(uri)
        .then(async () => adoptPart(document, await newest()))
        .catch((error: unknown) => services.log.warn(loggedError(error)));
      return true;
    },
  };
}

function without(vary: ExperimentFile['vary'], place: string): ExperimentFile['vary'] {
  return Object.fromEntries(Object.entries(vary ?? {}).filter(([name]) => name !== place));
}

/** Compares a part of the results that fits, where the file names none and the whole result never can be right. */
async function adoptPart(document: vscode.TextDocument, { source }: ShownTable): Promise<void> {
  const { experiment } = readExperiment(document.getText());
  const expected = experiment?.expected;
  if (!expected || 'judged' in expected || expected.at !== undefined) return;
  const better = betterPart(partVerdicts(judgedResults(source), source.table.comparing.isText));
  if (better) await changeText(document, withGrid(document.getText(), { compared: { at: better.at } }));
}

/** With "/" between its parts. @throws Error when it is not below the folder */
function pathBelow(folder: vscode.Uri, uri: vscode.Uri): string {
  if (uri.scheme !== 'file' || !isInside(uri.fsPath, folder.fsPath))
    throw new Error(l10n.t('An experiment reads its own folder only. Move the experiment above its inputs.'));
  return posix.relative(folder.path, uri.path);
}
