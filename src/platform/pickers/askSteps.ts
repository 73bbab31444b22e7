import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createInputBox, createQuickPick, untilAnswered } from '../../vscode/messages/inputs';

export interface StepProblem {
  readonly message: string;
  /** The user may accept the same text once more, and it is taken. */
  readonly mayInsist: boolean;
}

export interface Step {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly isPassword?: boolean;
  /** A text that a button of the box enters. */
  readonly offered?: { readonly tooltip: string; text(): string };
  /** The text at first, where the user has not entered one yet. */
  readonly value?: string;
  /** A problem or a note, while the user types. */
  validate(text: string): string | vscode.InputBoxValidationMessage | undefined;
  /** Asked when the text is accepted; the box shows that it is busy. The signal ends when the user leaves the step. */
  check?(text: string, signal: AbortSignal): Promise<StepProblem | undefined>;
}

/** A row of a list; its text counts as the entered one. */
export interface StepChoice extends vscode.QuickPickItem {
  readonly text: string;
}

export interface ChoiceStep {
  readonly title: string;
  readonly placeholder: string;
  readonly choices: readonly StepChoice[];
  /** Several can be chosen, at first all: the entered text has a line for each. */
  readonly many?: boolean;
  /** The first row for a typed text; undefined: the text is no answer. */
  typed?(text: string): StepChoice | undefined;
}

/** Where a step is among the others, and its text so far. */
interface Place {
  readonly step?: number;
  readonly totalSteps?: number;
  readonly mayGoBack: boolean;
  readonly entered: string | undefined;
  /** A text that the user may come back to. */
  keep(text: string): void;
}

/** The accepted text; undefined: the user closed the box. */
type Answer = { readonly text: string } | 'back' | undefined;

/**
 * Asks several questions one after another, with VS Code's Back button. Entered texts are kept, also by going back, and a
 * problem is shown at the question that it is about.
 * @param steps each made from the texts entered before it, trimmed
 * @returns the texts, or undefined where the user closed a box
 */
export async function askSteps(
  steps: readonly ((entered: readonly string[]) => Step | ChoiceStep)[],
): Promise<readonly string[] | undefined> {
  const entered: string[] = [];
  const isOne = steps.length === 1;
  for (let at = 0; at < steps.length; ) {
    const answer = await ask(steps[at]!(entered.slice(0, at)), {
      ...(isOne ? {} : { step: at + 1, totalSteps: steps.length }),
      mayGoBack: at > 0,
      entered: entered[at],
      keep: (text) => {
        entered[at] = text;
      },
    });
    if (answer === undefined) return undefined;
    if (answer === 'back') at--;
    else entered[at++] = answer.text;
  }
  return entered;
}

function ask(step: Step | ChoiceStep, place: Place): Promise<Answer> {
  return 'choices' in step ? askChoice(step, place) : askText(step, place);
}

async function askText(asked: Step, place: Place): Promise<Answer> {
  const box = createInputBox();
  let checking: AbortController | undefined;
  /** The text that the user may insist on. */
  let doubted: string | undefined;
  box.title = asked.title;
  box.step = place.step;
  box.totalSteps = place.totalSteps;
  box.prompt = asked.prompt;
  box.placeholder = asked.placeholder;
  box.password = asked.isPassword ?? false;
  const { offered } = asked;
  const offer = offered && { iconPath: new vscode.ThemeIcon('terminal'), tooltip: offered.tooltip };
  box.buttons = [...(place.mayGoBack ? [vscode.QuickInputButtons.Back] : []), ...(offer ? [offer] : [])];
  box.value = place.entered ?? asked.value ?? '';
  box.ignoreFocusOut = true;
  const accepted = async (text: string): Promise<boolean> => {
    const problem = asked.validate(text);
    if (problem !== undefined && (typeof problem === 'string' || isError(problem))) {
      box.validationMessage = problem;
      return false;
    }
    if (text === doubted || !asked.check) return true;
    checking = new AbortController();
    const { signal } = checking;
    box.busy = true;
    const checked = await asked.check(text, signal);
    if (signal.aborted) return false;
    box.busy = false;
    if (!checked) return true;
    const { message, mayInsist } = checked;
    doubted = mayInsist ? text : undefined;
    box.validationMessage = {
      message: mayInsist ? l10n.t('{0} Press Enter again to use it anyway.', message) : message,
      severity: mayInsist
        ? vscode.InputBoxValidationSeverity.Warning
        : vscode.InputBoxValidationSeverity.Error,
    };
    return false;
  };
  return untilAnswered<NonNullable<Answer>>(box, (resolve, reject) => {
    box.onDidChangeValue((text) => {
      checking?.abort();
      box.busy = false;
      place.keep(text);
      box.validationMessage = text === '' ? undefined : asked.validate(text.trim());
    });
    const accept = () => {
      const text = box.value.trim();
      accepted(text).then((isTaken) => isTaken && resolve({ text }), reject);
    };
    box.onDidTriggerButton((button) => {
      if (button !== offer) return resolve('back');
      box.value = offered!.text();
      accept();
    });
    box.onDidAccept(accept);
  }).finally(() => checking?.abort());
}

async function askChoice(asked: ChoiceStep, place: Place): Promise<Answer> {
  const { title, placeholder, choices, many = false } = asked;
  const picker = createQuickPick<StepChoice>();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.step = place.step;
  picker.totalSteps = place.totalSteps;
  picker.canSelectMany = many;
  picker.buttons = place.mayGoBack ? [vscode.QuickInputButtons.Back] : [];
  picker.ignoreFocusOut = true;
  picker.items = choices;
  const before = place.entered?.split('\n');
  // The picker's items are copies.
  if (many) picker.selectedItems = picker.items.filter(({ text }) => before?.includes(text) ?? true);
  picker.onDidChangeValue((typed) => {
    const row = asked.typed?.(typed.trim());
    picker.items = row ? [{ ...row, alwaysShow: true }, ...choices] : choices;
  });
  return untilAnswered<NonNullable<Answer>>(picker, (resolve) => {
    picker.onDidTriggerButton(() => resolve('back'));
    picker.onDidAccept(() => {
      const text = picker.selectedItems.map((item) => item.text).join('\n');
      if (text !== '') resolve({ text });
    });
  });
}

function isError({ severity }: vscode.InputBoxValidationMessage): boolean {
  return severity === vscode.InputBoxValidationSeverity.Error;
}
