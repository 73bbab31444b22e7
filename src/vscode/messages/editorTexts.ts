import * as vscode from 'vscode';
import { markdownText, plainLine } from '../../wording/plainText';
import { plain } from './plainProperties';

/**
 * A text of a service in a hover or beside a completion, shown literally: otherwise a picture would be loaded, a link
 * followed.
 */
export function plainMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(markdownText(text));
}

/**
 * A file of the user's as a picture in a hover. `toString` percent-encodes all of a name except the part after a
 * colon in that of a machine (`//server: x`), so no part of an address ends the picture. Half of a surrogate pair,
 * which it would throw at, is no part of any file's name on disk, nor of a machine's.
 */
export function thumbnail(uri: vscode.Uri): vscode.MarkdownString {
  const named = uri.with({ authority: uri.authority.toWellFormed(), path: uri.path.toWellFormed() });
  const address = named.toString().replace(/[^\w.~:/?#@!$&*+,;=%-]/gu, percentEncoded);
  return new vscode.MarkdownString(`![](${address}|height=120)`);
}

/** Parentheses and quotes too, which `encodeURIComponent` leaves unchanged. */
function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
}

/** Names a test in the Test Explorer: `description` is shown beside its label. */
export function nameTest(item: vscode.TestItem, label: string, description?: string): void {
  item.label = plainLine(label);
  item.description = plain(description);
}

/** The message of a test that did not pass, with the values that differ; those are shown as text files. */
export function testMessage(
  text: string,
  values?: { readonly wanted: string; readonly got: string },
): vscode.TestMessage {
  const plain = plainLine(text);
  return values ? vscode.TestMessage.diff(plain, values.wanted, values.got) : new vscode.TestMessage(plain);
}
