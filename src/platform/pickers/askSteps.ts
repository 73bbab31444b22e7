import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createInputBox } from '../../vscode/messages/inputs';

/** A reason against an entered text. */
export interface StepProblem {
  readonly message: string;
  /** The user may accept the same text once more, and it is taken. */
  readonly mayInsist: boolean;
}

/** One question of several. */
export interface Step {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly isPassword?: boolean;
  /** The text at first, where the user has not entered one yet. */
  readonly value?: string;
  /** A problem or a note, while the user types. */
  validate(text: string): string | vscode.InputBoxValidationMessage | undefined;
  /** Asked when the text is accepted; the box shows that it is busy. The signal ends when the user leaves the step. */
  check?(text: string, signal: AbortSignal): Promise<StepProblem | undefined>;
}

/**
 * Asks several questions in one input box, with VS Code's Back button. Entered texts are kept, also by going back, and a
 * problem is shown at the question that it is about.
 * @param steps each made from the texts entered before it, trimmed
 * @returns the texts, or undefined where the user closed the box
 */
export function askSteps(
  steps: readonly ((entered: readonly string[]) => Step)[],
): Promise<readonly string[] | undefined> {
  const box = createInputBox();
  const entered: string[] = [];
  let at = 0;
  let step: Step;
  let checking: AbortController | undefined;
  /** The text that the user may insist on. */
  let doubted: string | undefined;
  const show = (next: number) => {
    checking?.abort();
    at = next;
    step = steps[at]!(entered.slice(0, at));
    doubted = undefined;
    box.title = step.title;
    box.step = steps.length > 1 ? at + 1 : undefined;
    box.totalSteps = steps.length > 1 ? steps.length : undefined;
    box.prompt = step.prompt;
    box.placeholder = step.placeholder;
    box.password = step.isPassword ?? false;
    box.buttons = at > 0 ? [vscode.QuickInputButtons.Back] : [];
    box.value = entered[at] ?? step.value ?? '';
    box.validationMessage = undefined;
    box.busy = false;
  };
  /** Whether the text was taken. */
  const accepted = async (text: string): Promise<boolean> => {
    const problem = step.validate(text);
    if (problem !== undefined && (typeof problem === 'string' || isError(problem))) {
      box.validationMessage = problem;
      return false;
    }
    if (text === doubted || !step.check) return true;
    checking = new AbortController();
    const { signal } = checking;
    box.busy = true;
    const checked = await step.check(text, signal);
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
  return new Promise((resolve, reject) => {
    const end = (texts: readonly string[] | undefined) => {
      resolve(texts);
      box.dispose();
    };
    box.ignoreFocusOut = true;
    box.onDidChangeValue((text) => {
      checking?.abort();
      box.busy = false;
      entered[at] = text;
      box.validationMessage = text === '' ? undefined : step.validate(text.trim());
    });
    box.onDidTriggerButton(() => show(at - 1));
    box.onDidHide(() => {
      checking?.abort();
      end(undefined);
    });
    box.onDidAccept(() => {
      const text = box.value.trim();
      accepted(text).then((isTaken) => {
        if (!isTaken) return;
        entered[at] = text;
        if (at + 1 < steps.length) show(at + 1);
        else end(entered);
      }, reject);
    });
    show(0);
    box.show();
  });
}

function isError({ severity }: vscode.InputBoxValidationMessage): boolean {
  return severity === vscode.InputBoxValidationSeverity.Error;
}
