import type * as vscode from 'vscode';

/** A terminal with a program of the extension, its output, and the keys that a user types. */
export class StandInTerminal {
  text = '';
  isOpen = false;

  constructor(
    readonly name: string,
    private readonly pty: vscode.Pseudoterminal,
  ) {
    pty.onDidWrite((text) => (this.text += text));
    pty.onDidClose?.(() => this.dispose());
  }

  show(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.pty.open(undefined);
  }

  type(key: string): void {
    this.pty.handleInput?.(key);
  }

  dispose(): void {
    this.isOpen = false;
    this.pty.close();
  }
}
