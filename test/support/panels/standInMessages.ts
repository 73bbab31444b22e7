import type * as vscode from 'vscode';
import { joined, type Questions } from './questions';
import { EventEmitter } from './values';

/** A message in the corner of the window. */
export interface Notification {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly buttons: readonly string[];
  press(button: string): void;
  /** Closes it without a choice. */
  close(): void;
}

/** The messages in the corner of a window; a modal message is a question. */
export class StandInMessages {
  readonly open: Notification[] = [];
  readonly changed = new EventEmitter<void>();

  constructor(private readonly questions: Questions) {}

  /** The function of `vscode.window` that shows messages of a level. */
  show(level: Notification['level']) {
    return async (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
      const [first] = rest;
      const hasOptions = typeof first === 'object' && first !== null && !('title' in first);
      const options = (hasOptions ? first : {}) as vscode.MessageOptions;
      const buttons = (hasOptions ? rest.slice(1) : rest) as readonly (string | vscode.MessageItem)[];
      return new Promise((resolve) => {
        if (options.modal) {
          this.questions.showModal(joined(text, options.detail), buttons, resolve);
          return;
        }
        const labels = buttons.map((button) => (typeof button === 'string' ? button : button.title));
        const end = (button: unknown) => {
          this.open.splice(this.open.indexOf(notification), 1);
          resolve(button);
          this.changed.fire();
        };
        const notification: Notification = {
          ...{ level, text, buttons: labels },
          press: (button) => {
            if (!labels.includes(button)) throw new Error(`“${text}” offers ${labels.join(', ')}.`);
            end(buttons[labels.indexOf(button)]);
          },
          close: () => end(undefined),
        };
        this.open.push(notification);
        this.changed.fire();
      });
    };
  }
}
