import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { JsonObject } from '../../src/domain/json';
import type { ModelContract, ShownContract } from '../../src/domain/model';
import type { RunDraft } from '../../src/domain/run';
import { ownOf } from '../../src/domain/value';
import { initialInput } from '../../src/forms/buildForm';
import { carriedInput } from '../../src/forms/carriedInput';
import { checkInFull, type DraftCheck } from '../../src/forms/checkDraft';
import { type WorkInProgress, workInProgress } from '../../src/protocol/run';
import { pageState } from '../shared/host';
import { readPart } from './json/jsonText';
import { readText } from './json/requestText';
import { placeName } from './placeName';

type ModeWork = NonNullable<WorkInProgress['otherModes']>[string];

const kept = z.object({ panelId: z.string(), work: workInProgress });

/**
 * The newer one of VS Code's copy of this page's work and the host's copy: VS Code's is older if the window ended
 * before it was written, the host's if the host ended before it received the last edit.
 */
export function newestWork(panelId: string, hosts: WorkInProgress | undefined): WorkInProgress | undefined {
  const left = kept.safeParse(pageState.get());
  const own = left.success && left.data.panelId === panelId ? left.data.work : undefined;
  return (own?.editedAt ?? 0) > (hosts?.editedAt ?? 0) ? own : (hosts ?? own);
}

/** The work completed with the contract's defaults; of a new panel: in the mode `execute`, else the first. */
export function beginWork(
  contract: ShownContract,
  work: WorkInProgress | undefined,
  scopes: readonly string[] | undefined,
): WorkInProgress {
  if (!work) {
    const mode = contract.modes.find(({ name }) => name === 'execute') ?? contract.modes[0];
    const draft = {
      model: contract.slug,
      mode: mode?.name ?? 'execute',
      ...defaultsOf(contract, mode?.name),
    };
    return { draft: withScope(contract, draft, scopes), tab: 'form' };
  }
  const { draft } = work;
  const defaults = defaultsOf(contract, draft.mode);
  const input = isEmpty(draft.input) ? defaults.input : draft.input;
  const params = isEmpty(draft.params) ? defaults.params : draft.params;
  return { ...work, draft: withScope(contract, { ...draft, input, params }, scopes) };
}

/** The work in another mode: its earlier state there, or its defaults with the entered values that it takes. */
export function workInMode(
  contract: ShownContract,
  work: WorkInProgress,
  name: string,
  scopes: readonly string[] | undefined,
): WorkInProgress {
  const { mode: before, input, params } = work.draft;
  const left = { input, params, brokenParts: work.brokenParts };
  const otherModes = { ...work.otherModes, [before]: left };
  const { brokenParts = {}, ...known } =
    ownOf(work.otherModes ?? {}, name) ?? carried(contract, work.draft, name);
  const draft = withScope(contract, { ...work.draft, mode: name, ...known }, scopes);
  return { ...work, draft, otherModes, brokenParts };
}

function carried(contract: ShownContract, { mode, input }: RunDraft, name: string): ModeWork {
  const [from, to] = [mode, name].map((wanted) => contract.modes.find((one) => one.name === wanted));
  const defaults = defaultsOf(contract, name);
  return from && to ? { ...defaults, input: carriedInput(from, input, to) } : defaults;
}

/** The work with the defaults of its mode in place of the entered values. */
export function resetWork(contract: ShownContract, { draft }: WorkInProgress): Partial<WorkInProgress> {
  const { options: _options, ...others } = draft;
  const { input, params } = defaultsOf(contract, draft.mode);
  return {
    draft: { ...others, input, params },
    brokenJson: undefined,
    brokenParts: {},
    choices: {},
  };
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

function defaultsOf(contract: ShownContract, modeName: string | undefined): ModeWork {
  const mode = contract.modes.find(({ name }) => name === modeName);
  if (!mode) return { input: {}, params: {} };
  return { input: initialInput(mode.input.schema), params: initialInput(mode.params.schema) };
}

function withScope(contract: ShownContract, draft: RunDraft, scopes: readonly string[] = []): RunDraft {
  const mode = contract.modes.find(({ name }) => name === draft.mode);
  if (!mode?.vectorBacked || draft.scope !== undefined) return draft;
  return { ...draft, scope: scopes[0] ?? 'playground' };
}

/** The problems to fix before the work can run, and the rules that only the service checks. */
export function draftProblems(contract: ModelContract, work: WorkInProgress): DraftCheck {
  if (work.brokenJson !== undefined) {
    const message = textProblem(readText(work.brokenJson));
    return { problems: [{ pointer: '', message }], notes: [] };
  }
  const parts = Object.entries(work.brokenParts ?? {}).map(([pointer, text]) => ({
    pointer,
    message: textProblem(readPart(pointer, text)),
  }));
  const { problems, notes } = checkInFull(contract, work.draft);
  return { problems: [...problems, ...parts], notes };
}

/** Why the text on screen cannot be sent even without validation: it is no JSON. Undefined when it is. */
export function unreadableText({ brokenJson, brokenParts = {} }: WorkInProgress): string | undefined {
  if (brokenJson !== undefined) return textProblem(readText(brokenJson));
  const [part] = Object.entries(brokenParts);
  return part && l10n.t('{0}: {1}', placeName(part[0]), textProblem(readPart(...part)));
}

function textProblem(read: object): string {
  return 'problem' in read ? String(read.problem) : l10n.t('This is not valid JSON.');
}
