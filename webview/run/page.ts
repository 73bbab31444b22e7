import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import type { Json } from '../../src/domain/json';
import { type ModeContract, type ModelContract, modeOf } from '../../src/domain/model';
import type { Problem } from '../../src/domain/problems';
import { getAt, removeAt, sameJson, setAt } from '../../src/domain/value';
import { toRunRequest } from '../../src/forms/checkDraft';
import type { FormState } from '../../src/forms/fieldTypes';
import {
  type AttachedFile,
  type PanelAct,
  type RunHostMethods,
  type RunPageMethods,
  type RunStatus,
  runHostMethods,
  runPageMethods,
  type ShownRun,
  type WorkInProgress,
} from '../../src/protocol/run';
import { type SnippetLanguage, snippetLanguage } from '../../src/snippets/snippet';
import { pageState } from '../shared/host';
import { Page } from '../shared/page';
import { LeftFields } from './leftFields';
import { problemsFrom } from './problemPlaces';
import { changesTo, isEmptyValue, isMissed } from './replacing';
import { showResult } from './showResult';
import { initialState, LEAST_SPLIT, type RunPageState } from './state';
import { beginWork, draftProblems, newestWork, resetWork, unreadableText, workInMode } from './work';
import { rearranged, withDraft, withVariant } from './workEdits';

type Shown<Method extends keyof RunPageMethods> = z.output<RunPageMethods[Method]['params']>;

/** Least time between edits sent to the host while the user types. */
const EDIT_INTERVAL_MS = 100;

/**
 * The run page. Edits of the request go through `edit…`: they are kept by VS Code and the host, and renew the
 * problems.
 */
