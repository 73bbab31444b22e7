import * as vscode from 'vscode';
import { plainLine, plainLines } from '../../wording/plainText';

/** As VS Code's, but lines of a dialog's detail are a list: a line break in a text is not ours. */
interface MessageOptions extends Omit<vscode.MessageOptions, 'detail'> {
  readonly detail?: string | readonly string[];
}

type Show = <T extends string | vscode.MessageItem>(
  message: string,
  ...rest: readonly (MessageOptions | T)[]
) => Promise<T | undefined>;

/**
 * VS Code's messages, with text that is only text. Features call these, never `vscode.window`
 * (test/unit/plainTexts.test.ts).
 */
export const showInformationMessage: Show = (message, ...rest) =>
  show(vscode.window.showInformationMessage, message, rest);
export const showWarningMessage: Show = (message, ...rest) =>
  show(vscode.window.showWarningMessage, message, rest);
export const showErrorMessage: Show = (message, ...rest) =>
  show(vscode.window.showErrorMessage, message, rest);

/** @returns the chosen button itself */
async function show<T extends string | vscode.MessageItem>(
  how: typeof vscode.window.showInformationMessage,
  message: string,
  rest: readonly (MessageOptions | T)[],
): Promise<T | undefined> {
  const [first, ...others] = rest;
  const hasOptions = typeof first === 'object' && !('title' in first);
  const given = (hasOptions ? others : rest) as readonly T[];
  const { detail, ...options } = hasOptions ? first : {};
  const buttons = given.map((item) => ({
    ...(isItem(item) ? (item as vscode.MessageItem) : {}),
    title: plainLine(isItem(item) ? item.title : item),
  }));
  const chosen = await how(
    plainLine(message),
    { ...options, ...(detail !== undefined && { detail: plainLines(detail) }) },
    ...buttons,
  );
  return chosen && given[buttons.indexOf(chosen)];
}

/** Shows progress: its title and every report are plain. */
export function withProgress<T>(
  { title, ...options }: vscode.ProgressOptions,
  task: (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<T>,
): Thenable<T> {
  const shown = { ...options, ...(title !== undefined && { title: plainLine(title) }) };
  return vscode.window.withProgress(shown, (progress, token) =>
    task(
      {
        report: ({ message, ...step }) =>
          progress.report({ ...step, ...(message !== undefined && { message: plainLine(message) }) }),
      },
      token,
    ),
  );
}

function isItem(item: string | vscode.MessageItem): item is vscode.MessageItem {
  return typeof item === 'object';
}
