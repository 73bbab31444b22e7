import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { childPointer } from '../../domain/pointer';
import { tableFigures } from '../../experiments/figures/tableFigures';
import { readExperiment } from '../../experiments/file/read';
import { checkThresholds, type GateCheck, thresholdsIn } from '../../experiments/gate/thresholds';
import { columnNames } from '../../experiments/table/columnHead';
import { TextPositions } from '../../platform/runFiles/ranges';
import { searchFiles } from '../../platform/searchFiles';
import { markAt } from '../../runFiles/text';
import type { Services } from '../../services';
import { nameTest, testMessage } from '../../vscode/messages/editorTexts';
import { messageOf } from '../../vscode/showError';
import { EXPERIMENTS } from './names';
import { TableLoader } from './tableSource';

/** More experiments of a workspace are not listed. */
const MOST_FILES = 500;

/**
 * The thresholds of experiments in the Test Explorer: an experiment, and below it each threshold. They are checked on the
 * recorded results, so that a test run sends nothing.
 */
export class ThresholdTests implements vscode.Disposable {
  readonly #controller: vscode.TestController;

  constructor(private readonly services: Services) {
    this.#controller = vscode.tests.createTestController(
      'modelBench.experiments',
      l10n.t('Model Bench: Experiments'),
    );
    this.#controller.refreshHandler = () => this.#find();
    this.#controller.resolveHandler = async (item) => {
      if (!item) await this.#find();
    };
    const title = l10n.t('Check Recorded Results');
    this.#controller.createRunProfile(
      title,
      vscode.TestRunProfileKind.Run,
      (request) => this.#run(request),
      true,
    );
  }

  dispose(): void {
    this.#controller.dispose();
  }

  async #find(): Promise<void> {
    for (const uri of await searchFiles(EXPERIMENTS, MOST_FILES))
      this.take(uri, (await vscode.workspace.openTextDocument(uri)).getText());
  }

  /** Takes an experiment as its text is now; one without thresholds has no tests. */
  take(uri: vscode.Uri, text: string): void {
    const { experiment, root } = readExperiment(text);
    const thresholds = Object.entries(experiment?.thresholds ?? {});
    const id = uri.toString();
    this.#controller.items.delete(id);
    if (thresholds.length === 0) return;
    const name = experiment?.name ?? posix.basename(uri.path);
    const item = this.#controller.createTestItem(id, name, uri);
    nameTest(item, name);
    const positions = new TextPositions(text);
    for (const [metric, threshold] of thresholds) {
      const child = this.#controller.createTestItem(`${id} ${metric}`, metric, uri);
      nameTest(child, `${metric} ${typeof threshold === 'object' ? threshold.value : threshold}`);
      child.range = positions.range(markAt(root, childPointer('/thresholds', metric)).place);
      item.children.add(child);
    }
    this.#controller.items.add(item);
  }

  async #run(request: vscode.TestRunRequest): Promise<void> {
    const { include, exclude = [] } = request;
    const run = this.#controller.createTestRun(request);
    const files = [...this.#controller.items].map(([, file]) => file);
    const isWanted = (item: vscode.TestItem) =>
      !exclude.includes(item) &&
      (!include || include.includes(item) || (item.parent !== undefined && include.includes(item.parent)));
    try {
      for (const file of files) {
        const wanted = [...file.children].map(([, item]) => item).filter(isWanted);
        if (wanted.length > 0) await this.#check(run, file.uri!, wanted);
      }
    } finally {
      run.end();
    }
  }

  async #check(run: vscode.TestRun, uri: vscode.Uri, items: readonly vscode.TestItem[]): Promise<void> {
    for (const item of items) run.started(item);
    try {
      const checks = await this.#checksOf(uri);
      for (const item of items) {
        const own = checks.filter(({ metric }) => item.id === `${uri.toString()} ${metric}`);
        const failed = own.filter(({ passed }) => !passed);
        if (own.length > 0 && failed.length === 0) run.passed(item);
        else if (own.length === 0) run.errored(item, testMessage(l10n.t('The experiment has no columns.')));
        else
          run.failed(
            item,
            failed.map(({ column, message }) => {
              const shown = testMessage(`${column}: ${message}`);
              if (item.range) shown.location = new vscode.Location(uri, item.range);
              return shown;
            }),
          );
      }
    } catch (error) {
      for (const item of items) run.errored(item, testMessage(messageOf(error)));
    }
  }

  async #checksOf(uri: vscode.Uri): Promise<readonly (GateCheck & { readonly metric: string })[]> {
    const document = await vscode.workspace.openTextDocument(uri);
    const { experiment, table, metrics } = await new TableLoader(uri, this.services).load(document.getText());
    const figures = await tableFigures(table, metrics, {
      names: columnNames(table.plan),
      locale: vscode.env.language,
      margin: experiment?.margin,
    });
    return Object.entries(experiment?.thresholds ?? {}).flatMap(([metric, threshold]) =>
      checkThresholds(thresholdsIn({ [metric]: threshold }), figures).map((check) => ({ ...check, metric })),
    );
  }
}
