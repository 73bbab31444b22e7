import { watch } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Json } from '../../domain/json';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import { shownBodyPath } from '../../experiments/files/bodies';
import { judgementLines } from '../../experiments/judges/judging';
import type { DrawSmall } from '../../experiments/report/rows';
import { type HitJudgement, qrelsPlace } from '../../experiments/results/hitJudgements';
import { appendLines, resultPlaces } from '../../experiments/results/resultsFile';
import { tableOverview } from '../../experiments/table/overview';
import { addressFor, openPage } from '../../platform/openPage';
import { resultHandlers } from '../../platform/resultHost';
import { ResultViews } from '../../platform/resultViews';
import { workspaceStorage } from '../../platform/workspace';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type AskedSummary,
  type ExperimentHostMethods,
  type ExperimentPageMethods,
  experimentHostMethods,
  experimentPageMethods,
  type JudgedHit,
  type ShownJudgement,
  type ShownSummary,
  type TableHead,
  type TableProgress,
} from '../../protocol/experiment';
import type { Services } from '../../services';
import { executeBuiltIn, executeCommand } from '../../vscode/commands';
import { Owner } from '../../vscode/disposables';
import { askGroup } from './asks';
import { CellResults } from './cellResults';
import type { ExperimentRuns } from './experimentRuns';
import { cellsWithPictures, hitFileOf } from './hitFileOf';
import { KeptTables } from './keptTables';
import { acceptedIds, askForAccepted } from './knownRuns';
import { OtherSources } from './otherSources';
import { plotHandlers } from './plotHandlers';
import { setUpHandlers } from './setUpEdits';
import type { MediaAddresses } from './shownCells';
import { type ExpectedTexts, expectedTexts, shownProgress } from './shownProgress';
import { ShownTable } from './shownTable';
import { experimentName, folderOf, TableLoader, withJudgements } from './tableSource';
import { isOverFiles, resultsVersion } from './view/overviews';

/** Only columns of the experiment itself are judged. */
function ownColumns({ source }: ShownTable, judgement: ShownJudgement): ShownJudgement {
  return { ...judgement, columns: judgement.columns.filter((column) => !source.table.isOther(column)) };
}

/** After a key, or a line of results: joined, so that a running experiment is not read for every line. */
const RENEW_MS = 300;

