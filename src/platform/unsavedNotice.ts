import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withProgress } from '../vscode/messages/notifications';

/** A notification for as long as responses are held in memory that could not be saved. */
export class UnsavedNotice {
  #report: ((text: string) => void) | undefined;
  #close: (() => void) | undefined;

  /** @param text how many there are and why; undefined: all are saved */
  show(text: string | undefined): void {
    if (text === undefined) {
      this.#close?.();
      this.#close = undefined;
      this.#report = undefined;
      return;
    }
    if (this.#close) {
      this.#report?.(text);
      return;
    }
    const closed = new Promise<void>((resolve) => {
      this.#close = resolve;
    });
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Responses not saved yet'),
    };
    void withProgress(options, (progress) => {
      this.#report = (message) => progress.report({ message });
      this.#report(text);
      return closed;
    });
  }
}
