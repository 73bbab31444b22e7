import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { panels } from '../../contributions';
import { isMediaObject, mediaName } from '../../domain/media';
import type { RunRecord } from '../../domain/runRecord';
import { beginning, valueText } from '../../domain/words';
import { addressFor, openPage } from '../../platform/openPage';
import { type PageResult, resultHandlers } from '../../platform/resultHost';
import { ResultViews } from '../../platform/resultViews';
import { RunResult } from '../../platform/runResult';
import { readyCall } from '../../protocol/channel';
import {
  type ComparedPlace,
  type ComparedRun,
  type ComparedValue,
  compareHostMethods,
  comparePageMethods,
  type RunComparison,
} from '../../protocol/compare';
import { type RequestPlace, requestPlaces, sideAttachment } from '../../runs/history/requestChanges';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { Owner } from '../../vscode/disposables';
import { createWebviewPanel } from '../../vscode/messages/panels';
import { inputText } from '../../wording/inputText';
import { compareAsJson } from './compareJson';
import { runFacts, runName } from './nodes';

/** Of the requests: more cannot be read on a page, and the JSON has all. */
const MOST_PLACES = 200;
const MOST_CHARACTERS = 4_000;

/** Two runs side by side: the differences of their requests, and their results. */
export class ComparePanel extends Owner {
  readonly #results = new Map<string, PageResult>();
  readonly #views: ResultViews;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private runs: { readonly left: RunRecord; readonly right: RunRecord },
    private readonly services: Services,
  ) {
    super();
    this.#views = new ResultViews(services.context.globalState);
    const storage = services.context.globalStorageUri;
    const responses = vscode.Uri.joinPath(storage, 'responses');
    const channel = this.store.add(
      openPage(panel, services, {
        name: 'compare',
        icon: 'compare',
        title: panelTitle(runs.left, runs.right),
        ours: compareHostMethods,
        handlers: {
          ready: () => this.#comparison(),
          showJson: () => compareAsJson(runs.left, runs.right),
          openRun: async ({ id }) => void (await executeCommand('modelBench.openRun', { id })),
          ...resultHandlers({
            webview: panel.webview,
            folder: responses,
            find: (id) => this.#results.get(id),
          }),
        },
        theirs: comparePageMethods,
        folders: [vscode.Uri.joinPath(storage, 'attachments'), responses],
        firstCall: readyCall,
      }),
    );
    this.store.add(panel.onDidDispose(() => this.dispose()));
    void services.history().then((history) => {
      const newest = (run: RunRecord) => history.get(run.id) ?? run;
      const follow = (changed: readonly RunRecord[]) => {
        const { left, right } = this.runs;
        if (!changed.some(({ id }) => id === left.id || id === right.id)) return;
        this.runs = { left: newest(left), right: newest(right) };
        channel.notify('changed', null);
      };
      this.store.add({ dispose: history.onDidChange(follow) });
    });
  }

  static create(left: RunRecord, right: RunRecord): vscode.WebviewPanel {
    return createWebviewPanel(panels.compare, panelTitle(left, right), vscode.ViewColumn.Active);
  }

  async #comparison(): Promise<RunComparison> {
    const { left, right } = this.runs;
    const places = requestPlaces(left, right);
    return {
      left: await this.#run(left),
      right: await this.#run(right),
      places: places.slice(0, MOST_PLACES).map((place) => this.#place(place)),
      more: Math.max(0, places.length - MOST_PLACES),
    };
  }

  async #run(run: RunRecord): Promise<ComparedRun> {
    const bytes = await (await this.services.history()).runs.result(run.id);
    if (bytes) {
      const { datasets } = await this.services.store();
      this.#results.set(run.id, RunResult.kept(run, bytes).forPage(datasets, this.#views));
    }
    const time = new Date(run.startedAt).toLocaleString(vscode.env.language);
    return {
      id: run.id,
      name: runName(run),
      facts: [...(run.name === undefined ? [] : [run.modelName]), ...runFacts(run), time],
      ...(run.message !== undefined && { message: run.message }),
      hasResult: bytes !== undefined,
    };
  }

  #place({ path, left, right, same }: RequestPlace): ComparedPlace {
    return {
      name: path.join(' › '),
      left: this.#value(left, this.runs.left),
      right: this.#value(right, this.runs.right),
      same,
    };
  }

  #value(value: RequestPlace['left'], run: RunRecord): ComparedValue {
    if (value === undefined) return { kind: 'none' };
    if (!isMediaObject(value)) {
      return { kind: 'text', text: beginning(valueText(value, 2), MOST_CHARACTERS) };
    }
    const file = sideAttachment(value, run);
    const name = file?.filename ?? mediaName(value);
    const src = file?.contentType.startsWith('image/')
      ? addressFor(this.panel.webview, vscode.Uri.parse(file.uri))
      : undefined;
    return { kind: 'media', name, src };
  }
}

/** Of an input in a title. */
const INPUT_LENGTH = 20;

/** Runs of one model differ by their inputs. */
function shortName(run: RunRecord): string {
  return run.name ?? (inputText(run.draft.input, INPUT_LENGTH) || run.modelName);
}

function panelTitle(left: RunRecord, right: RunRecord): string {
  const [one, other] = [shortName(left), shortName(right)];
  return l10n.t('{0} ↔ {1}', one, other);
}
