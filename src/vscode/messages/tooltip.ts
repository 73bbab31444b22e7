import * as vscode from 'vscode';
import { markdownText, plainLine } from '../../wording/plainText';
import { thumbnail } from './editorTexts';

interface TooltipParts {
  readonly code?: { readonly text: string; readonly language: string };
  /** A file of the user's, shown at a bounded height. */
  readonly picture?: vscode.Uri | undefined;
}

/** A tooltip of a bold heading, lines, a picture, and a block of code. */
export function tooltip(
  heading: string,
  lines: readonly string[],
  { code, picture }: TooltipParts = {},
): vscode.MarkdownString {
  const bold = oneLine(heading);
  const blocks = [
    // Four asterisks without a text would be a rule.
    ...(bold === '' ? [] : [`**${bold}**`]),
    lines
      .map(oneLine)
      .filter((line) => line !== '')
      .join('  \n'),
    ...(picture ? [thumbnail(picture).value] : []),
    ...(code ? [fenced(code.text, code.language)] : []),
  ];
  return new vscode.MarkdownString(blocks.join('\n\n'));
}

const oneLine = (text: string) => markdownText(text, ' ').trim();

/** The fence is longer than any in the text, which therefore cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...text.split('\n').map(plainLine), fence].join('\n');
}
