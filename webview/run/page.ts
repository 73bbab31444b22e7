import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Json, JsonObject } from '../../src/domain/json';
import type { ModeContract, ModelContract, ShownContract } from '../../src/domain/model';
import { modeOf } from '../../src/domain/model';
import type { Problem } from '../../src/domain/problems';
import type { RunDraft } from '../../src/domain/run';
import { getAt, isObject, removeAt, setAt } from '../../src/domain/value';
import { initialInput } from '../../src/forms/buildForm';
import { checkDraft, toRunRequest } from '../../src/forms/checkDraft';
import type { FormState } from '../../src/forms/fieldTypes';
import { Channel } from '../../src/protocol/channel';
import {
  type AttachedFile,
  type EarlierRun,
  type PanelState,
  type RunHostMethods,
  type RunPageMethods,
  type RunView,
  runHostMethods,
  runPageMethods,
  type ShownNextStep,
  type Tab,
  type WorkInProgress,
  workInProgress,
} from '../../src/protocol/run';
import { SNIPPET_LANGUAGES, type SnippetLanguage } from '../../src/snippets/snippet';
import { hostEndpoint, pageState } from '../shared/host';
import { LeftFields } from './leftFields';

export type ResultTab = 'preview' | 'raw' | 'request';

const leftWithVsCode = z.object({ panelId: z.string(), work: workInProgress });

/**
 * What VS Code kept of this page: newer than the host's when the host ended before it heard the last of it, older
 * when the window ended before VS Code kept it.
 */
function ownWork(panelId: string): WorkInProgress | undefined {
  const left = leftWithVsCode.safeParse(pageState.get());
  return left.success && left.data.panelId === panelId ? left.data.work : undefined;
}

function newest(a: WorkInProgress | undefined, b: WorkInProgress | undefined): WorkInProgress | undefined {
  return (a?.editedAt ?? 0) > (b?.editedAt ?? 0) ? a : (b ?? a);
}

/** The host is told at once, and while someone types no more often than this. */
const TELL_EVERY_MS = 100;

/**
 * What the page shows and every way to change it. Edits go through `edit…`: they renew the problems, are kept by
 * VS Code and the host, and ask for one rendering.
 */
