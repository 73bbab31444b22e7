import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunRecord } from '../../domain/runRecord';
import type { History } from '../../runs/history/history';
import { createQuickPick, untilAnswered } from '../../vscode/messages/inputs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { inputText } from '../../wording/inputText';
import { runFacts, runName } from './nodes';

export interface RunQuestion {
  readonly title: string;
  readonly many?: boolean;
  /** Which runs the command is for; missing: all. */
  readonly fits?: ((run: RunRecord) => boolean) | undefined;
  /** The runs offered before anything is typed; missing: the newest that fit. */
  readonly offered?: ((history: History, limit: number) => readonly RunRecord[]) | undefined;
}

interface RunItem extends vscode.QuickPickItem {
  readonly run: RunRecord;
}

/** Runs that are offered, or found: a list that is longer is searched by typing. */
const MOST = 200;
/** Of an input: enough to tell one run from another. */
const INPUT_LENGTH = 120;

/** Asks for runs of the history. The typed words are also looked for in all of their inputs, files and messages. */
export async function pickRuns(history: History, question: RunQuestion): Promise<readonly RunRecord[]> {
  const { title, many = false, fits = () => true, offered = newest } = question;
  const first = offered(history, MOST).filter(fits);
  if (first.length === 0) {
    void showInformationMessage(l10n.t('The history has no matching runs yet.'));
    return [];
  }
  const picker = createQuickPick<RunItem>();
  Object.assign(picker, { title, canSelectMany: many, matchOnDescription: true, matchOnDetail: true });
  picker.placeholder = l10n.t('Type to search the history');
  picker.items = first.map((run) => runItem(run));
  const selected = new Map<string, RunRecord>();
  const show = (words: string) => {
    const matches = words.trim() === '' ? [] : history.runs.search(words, MOST).filter(fits);
    const others = first.filter(({ id }) => !matches.some((run) => run.id === id));
    picker.items = [...matches.map((run) => runItem(run, true)), ...others.map((run) => runItem(run))];
    if (many) picker.selectedItems = picker.items.filter(({ run }) => selected.has(run.id));
  };
  const chosen = await untilAnswered<readonly RunRecord[]>(picker, (resolve) => {
    picker.onDidChangeValue(show);
    picker.onDidChangeSelection((items) => {
      // Rows that the typed text hides stay selected.
      for (const { run } of picker.items) selected.delete(run.id);
      for (const { run } of items) selected.set(run.id, run);
    });
    picker.onDidAccept(() =>
      resolve(many ? [...selected.values()] : picker.activeItems.slice(0, 1).map(({ run }) => run)),
    );
  });
  return chosen ?? [];
}

function newest(history: History, limit: number): readonly RunRecord[] {
  return history.runs.list({ limit });
}

/** @param isMatch by words that its row need not show */
function runItem(run: RunRecord, isMatch = false): RunItem {
  return {
    label: runName(run),
    description: [...(run.name === undefined ? [] : [run.modelName]), ...runFacts(run)].join(' · '),
    detail: `${new Date(run.startedAt).toLocaleString(vscode.env.language)} · ${inputText(run.draft.input, INPUT_LENGTH)}`,
    run,
    alwaysShow: isMatch,
  };
}