/** The table of one experiment in an editor. Opening it only reads files. */
export class ExperimentEditor extends Owner {
  readonly #channel: Channel<ExperimentHostMethods, ExperimentPageMethods>;
  readonly #loader: TableLoader;
  readonly #kept: KeptTables;
  readonly #sources: OtherSources;
  #shown: Promise<ShownTable>;
  /** How often the table was read, and which of these readings is shown. */
  #readings = 0;
  #shownReading = 0;
  #summaries: Promise<unknown> = Promise.resolve();
  #expected: ExpectedTexts = {};
  readonly #reportSoon = this.store.soon(RENEW_MS, () => void this.#report());
  readonly #renewLater = this.store.soon(3 * RENEW_MS, () => void this.#show());
  readonly #renew = this.store.soon(RENEW_MS, () => void this.#show());

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly services: Services,
    private readonly runs: ExperimentRuns,
  ) {
    super();
    const { workspaceState } = services.context;
    this.#kept = new KeptTables(workspaceState);
    this.#sources = new OtherSources(document.uri.fsPath, join(this.#mediaFolder.fsPath, 'compared'));
    this.#loader = new TableLoader(document.uri, services);
    this.#shown = this.#load();
    this.#channel = this.store.add(
      openPage(panel, services, {
        name: 'experiment',
        title: posix.basename(document.uri.path),
        ours: experimentHostMethods,
        handlers: this.#handlers(),
        theirs: experimentPageMethods,
        folders: [folderOf(document.uri), this.#mediaFolder],
        firstCall: readyCall,
      }),
    );
    this.store.add(panel.onDidDispose(() => this.dispose()));
    this.#follow();
  }

  get #mediaFolder(): vscode.Uri {
    const { context } = this.services;
    return vscode.Uri.joinPath(workspaceStorage(context) ?? context.globalStorageUri, 'answers');
  }

  /** Watches the table's sources: the text, the results, the inputs, and the contracts. */
  #follow(): void {
    const { document, services } = this;
    this.store.add(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && event.contentChanges.length > 0) this.#renew();
      }),
    );
    this.store.add(
      services.connection.onDidChange(() => {
        this.#loader.forget();
        this.#renew();
      }),
    );
    this.store.add(
      this.runs.onDidChange((uri) => {
        if (uri.toString() !== document.uri.toString()) return;
        // Of runs that have ended, the table says how many have finished: with their results, not before.
        if (this.runs.stateOf(uri)) this.#reportSoon();
        else this.#renew();
        // Their results are in the file a little later: not every file system tells of that.
        this.#renewLater();
      }),
    );
    this.store.add(
      this.runs.onDidAskForTable((uri) => {
        if (uri.toString() === document.uri.toString()) void this.#show();
      }),
    );
    if (document.uri.scheme === 'file') this.#watchResults();
    this.#watch(({ fsPath }) => {
      const { file, folder } = resultPlaces(document.uri.fsPath);
      // The document tells of its own changes, and large results follow their lines.
      if (fsPath === document.uri.fsPath || fsPath.startsWith(join(dirname(file), folder))) return;
      if (fsPath === file) this.#renew();
      else void this.#renewInput(relative(dirname(file), fsPath).split(sep).join('/'));
    });
  }

  /** A file of the folder has changed: most are no inputs, such as the output of a build. */
  async #renewInput(path: string): Promise<void> {
    if (!(await this.#loader.reads(path))) return;
    this.#loader.forget();
    this.#renew();
  }

  /** By Node.js itself: VS Code's watcher leaves out the user's excluded files, and not every host has it. */
  #watchResults(): void {
    const { file } = resultPlaces(this.document.uri.fsPath);
    try {
      const watcher = watch(dirname(file), (_, name) => {
        if (name === basename(file)) this.#renew();
      });
      watcher.on('error', (error) =>
        this.services.log.info(logLine`Results are not watched: ${loggedError(error)}`),
      );
      this.store.add({ dispose: () => watcher.close() });
    } catch (error) {
      this.services.log.info(logLine`Results are not watched: ${loggedError(error)}`);
    }
  }

  #watch(onChange: (uri: vscode.Uri) => void): void {
    const pattern = new vscode.RelativePattern(folderOf(this.document.uri), '**/*');
    const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.store.add(event(onChange));
  }

  async #load(): Promise<ShownTable> {
    const compared = await this.#sources.read(this.#kept.of(this.document.uri).sources);
    const source = await this.#loader.load(this.document.getText(), compared);
    this.#expected = await expectedTexts(source, this.services);
    return new ShownTable(source, this.#addresses, vscode.env.language);
  }

  async #show(): Promise<void> {
    const reading = ++this.#readings;
    const loading = this.#load();
    try {
      const shown = await loading;
      // One that began earlier may take longer: it is of an older text.
      if (this.store.isDisposed || reading < this.#shownReading) return;
      this.#shownReading = reading;
      this.#shown = loading;
      this.#channel.notify('changed', this.#head(shown));
      await this.#keepOverview(shown);
    } catch (error) {
      this.services.log.error(loggedError(error));
    }
  }

  /** For the row of the view, which does not read the files of inputs. */
  async #keepOverview({ source, titles, locale }: ShownTable): Promise<void> {
    const { uri } = this.document;
    const { own, metrics, loaded } = source;
    if (!loaded || !isOverFiles(loaded.experiment) || this.runs.stateOf(uri)) return;
    const version = await resultsVersion(uri);
    if (version === undefined || this.#kept.of(uri).overview?.version === version) return;
    const names = titles.columns.map(({ name }) => name);
    await this.#kept.keepOverview(uri, {
      ...(await tableOverview(own, metrics, names, { locale, margin: loaded.experiment.margin })),
      version,
    });
  }

  async #report(): Promise<void> {
    const shown = await this.#shown;
    if (!this.store.isDisposed) this.#channel.notify('progress', this.#progress(shown));
  }

  /** One after another, each on the result of the one before. */
  #judge(judgement: ShownJudgement): Promise<void> {
    const judging = this.#shown.then(async (shown) => {
      if (shown.source.table.isOther(judgement.column))
        throw new Error(l10n.t('Results of another time or file are judged in their own table.'));
      const { own, rater = '' } = shown.source;
      const lines = judgementLines(own, ownColumns(shown, judgement), new Date(), rater);
      if (lines.length === 0) return shown;
      const store = await this.services.store();
      const source = await withJudgements(shown.source, lines, this.document.uri, store);
      return new ShownTable(source, this.#addresses, vscode.env.language);
    });
    // A judgement that cannot be written leaves the table unchanged.
    const before = this.#shown;
    this.#shown = judging.catch(() => before);
    return judging.then((shown) => this.#channel.notify('changed', this.#head(shown)));
  }

  /** One after another: the table is read again with the last one. */
  async #judgeHit({ row, id, grade, blind }: JudgedHit): Promise<void> {
    const { table, rater = '' } = (await this.#shown).source;
    const item = table.plan.items[row];
    const { query, contentOf } = item?.relevance ?? {};
    if (!item || query === undefined)
      throw new Error(l10n.t('Hits are judged for a metric of them: add “hit@1” in Set Up.'));
    const content = contentOf?.(id);
    const line: HitJudgement = {
      query,
      name: item.name,
      hit: id,
      ...(content !== undefined && { hit_sha256: content }),
      grade,
      judged_at: new Date().toISOString(),
      ...(rater !== '' && { by: rater }),
      ...(blind && { blind }),
    };
    await appendLines(qrelsPlace(this.document.uri.fsPath), [JSON.stringify(line)]);
    this.#loader.forget();
    this.#renew();
  }

  #head(shown: ShownTable): TableHead {
    const { uri } = this.document;
    const isNew = this.runs.settingUp.has(uri.toString()) || this.document.getText().trim() === '';
    const { view } = this.#kept.of(uri);
    const revealed = this.runs.takeRevealed(uri);
    const cell = revealed === undefined ? undefined : shown.placeOf(revealed);
    return {
      ...shown.head(experimentName(uri), this.#progress(shown), this.#expected.all),
      ...(view !== undefined && { view: view as Json }),
      ...(cell && { reveal: cell }),
      isNew,
    };
  }

  #progress(shown: ShownTable): TableProgress {
    const { uri } = this.document;
    const grid = this.runs.gridOf(uri);
    return shownProgress(
      this.runs.stateOf(uri),
      shown.counts(),
      this.#expected,
      vscode.env.language,
      grid && shown.changeSince(grid),
    );
  }

  get #addresses(): MediaAddresses {
    const { webview } = this.panel;
    const { uri } = this.document;
    const resultPath = (name: string, file = resultPlaces(uri.fsPath).file) =>
      uri.scheme === 'file' ? shownBodyPath(file, name) : undefined;
    return {
      input: (address) => addressFor(webview, vscode.Uri.parse(address, true)),
      // A results file is anybody's: it may name files of its own folder only.
      result: (name, file) => {
        const path = resultPath(name, file);
        return path === undefined ? undefined : addressFor(webview, vscode.Uri.file(path));
      },
      resultPath,
    };
  }

  /** One at a time, and the newest results then: while runs go on, results change faster than they are summed up. */
  #summary({ baseline, columns, groupBy }: AskedSummary): Promise<ShownSummary> {
    const summary = this.#summaries.then(async () => {
      const shown = await this.#shown;
      return shown.summary(baseline, columns, await shown.grouped(this.document.uri.fsPath, groupBy));
    });
    this.#summaries = summary.catch(() => undefined);
    return summary;
  }

  #handlers(): Handlers<ExperimentHostMethods> {
    const { webview } = this.panel;
    const { uri } = this.document;
    const views = new ResultViews(this.services.context.globalState);
    const fileOf = hitFileOf(this.services);
    const results = resultPlaces(uri.fsPath).file;
    const accepted = () => acceptedIds(this.services, results);
    const cells = new CellResults(() => this.#shown, uri, views, fileOf, accepted);
    const newest = async () => {
      await this.#show();
      return this.#shown;
    };
    return {
      ...resultHandlers({ webview, folder: this.#mediaFolder, find: (id) => cells.find(id) }),
      ...setUpHandlers(this.document, this.services, this.runs, { shown: () => this.#shown, newest }),
      ...plotHandlers(() => this.#shown, fileOf),
      ready: async () => {
        await this.#shown;
        // Meanwhile it may have been read again.
        const shown = await this.#shown;
        void this.#keepOverview(shown);
        return this.#head(shown);
      },
      summary: (asked) => this.#summary(asked),
      askGroup: async () => askGroup(uri.fsPath, (await this.#shown).source.experiment),
      position: async ({ query, row }) => {
        const at = (await this.#shown).order(query).rows.indexOf(row);
        return at < 0 ? null : at;
      },
      rows: async ({ query, from, count, columns }) => {
        const shown = await this.#shown;
        const part = shown.rows(query, from, count, columns);
        const rows = part.rows.map(async (row) => ({
          ...row,
          cells: await cellsWithPictures(shown, row.cells, (at) => columns[at]!, fileOf),
        }));
        return { ...part, rows: await Promise.all(rows) };
      },
      cell: ({ row, column, blind }) => cells.detail(row, column, blind),
      askAgain: () => askForAccepted(this.services, results),
      judge: (judgement) => this.#judge(judgement),
      judgeHit: (judgement) => this.#judgeHit(judgement),
      start: async ({ which }) => {
        await this.runs.start(uri, which);
      },
      compareWith: async () => {
        const { compareWith } = await import('./compareWith');
        await compareWith(this.services, this.runs, this.document);
      },
      stopComparing: async ({ column }) => {
        const { others } = (await this.#shown).source;
        const other = others.find((one) => one.column === column);
        const source = other && this.#sources.sourceOf(other.of);
        if (!source) return;
        const { stopComparing } = await import('./compareWith');
        await stopComparing(this.services, this.runs, uri, source);
      },
      keepView: ({ view }) => this.#kept.keepView(uri, view),
      pause: () => this.runs.pause(uri),
      resume: () => this.runs.resume(uri),
      cancel: () => this.runs.cancel(uri),
      compare: async ({ first, second }) => {
        const { compareCells } = await import('./compareCells');
        await compareCells(await cells.text(first), await cells.text(second));
      },
      numberDifferences: ({ first, second }) => cells.numberDifferences(first, second),
      useVariation: async ({ column, row }) => {
        const target = { variation: column, ...(row !== undefined && { item: row }) };
        await executeCommand('modelBench.useVariation', uri, target);
      },
      export: async ({ format, query, groupBy }) => {
        const shown = await this.#shown;
        const { exportTable } = await import('./exporting');
        const texts = await shown.texts(this.#head(shown), query, await shown.grouped(uri.fsPath, groupBy));
        const drawSmall: DrawSmall = async (source, side, most) => {
          const src =
            'uri' in source
              ? shown.addresses.input(source.uri)
              : shown.addresses.result(source.name, shown.fileOf(source.column));
          return src === undefined ? undefined : this.#channel.call('smallPicture', { src, side, most });
        };
        await exportTable(shown, uri, texts, query, format, drawSmall, fileOf);
      },
      figures: async () => (await this.#shown).figures(),
      confusion: async ({ column }) => (await this.#shown).confusion(column),
      saveChart: async ({ name, format, content }) => {
        const { saveChart } = await import('./exporting');
        await saveChart(`${experimentName(uri)}.${name}.${format}`, format, content);
      },
      reopenAsText: async () => {
        await executeBuiltIn('vscode.openWith', uri, 'default');
      },
    };
  }
}
