import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { ModelContract } from '../../domain/model';
import { membersWithoutExpected } from '../../experiments/file/askedMetrics';
import type { ExperimentFile } from '../../experiments/file/format';
import { type RunObject, runOver } from '../../experiments/file/newExperiment';
import { readExperiment } from '../../experiments/file/read';
import { tableAt } from '../../experiments/file/tableFile';
import { betterPart, judgedResults, partVerdicts } from '../../experiments/setup/comparedParts';
import {
  columnUsed,
  edited,
  labelled,
  metricAdded,
  overRows,
  withGrid,
  withoutColumn,
} from '../../experiments/setup/edits';
import type { Table } from '../../intake/table';
import { changeText } from '../../platform/documentText';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import type { Handlers } from '../../protocol/channel';
import type { GridChange, setUpMethods } from '../../protocol/experimentSetUp';
import { isInside } from '../../runFiles/paths';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { askCheck, askDuplicate, askLabel, askVaried } from './asks';
import type { ExperimentRuns } from './experimentRuns';
import { askInputModel, filesExperiment } from './inputExperiment';
import { modelIn, shownSetUp } from './shownSetUp';
import type { ShownTable } from './shownTable';

/** Sets up an experiment: each choice is one edit of its text, which its editor can undo. Sends no run. */
export class SetUpEdits {
  constructor(
    private readonly document: vscode.TextDocument,
    private readonly services: Services,
  ) {}

  /** Undefined while its text has errors. */
  get experiment(): ExperimentFile | undefined {
    return readExperiment(this.document.getText()).experiment;
  }

  get folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.document.uri, '..');
  }

  write(members: Parameters<typeof edited>[1]): Promise<void> {
    return changeText(this.document, edited(this.document.getText(), members));
  }

  grid(change: GridChange): Promise<void> {
    return changeText(this.document, withGrid(this.document.getText(), change));
  }

  /** Asks for the model. @param more for one beside the others: a column for each */
  async chooseModel(more: boolean): Promise<void> {
    const { experiment } = this;
    const own = modelIn(experiment);
    const over = experiment?.over;
    const rows = over && 'rows' in over ? over.rows : undefined;
    const slug = await askInputModel(this.services, {
      ...(own !== undefined && { last: own }),
      ...(rows !== undefined && { table: await this.#table(rows) }),
    });
    if (slug === undefined) return;
    if (more && own !== undefined) return this.#addModel(own, slug);
    const contract = await this.#contract(slug);
    const members =
      rows === undefined
        ? { run: runOver(contract, contract.modes[0]?.name ?? 'execute', []) }
        : overRows(contract, rows, await this.#table(rows));
    await this.write(members);
  }

  #addModel(own: string, slug: string): Promise<void> {
    const { '/model': named, ...others } = this.experiment?.vary ?? {};
    const models = Array.isArray(named) ? named : [own];
    if (models.includes(slug)) return Promise.resolve();
    return this.write({ vary: { '/model': [...models, slug], ...others } });
  }

  /** Asks for the values of a place, a column for each. @param pointer missing: it is asked for */
  async vary(pointer?: string): Promise<void> {
    const { experiment } = this;
    const own = modelIn(experiment);
    if (!experiment || own === undefined) return this.chooseModel(false);
    const chosen = await askVaried(await this.#contract(own), experiment, pointer);
    if (chosen === 'model') return this.chooseModel(true);
    if (chosen) await this.grid({ vary: chosen });
  }

  /**
   * Asks for a table, or for files, to run over. The run keeps its other values.
   * @param pointer to the field that takes the files; missing: any
   */
  async chooseInputs(kind: 'rows' | 'files', pointer?: string): Promise<void> {
    const isRows = kind === 'rows';
    const chosen = await pickFiles({
      openLabel: l10n.t('Choose'),
      title: isRows
        ? l10n.t('Table to run over: CSV, TSV or JSONL')
        : l10n.t('Files or folders to run a model on'),
      ...(isRows ? { kind: 'table' as const } : { folders: true, many: true }),
    });
    const [first] = chosen;
    if (!first) return;
    const paths = chosen.map((uri) => pathBelow(this.folder, uri));
    const run = runIn(this.experiment);
    const members = isRows
      ? await this.#rowsMembers(first, paths[0]!, run)
      : await filesExperiment(this.services, chosen, this.folder, run && { run, pointer });
    if (members) await this.write(members);
  }

  async #rowsMembers(file: vscode.Uri, rows: string, run: RunObject | undefined) {
    const table = await tableAt(file.fsPath);
    const slug = run?.model ?? (await askInputModel(this.services, { table }));
    return slug === undefined ? undefined : overRows(await this.#contract(slug), rows, table, run);
  }

  async useColumn(column: string, use: string): Promise<void> {
    const { experiment } = this;
    const over = experiment?.over;
    if (!over || !('rows' in over)) return;
    const table = await this.#table(over.rows);
    await this.write(columnUsed(experiment, table, column, use));
  }

  labelByFolder(on: boolean): Promise<void> {
    const { metrics = ['accuracy', 'macro_f1'] } = this.experiment ?? {};
    return this.write(
      on ? { expected: { folder: true }, metrics } : membersWithoutExpected(this.experiment ?? {}),
    );
  }

  #table(rows: string): Promise<Table> {
    return tableAt(vscode.Uri.joinPath(this.folder, rows).fsPath);
  }

  async #contract(slug: string): Promise<ModelContract> {
    const { catalog, connection } = this.services;
    return catalog.of(await connection.connected()).contract(slug);
  }
}

