import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GridChange } from '../../domain/gridChange';
import type { Json } from '../../domain/json';
import type { ModelContract } from '../../domain/model';
import { membersWithoutExpected } from '../../experiments/file/askedMetrics';
import { withGrid } from '../../experiments/file/editGrid';
import type { ExperimentFile } from '../../experiments/file/format';
import { type RunObject, runOver } from '../../experiments/file/newExperiment';
import { readExperiment } from '../../experiments/file/read';
import { tableAt } from '../../experiments/file/tableFile';
import { withMetric } from '../../experiments/setup/addedMetric';
import { type ColumnUse, overRows, withColumnUse, withSetUp } from '../../experiments/setup/setUp';
import type { Table } from '../../intake/table';
import { changeText } from '../../platform/documentText';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { isInside } from '../../runFiles/paths';
import { withMembers } from '../../runFiles/write';
import type { Services } from '../../services';
import { askVaried } from './askVaried';
import { askInputModel, filesExperiment } from './inputExperiment';
import { modelIn } from './shownSetUp';

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

  write(change: (text: string) => string): Promise<void> {
    return changeText(this.document, change(this.document.getText()));
  }

  grid(change: GridChange): Promise<void> {
    return this.write((text) => withGrid(text, change));
  }

  addMetric(entry: Parameters<typeof withMetric>[1]): Promise<void> {
    return this.write((text) => withMetric(text, entry));
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
    await this.write((text) => withSetUp(text, members));
  }

  #addModel(own: string, slug: string): Promise<void> {
    const { '/model': named, ...others } = this.experiment?.vary ?? {};
    const models = Array.isArray(named) ? named : [own];
    if (models.includes(slug)) return Promise.resolve();
    const vary = { '/model': [...models, slug], ...others } as Json;
    return this.write((text) => withMembers(text, { vary }));
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
    if (members) await this.write((text) => withSetUp(text, members));
  }

  async #rowsMembers(file: vscode.Uri, rows: string, run: RunObject | undefined) {
    const table = await tableAt(file.fsPath);
    const slug = run?.model ?? (await askInputModel(this.services, { table }));
    return slug === undefined ? undefined : overRows(await this.#contract(slug), rows, table, run);
  }

  async useColumn(column: string, use: ColumnUse): Promise<void> {
    const { experiment } = this;
    const over = experiment?.over;
    if (!over || !('rows' in over)) return;
    const table = await this.#table(over.rows);
    await this.write((text) => withColumnUse(text, experiment, table, column, use));
  }

  labelByFolder(on: boolean): Promise<void> {
    const { metrics, ...others } = this.experiment ?? {};
    const members = on
      ? { expected: { folder: true }, metrics: metrics ?? ['accuracy', 'macro_f1'] }
      : membersWithoutExpected({ ...others, metrics });
    return this.write((text) => withMembers(text, members as Record<string, Json | undefined>));
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