export class RunPage {
  readonly host: Channel<RunPageMethods, RunHostMethods>;
  panel: Omit<PanelState, 'contract' | 'work' | 'files' | 'run'> | undefined;
  contract: ShownContract | undefined;
  contractProblem: { message: string; nextStep?: ShownNextStep } | undefined;
  work: WorkInProgress | undefined;
  readonly files = new Map<string, AttachedFile>();
  run: RunView = { state: 'idle' };
  /** `performance.now()` when the run began. */
  runBegan = 0;
  /** Set from the click on Run until the host says what it does. */
  starting = false;
  resultTab: ResultTab = 'preview';
  /** What the history keeps of this model. */
  earlier: readonly EarlierRun[] = [];
  problems: readonly Problem[] = [];
  /** Places the user has left once: their problems show. */
  readonly touched = new Set<string>();
  /** After Run with errors every problem shows. */
  showAll = false;
  dragging = false;
  /** What is on its way to the host: names of dropped or pasted files. */
  readonly incoming = new Set<string>();
  /** Files that are not in the draft yet: Run waits for them. */
  #arriving: Promise<unknown> | undefined;
  /** A sentence for the live region and the notice bar. */
  notice: string | undefined;
  readonly form: { choices: Map<string, number> } & FormState = { choices: new Map() };
  #telling: ReturnType<typeof setTimeout> | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #rendering = false;
  /** What the problems are of: a clock that ticks, or a message, changes nothing in it. */
  #checked: readonly unknown[] = [undefined];
  readonly #left = new LeftFields((pointers) => {
    for (const pointer of pointers) this.touched.add(pointer);
    this.changed();
  });

  constructor(private readonly render: () => void) {
    this.host = new Channel(hostEndpoint, runPageMethods, runHostMethods, this.#handlers(), {
      describe: (error) => (error instanceof Error ? error.message : String(error)),
      onBadMessage: (why) => console.warn(`Message refused: ${why}`),
    });
    window.addEventListener('pagehide', () => this.#tell());
    document.addEventListener('visibilitychange', () => this.#tell());
  }

  async start(): Promise<void> {
    const state = await this.host.call('ready', null);
    this.panel = state;
    this.contract = state.contract;
    this.work = newest(ownWork(state.panelId), state.work);
    for (const file of state.files) this.files.set(file.uri, file);
    this.#showRun(state.run);
    this.#beginWork();
    this.changed();
  }

  get mode(): ModeContract | undefined {
    return this.contract && this.work ? modeOf(this.fullContract, this.work.draft.mode) : undefined;
  }

  /** The contract as the checks take it; nothing that a page does needs the raw body. */
  get fullContract(): ModelContract {
    return { ...this.contract!, raw: undefined };
  }

  /** What would be sent, with local files still as they stand in the draft. */
  get request() {
    return toRunRequest(this.fullContract, this.work!.draft);
  }

  /** Of the Code tab. */
  get language(): SnippetLanguage {
    return SNIPPET_LANGUAGES.find((known) => known === this.work?.language) ?? 'curl';
  }

  get isRunning(): boolean {
    return this.starting || this.run.state === 'running';
  }

  /** The form waits until JSON that was typed is valid again. */
  get isBroken(): boolean {
    return this.work?.brokenJson !== undefined;
  }

  editAt(pointer: string, value: Json | undefined): void {
    const draft = this.work!.draft as unknown as Json;
    const next = value === undefined ? removeAt(draft, pointer) : setAt(draft, pointer, value);
    this.editDraft(next as unknown as RunDraft);
  }

  valueAt(pointer: string): Json | undefined {
    return getAt(this.work!.draft as unknown as Json, pointer);
  }

  editDraft(draft: RunDraft): void {
    this.editWork({ draft });
  }

  editWork(changes: Partial<WorkInProgress>): void {
    if (!this.work) return;
    this.work = { ...this.work, ...changes, editedAt: Date.now() };
    pageState.set({ panelId: this.panel?.panelId, modelName: this.contract?.name, work: this.work });
    const rest = this.#toldAt + TELL_EVERY_MS - performance.now();
    if (rest <= 0) this.#tell();
    else this.#telling ??= setTimeout(() => this.#tell(), rest);
    this.changed();
  }

  /** Text of a JSON editor inside the form; undefined: it is valid and in the draft. */
  editBrokenPart(pointer: string, text: string | undefined): void {
    const { [pointer]: _valid, ...others } = this.work?.brokenParts ?? {};
    this.editWork({ brokenParts: text === undefined ? others : { ...others, [pointer]: text } });
  }

  chooseTab(tab: Tab): void {
    this.editWork({ tab });
  }

  chooseMode(name: string): void {
    const { work } = this;
    if (!work || work.draft.mode === name) return;
    const { mode: before, input, params } = work.draft;
    const kept = { ...work.otherModes, [before]: { input, params, brokenParts: work.brokenParts } };
    const { brokenParts = {}, ...known } = work.otherModes?.[name] ?? this.#initial(name);
    this.touched.clear();
    this.showAll = false;
    this.form.choices.clear();
    const draft = { ...work.draft, mode: name, ...known };
    this.editWork({ draft: this.#withScope(draft), otherModes: kept, brokenParts });
  }

  loadExample(index: number): void {
    const example = this.mode?.examples[index];
    if (!example || !this.work) return;
    this.form.choices.clear();
    // An example may break the model's own schema: it is loaded as it is, and its problems show.
    this.showAll = true;
    const { input, params } = structuredClone(example);
    this.editWork({ draft: { ...this.work.draft, input, params }, brokenJson: undefined, brokenParts: {} });
  }

  touch(pointer: string): void {
    if (!this.touched.has(pointer)) this.#left.add(pointer);
  }

  /** The problems that a place shows now. */
  problemsAt(pointer: string, withBelow: boolean): readonly Problem[] {
    if (!this.showAll && !this.touched.has(pointer)) return [];
    return this.problems.filter(
      (problem) => problem.pointer === pointer || (withBelow && problem.pointer.startsWith(`${pointer}/`)),
    );
  }

  async startRun(anyway = false): Promise<void> {
    if (this.isRunning || !this.work || !this.contract) return;
    this.#tell();
    this.starting = true;
    this.runBegan = performance.now();
    this.resultTab = 'preview';
    this.notice = undefined;
    this.changed();
    try {
      await this.host.call('run', { draft: this.work.draft, anyway });
    } catch (error) {
      this.say(error);
    }
    this.starting = false;
    this.changed();
  }

  /** Something is on its way into the draft: a dropped file, a choice in a dialog. */
  async arrive(work: Promise<void>): Promise<void> {
    const all = Promise.allSettled([this.#arriving, work]);
    this.#arriving = all;
    await all;
    if (this.#arriving === all) this.#arriving = undefined;
  }

  /** Resolves when nothing is on its way any more; until then the panel shows that Run was heard. */
  async whenArrived(): Promise<void> {
    this.starting = true;
    this.runBegan = performance.now();
    this.changed();
    while (this.#arriving !== undefined) await this.#arriving;
    this.starting = false;
    this.changed();
  }

  get isArriving(): boolean {
    return this.#arriving !== undefined;
  }

  stopWaiting(): void {
    this.host.notify('stopWaiting', {});
  }

  /** Does something over there and says it when it fails. */
  async ask<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      this.say(error);
      return undefined;
    }
  }

  say(what: unknown): void {
    this.notice = what instanceof Error ? what.message : String(what);
    this.changed();
  }

  changed(): void {
    this.#renewProblems();
    if (this.#rendering) return;
    this.#rendering = true;
    queueMicrotask(() => {
      this.#rendering = false;
      this.render();
    });
  }

  #handlers() {
    return {
      showRun: (view: RunView) => {
        this.#showRun(view);
        this.changed();
      },
      showContract: ({
        contract,
        problem,
      }: {
        contract?: ShownContract;
        problem?: { message: string; nextStep?: ShownNextStep };
      }) => {
        this.contract = contract ?? this.contract;
        this.contractProblem = problem;
        this.#beginWork();
        this.changed();
      },
      showEnvironment: (where: { environment: string; baseUrl: string }) => {
        if (this.panel) this.panel = { ...this.panel, ...where };
        this.changed();
      },
      showScopes: ({ scopes }: { scopes: string[] }) => {
        if (this.panel) this.panel = { ...this.panel, scopes };
        this.changed();
      },
      showEstimate: ({ text }: { text?: string }) => {
        if (this.panel) this.panel = { ...this.panel, estimate: text };
        this.changed();
      },
      showHistory: ({ runs }: { runs: EarlierRun[] }) => {
        this.earlier = runs;
        this.changed();
      },
    };
  }

  #showRun(view: RunView): void {
    if (view.state === 'running') this.runBegan = performance.now() - view.elapsedMs;
    this.run = view;
  }

  #tell(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#toldAt = performance.now();
    if (this.work) this.host.notify('edit', this.work);
  }

  /** A panel that begins: the mode the contract names first, `execute` preferred, with what the schema itself tells. */
  #beginWork(): void {
    const { contract } = this;
    if (!contract) return;
    if (!this.work) {
      const mode = contract.modes.find(({ name }) => name === 'execute') ?? contract.modes[0];
      const draft = { model: contract.slug, mode: mode?.name ?? 'execute', ...this.#initial(mode?.name) };
      this.work = { draft: this.#withScope(draft), tab: 'form' };
      return;
    }
    const { draft } = this.work;
    const empty = (value: JsonObject) => isObject(value) && Object.keys(value).length === 0;
    const initial = this.#initial(draft.mode);
    const input = empty(draft.input) ? initial.input : draft.input;
    const params = empty(draft.params) ? initial.params : draft.params;
    this.work = { ...this.work, draft: this.#withScope({ ...draft, input, params }) };
  }

  #initial(modeName: string | undefined): NonNullable<WorkInProgress['otherModes']>[string] {
    const mode = this.contract?.modes.find(({ name }) => name === modeName);
    if (!mode) return { input: {}, params: {} };
    return { input: initialInput(mode.input.schema), params: initialInput(mode.params.schema) };
  }

  #withScope(draft: RunDraft): RunDraft {
    const mode = this.contract?.modes.find(({ name }) => name === draft.mode);
    if (!mode?.vectorBacked || draft.scope !== undefined) return draft;
    return { ...draft, scope: this.panel?.scopes[0] ?? 'playground' };
  }

  #renewProblems(): void {
    if (!this.contract || !this.work) return;
    const { draft, brokenJson, brokenParts } = this.work;
    const checked = [this.contract, draft, brokenJson, brokenParts];
    if (checked.every((part, at) => part === this.#checked[at])) return;
    this.#checked = checked;
    if (this.work.brokenJson !== undefined) {
      this.problems = [
        { pointer: '', message: l10n.t('The JSON is not valid yet. The JSON tab marks where.') },
      ];
      return;
    }
    const parts = Object.keys(this.work.brokenParts ?? {}).map((pointer) => ({
      pointer,
      message: l10n.t('This is not valid JSON yet.'),
    }));
    this.problems = [...checkDraft(this.fullContract, this.work.draft), ...parts];
  }
}
