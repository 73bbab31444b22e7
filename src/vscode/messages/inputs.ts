import * as vscode from 'vscode';
import { plainLine } from '../../wording/plainText';
import { type PlainProperties, plain, plainOptions, withPlainProperties } from './plainProperties';

type Validation = string | vscode.InputBoxValidationMessage | undefined;

/** A question that takes the place of an open box, which VS Code hides: that one returns after the answer. */
let interrupting: PromiseLike<unknown> | undefined;

/** Asks for a text. The typed text stays unchanged; all texts around it are plain. */
export function showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const answer = vscode.window.showInputBox(
    plainOptions(options, {
      title: plain,
      prompt: plain,
      placeHolder: plain,
      validateInput: (validate) => async (text) => plainValidation((await validate?.(text)) ?? undefined),
    }),
  );
  const end = () => {
    if (interrupting === answer) interrupting = undefined;
  };
  interrupting = answer;
  answer.then(end, end);
  return answer;
}

export function createInputBox(): vscode.InputBox {
  return withPlainProperties(vscode.window.createInputBox(), {
    title: plain,
    prompt: plain,
    placeholder: plain,
    validationMessage: plainValidation,
  });
}

export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { readonly canPickMany: true },
): Promise<T[] | undefined>;
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
/** @returns the chosen items themselves */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | T[] | undefined> {
  const shown = items.map(plainItem);
  const given = (item: T) => items[shown.indexOf(item)] ?? item;
  // The declared result is of one item: with `canPickMany` it is a list.
  const chosen = (await vscode.window.showQuickPick(
    shown,
    plainOptions(options, { title: plain, placeHolder: plain }),
  )) as T | T[] | undefined;
  return Array.isArray(chosen) ? chosen.map(given) : chosen && given(chosen);
}

/** Its selected items are copies, with plain texts: data of an item belongs in members of its own. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  const properties: PlainProperties<vscode.QuickPick<T>> = {
    title: plain,
    placeholder: plain,
    items: (items) => items.map(plainItem),
  };
  return withPlainProperties(vscode.window.createQuickPick<T>(), properties);
}

/**
 * Shows a box until an answer, or undefined once it is hidden, and then disposes of it.
 * @param listen sets the events that lead to an answer
 */
export async function untilAnswered<T>(
  box: vscode.QuickInput,
  listen: (resolve: (answer: T) => void, reject: (error: unknown) => void) => void,
): Promise<T | undefined> {
  let isOver = false;
  try {
    return await new Promise<T | undefined>((resolve, reject) => {
      box.onDidHide(() => {
        if (!interrupting) return resolve(undefined);
        const again = () => void (isOver || box.show());
        interrupting.then(again, again);
      });
      listen(resolve, reject);
      box.show();
    });
  } finally {
    isOver = true;
    box.dispose();
  }
}

function plainItem<T extends vscode.QuickPickItem>(item: T): T {
  return plainOptions<T>(item, {
    label: plainLine,
    description: plain,
    detail: plain,
  } as PlainProperties<vscode.QuickPickItem> as PlainProperties<T>);
}

function plainValidation(validation: Validation): Validation {
  if (typeof validation === 'string') return plainLine(validation);
  return validation && { ...validation, message: plainLine(validation.message) };
}