export class RunPage extends Page<RunPageState, RunPageMethods, RunHostMethods> {
  /** By URI. */
  readonly files = new Map<string, AttachedFile>();
  /** Pointers of the fields the user has left once: their problems show. */
  readonly touched = new Set<string>();
  /** Names of dropped or pasted files that are being sent to the host. */
  readonly incoming = new Set<string>();
  /** The run of the shown result: the one before stays while the next one runs and is read. */
  shown: ShownRun | undefined;
  /** Files that are not in the draft yet: Run waits for them. */
  #arriving: Promise<unknown> | undefined;
  #sending: ReturnType<typeof setTimeout> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** The source of `problems`: other changes need no check. */
  #checked: readonly unknown[] = [undefined];
  #form: { readonly of: WorkInProgress['choices']; readonly state: FormState } = { of: undefined, state: {} };
  readonly #left = new LeftFields((pointers) => {
    for (const pointer of pointers) this.touched.add(pointer);
    this.update();
  });

  constructor(
    render: () => void,
    /** Carries out a command of the editor's title bar. */
    private readonly perform: (act: PanelAct) => void,
  ) {
    super(initialState(), runPageMethods, runHostMethods, render);
    window.addEventListener('pagehide', () => this.sendEdit());
    document.addEventListener('visibilitychange', () => this.sendEdit());
  }

  protected handlers() {
    return {
      showRun: (run: RunStatus) => this.#showRun(run),
      showContract: ({ contract, problem, replaces }: Shown<'showContract'>) => {
        this.state.contract = contract ?? (replaces ? undefined : this.state.contract);
        this.#beginWork();
        this.update({ contractProblem: problem });
      },
      showFacts: (facts: Shown<'showFacts'>) => this.#updatePanel(facts),
      showWork: ({ work, files }: Shown<'showWork'>) => this.#takeWork(work, files),
      act: ({ act }: Shown<'act'>) => this.perform(act),
    };
  }

  async start(): Promise<void> {
    const panel = await this.host.call('ready', null);
    const { contract, files, run } = panel;
    for (const file of files) this.files.set(file.uri, file);
    const work = newestWork(panel.panelId, panel.work);
    Object.assign(this.state, { panel, contract, work });
    this.#remember(work);
    this.#beginWork();
    this.#showRun(run);
  }

  protected override get isHostAtWork(): boolean {
    return this.isRunning;
  }

  get mode(): ModeContract | undefined {
    const { contract, work } = this.state;
    return contract && work ? modeOf(this.#contract, work.draft.mode) : undefined;
  }

  /** The contract as the checks take it; a page does not need the raw body. */
  get #contract(): ModelContract {
    return { ...this.state.contract!, raw: undefined };
  }

  /**
   * The parts that the form shows besides the draft; the same object until a variant is chosen, so that fields are
   * kept.
   */
  get form(): FormState {
    const choices = this.state.work?.choices;
    if (this.#form.of !== choices)
      this.#form = { of: choices, state: { choices: new Map(Object.entries(choices ?? {})) } };
    return this.#form.state;
  }

  /** The request to send, with local files like in the draft. */
  get request() {
    return toRunRequest(this.#contract, this.state.work!.draft);
  }

  /** Of the Code tab. */
  get language(): SnippetLanguage {
    return snippetLanguage(this.state.work?.language);
  }

  get isRunning(): boolean {
    return this.state.starting || this.state.run.state === 'running';
  }

  /** The JSON tab contains invalid JSON; the form is not shown until it is valid. */
  get isBroken(): boolean {
    return this.state.work?.brokenJson !== undefined;
  }

  editAt(pointer: string, value: Json | undefined): void {
    this.editDraft((draft) =>
      value === undefined ? removeAt(draft, pointer) : setAt(draft, pointer, value),
    );
  }

  valueAt(pointer: string): Json | undefined {
    return getAt(this.state.work!.draft as unknown as Json, pointer);
  }

  editDraft(change: (draft: Json) => Json): void {
    this.editWork(withDraft(this.state.work!, change));
  }

  rearrange(pointer: string, change: (draft: Json) => Json): void {
    this.editWork(rearranged(this.state.work!, pointer, change));
  }

  chooseVariant(pointer: string, index: number | undefined, value: Json | undefined): void {
    const entered = this.valueAt(pointer);
    const changes = withVariant(this.state.work!, pointer, index, value);
    if (isEmptyValue(entered) || sameJson(entered, value)) this.editWork(changes);
    else this.replaceWork(changes, l10n.t('Another type was chosen, which replaced the value.'));
  }

  editWork(changes: Partial<WorkInProgress>): void {
    if (!this.state.work) return;
    const work = { ...this.state.work, ...changes, editedAt: Date.now() };
    this.#remember(work);
    this.update({ work });
    const rest = this.#sentAt + EDIT_INTERVAL_MS - performance.now();
    if (rest <= 0) this.sendEdit();
    else this.#sending ??= setTimeout(() => this.sendEdit(), rest);
  }

  /** Text of a JSON editor inside the form; undefined: it is valid and in the draft. */
  editBrokenPart(pointer: string, text: string | undefined): void {
    const { [pointer]: _valid, ...others } = this.state.work?.brokenParts ?? {};
    this.editWork({ brokenParts: text === undefined ? others : { ...others, [pointer]: text } });
  }

  chooseMode(name: string): void {
    const { work, contract, panel } = this.state;
    if (!work || !contract || work.draft.mode === name) return;
    this.touched.clear();
    this.state.showAll = false;
    this.editWork({ ...workInMode(contract, work, name, panel?.scopes), choices: {} });
  }

  loadExample(index: number): void {
    const example = this.mode?.examples[index];
    const { work } = this.state;
    if (!example || !work) return;
    // An example may not match the model's own schema: its problems show.
    this.state.showAll = true;
    const { input, params } = structuredClone(example);
    const draft = { ...work.draft, input, params };
    const name = example.title ?? l10n.t('Example {0}', index + 1);
    this.replaceWork(
      { draft, brokenJson: undefined, brokenParts: {}, choices: {} },
      l10n.t('The example “{0}” was loaded.', name),
    );
  }

  /** @param split percent of the page's width for the form */
  resize(split: number): void {
    const kept = Math.min(100 - LEAST_SPLIT, Math.max(LEAST_SPLIT, split));
    this.update({ split: kept });
    this.#remember(this.state.work);
  }

  setFavorite(favorite: boolean): void {
    this.#updatePanel({ favorite });
    void this.ask(this.host.call('setFavorite', { favorite }));
  }

  resetForm(): void {
    const { work, contract } = this.state;
    if (!work || !contract) return;
    this.touched.clear();
    this.state.showAll = false;
    this.replaceWork(resetWork(contract, work), l10n.t('The form was reset.'));
  }

  /** An edit that replaces the user's input: it can be undone until the next one. */
  replaceWork(changes: Partial<WorkInProgress>, text: string): void {
    const before = this.state.work;
    if (!before) return;
    this.editWork(changes);
    this.#offerUndo(text, before);
  }

  undoReplacement(): void {
    const { replaced, work } = this.state;
    if (!replaced || !work) return;
    // The other tab is no reason to lose sight of it.
    this.replaceWork(
      { ...changesTo(replaced.before), tab: work.tab },
      l10n.t('What was entered before is back.'),
    );
  }

  /** Whether the last replacement is the last edit. */
  get isJustReplaced(): boolean {
    return this.state.replaced !== undefined && this.state.replaced.after === this.state.work;
  }

  #offerUndo(text: string, before: WorkInProgress): void {
    const after = this.state.work!;
    this.update({
      replaced: isMissed(this.state.contract!, before, after) ? { text, before, after } : undefined,
    });
  }

  touch(pointer: string): void {
    if (!this.touched.has(pointer)) this.#left.add(pointer);
  }

  /** The problems that a field shows now. */
  problemsAt(pointer: string, withBelow: boolean): readonly Problem[] {
    if (!this.state.showAll && !this.touched.has(pointer)) return [];
    const problems = problemsFrom(this.state.problems, pointer);
    return withBelow ? problems : problems.filter((problem) => problem.pointer === pointer);
  }

  async startRun(anyway = false): Promise<void> {
    const { work, contract } = this.state;
    if (this.isRunning || !work || !contract) return;
    const unreadable = unreadableText(work);
    if (unreadable !== undefined) {
      this.update({ notice: l10n.t('Not sent. {0}', unreadable) });
      return;
    }
    this.sendEdit();
    this.update({ starting: true, runBegan: performance.now(), resultTab: 'preview', notice: undefined });
    await this.ask(this.host.call('run', { draft: work.draft, anyway }));
    this.update({ starting: false });
  }

  async showEarlier(id: string): Promise<void> {
    // Not rendered before the run is there: the page would load the preview of the run shown until then.
    this.state.resultTab = 'preview';
    await this.ask(this.host.call('showEarlier', { id }));
  }

  /** Registers work that changes the draft when it is done: a dropped file, a choice in a dialog. */
  async arrive(work: Promise<void>): Promise<void> {
    const all = Promise.allSettled([this.#arriving, work]);
    this.#arriving = all;
    await all;
    if (this.#arriving === all) this.#arriving = undefined;
  }

  /** Resolves when all files are in the draft; until then the panel shows that Run was pressed. */
  async whenArrived(): Promise<void> {
    if (this.#arriving === undefined) return;
    this.update({ starting: true, runBegan: performance.now() });
    while (this.#arriving !== undefined) await this.#arriving;
    this.update({ starting: false });
  }

  override update(changes: Partial<RunPageState> = {}): void {
    Object.assign(this.state, changes);
    this.#renewProblems();
    super.update();
  }

  #updatePanel(changes: Partial<RunPageState['panel']>): void {
    const { panel } = this.state;
    if (panel) this.update({ panel: { ...panel, ...changes } });
  }

  /** Kept by VS Code, for a window that ends before the host has it. */
  #remember(work: WorkInProgress | undefined): void {
    const { panel, contract } = this.state;
    const { name, baseUrl } = panel?.environment ?? { name: '', baseUrl: '' };
    pageState.set({
      panelId: panel?.panelId,
      modelName: contract?.name,
      work,
      split: this.state.split,
      ...(name !== '' && { environment: { name, baseUrl } }),
    });
  }

  /** The request of the panel's run file, which the host has kept already. */
  #takeWork(work: WorkInProgress, files: readonly AttachedFile[]): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    for (const file of files) this.files.set(file.uri, file);
    this.#remember(work);
    const before = this.state.work;
    this.state.work = work;
    this.#beginWork();
    this.update();
    const name = this.state.panel?.file?.name ?? '';
    if (before) this.#offerUndo(l10n.t('The request of “{0}” was loaded.', name), before);
  }

  #showRun(run: RunStatus): void {
    if (run.state === 'running') this.state.runBegan = performance.now() - run.elapsedMs;
    const isOver = run.state === 'done' && this.state.run.state === 'running';
    this.update({ run });
    if (isOver) this.afterRender(showResult);
  }

  /** Brings the host up to date now. */
  sendEdit(): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    this.#sentAt = performance.now();
    if (this.state.work) this.host.notify('edit', this.state.work);
  }

  #beginWork(): void {
    const { contract, work, panel } = this.state;
    // The request of a run file is shown unchanged: defaults that the file lacks would be sent from here only.
    if (work && panel?.file) return;
    if (contract) this.state.work = beginWork(contract, work, panel?.scopes);
  }

  #renewProblems(): void {
    const { contract, work } = this.state;
    if (!contract || !work) return;
    const checked = [contract, work.draft, work.brokenJson, work.brokenParts];
    if (checked.every((part, at) => part === this.#checked[at])) return;
    this.#checked = checked;
    Object.assign(this.state, draftProblems(this.#contract, work));
  }
}