/** The run that is written in the file, if it names its model. */
function runIn(experiment: ExperimentFile | undefined): RunObject | undefined {
  return experiment && typeof experiment.run !== 'string' && experiment.run.model !== undefined
    ? experiment.run
    : undefined;
}

/** With "/" between its parts. @throws Error when it is not below the folder */
function pathBelow(folder: vscode.Uri, uri: vscode.Uri): string {
  if (uri.scheme !== 'file' || !isInside(uri.fsPath, folder.fsPath))
    throw new Error(l10n.t('An experiment reads its own folder only. Move the experiment above its inputs.'));
  return posix.relative(folder.path, uri.path);
}

/** The shown table, and the one of the present text. */
export interface ShownTables {
  shown(): Promise<ShownTable>;
  newest(): Promise<ShownTable>;
}

/** The page's requests for setting up an experiment. */
export function setUpHandlers(
  document: vscode.TextDocument,
  services: Services,
  runs: ExperimentRuns,
  { shown, newest }: ShownTables,
): Handlers<typeof setUpMethods> {
  const { uri } = document;
  const edits = new SetUpEdits(document, services);
  const columns = columnHandlers(edits, shown);
  return {
    ...columns,
    edit: (change) => edits.grid(change),
    vary: ({ pointer }) => edits.vary(pointer),
    addCheck: async () => {
      const entry = await askCheck();
      if (entry && edits.experiment) await edits.write(metricAdded(edits.experiment, entry));
    },
    addJudge: async () => {
      const { experiment, folder } = edits;
      if (!experiment) throw new Error(l10n.t('Fix the problems of the experiment first.'));
      const { askJudge } = await import('./askJudge');
      const entry = await askJudge(services, folder, experiment);
      if (!entry || typeof entry.judge !== 'string') return;
      await edits.write(metricAdded(experiment, entry));
      const file = vscode.Uri.joinPath(folder, entry.judge);
      await executeBuiltIn('vscode.open', file, { viewColumn: vscode.ViewColumn.Beside });
    },
    setUp: async () => shownSetUp(await shown(), uri, services),
    chooseModel: ({ more }) => edits.chooseModel(more),
    chooseInputs: ({ kind }) => edits.chooseInputs(kind),
    useColumn: ({ column, use }) => edits.useColumn(column, use),
    labelByFolder: ({ on }) => edits.labelByFolder(on),
    startSetUp: async ({ which, offer }) => {
      if (!(await runs.start(uri, which, offer))) return false;
      // Opened again, it shows its results.
      if (which !== 'trial') runs.settingUp.delete(uri.toString());
      void runs
        .ended(uri)
        .then(async () => adoptPart(edits, await newest()))
        .catch((error: unknown) => services.log.warn(loggedError(error)));
      return true;
    },
  };
}

type ColumnMethods = 'duplicateColumn' | 'renameColumn' | 'removeColumn';

/** The actions of a column's menu in the table. */
function columnHandlers(
  edits: SetUpEdits,
  shown: ShownTables['shown'],
): Pick<Handlers<typeof setUpMethods>, ColumnMethods> {
  return {
    duplicateColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      const { experiment } = edits;
      if (!variation || !experiment) return;
      const chosen = await askDuplicate(experiment, variation);
      if (chosen === 'model') await edits.chooseModel(true);
      else if (chosen === 'none') await edits.vary();
      else if (chosen) await edits.grid({ vary: chosen });
    },
    renameColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      const { experiment } = edits;
      if (!variation || !experiment) return;
      const asked = await askLabel(variation, experiment.labels);
      if (asked) await edits.write(labelled(experiment, asked.pointer, asked.value, asked.name));
    },
    removeColumn: async ({ column }) => {
      const variation = (await shown()).source.table.plan.variations[column];
      const { experiment } = edits;
      const change = variation && experiment && withoutColumn(experiment.vary, variation);
      if (!change) throw new Error(l10n.t('Several columns have each of its values. Change them in Set Up.'));
      const { pointer, values } = change;
      await edits.write({
        vary: { [pointer]: values },
        ...labelled(experiment, pointer, variation[pointer]!, ''),
      });
    },
  };
}

/** Compares a part of the results that fits, where the file names none and the whole result never can be right. */
async function adoptPart(edits: SetUpEdits, { source }: ShownTable): Promise<void> {
  const { experiment } = edits;
  if (!experiment?.expected || 'judged' in experiment.expected || experiment.expected.at !== undefined)
    return;
  if (source.metrics.some((metric) => 'hits' in metric)) return;
  const { plan, results, comparing } = source.table;
  const better = betterPart(partVerdicts(judgedResults(experiment, plan, results), comparing.isText));
  if (better) await edits.grid({ compared: { at: better.at } });
}
