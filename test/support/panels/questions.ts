import type * as vscode from 'vscode';
import { EventEmitter, InputBoxValidationSeverity } from './values';

type Item = vscode.QuickPickItem;
type Validation = string | vscode.InputBoxValidationMessage | null | undefined;

/** A question that the window shows: a picker, an input box, a file dialog or a modal message. */
export interface Question {
  readonly kind: 'pick' | 'input' | 'save' | 'open' | 'dialog';
  /** Title, placeholder, prompt or message, and detail: a test finds the question by a part of them. */
  readonly text: string;
  /** Labels of the items or buttons, separators left out. */
  readonly choices: readonly string[];
  /** Labels between the items. */
  readonly separators: readonly string[];
  /** Input boxes: the problem with the text entered last. */
  readonly validation?: string | undefined;
  /** Input boxes: the text shown at first. Dialogs of files: the path that they offer. */
  readonly value?: string | undefined;
  readonly isPassword?: boolean;
  /** Chooses the first item or button with a matching label. */
  pick(label: string | RegExp): void;
  /** Enters a text and accepts it; the question stays while the text is not valid. */
  enter(text: string): Promise<void>;
  /** Boxes with steps: goes back to the question before. */
  back?(): void;
  /** Input boxes: presses the button in the title that has this tooltip. */
  press?(tooltip: RegExp): void;
  /** Lists of several answers: selects one more. */
  tick?(label: string): void;
  /** Lists of several answers: accepts those that are selected. */
  accept?(): void;
  /** Lists of several answers: labels of those that are selected. */
  readonly selected?: readonly string[];
  choose(...files: readonly vscode.Uri[]): void;
  cancel(): void;
}

/** The questions that are open, the newest last. */
export class Questions {
  readonly #open: Question[] = [];
  readonly changed = new EventEmitter<void>();

  get open(): readonly Question[] {
    return this.#open;
  }

  add(question: Question): void {
    this.#open.push(question);
    this.changed.fire();
  }

  remove(question: Question): void {
    const at = this.#open.indexOf(question);
    if (at >= 0) this.#open.splice(at, 1);
    this.changed.fire();
  }

  showQuickPick = async (
    items: readonly Item[] | Thenable<readonly Item[]>,
    options: vscode.QuickPickOptions = {},
  ): Promise<unknown> => {
    const offered = await items;
    return new Promise((resolve) => {
      const chosen = (item: Item) => (options.canPickMany ? [item] : item);
      const question = this.#pick(joined(options.title, options.placeHolder), offered, (item) => {
        this.remove(question);
        resolve(item && chosen(item));
      });
      this.add(question);
    });
  };

  createQuickPick = (): unknown => {
    const events = eventsOf('Accept', 'Hide', 'ChangeValue', 'ChangeSelection', 'ChangeActive');
    const triggered = new EventEmitter<unknown>();
    let question: Question | undefined;
    const hide = () => {
      if (!question) return;
      this.remove(question);
      question = undefined;
      events.emitters.Hide.fire(undefined);
    };
    const picker = {
      ...events.listeners,
      onDidTriggerButton: triggered.event,
      onDidTriggerItemButton: triggered.event,
      items: [] as readonly Item[],
      ...{ value: '', title: '', placeholder: '', busy: false, enabled: true },
      buttons: [] as readonly unknown[],
      ...{ matchOnDescription: false, matchOnDetail: false },
      ...{ selectedItems: [] as readonly Item[], activeItems: [] as readonly Item[] },
      show: () => {
        if (question) return;
        const own = this;
        const offered = () =>
          own.#pick(
            '',
            picker.items.filter((item) => isShown(item, picker)),
            choose,
          );
        const choose = (item: Item | undefined) => {
          if (!item) return hide();
          picker.activeItems = [item];
          picker.selectedItems = [item];
          events.emitters.ChangeActive.fire([item]);
          events.emitters.ChangeSelection.fire([item]);
          events.emitters.Accept.fire(undefined);
        };
        question = {
          kind: 'pick',
          get text() {
            return joined(picker.title, picker.placeholder);
          },
          get choices() {
            return offered().choices;
          },
          get separators() {
            return offered().separators;
          },
          pick: (label) => offered().pick(label),
          enter: async (text) => {
            picker.value = text;
            events.emitters.ChangeValue.fire(text);
          },
          choose: () => notOf('a picker'),
          back: () => triggered.fire(picker.buttons[0]),
          tick: (label) => {
            picker.selectedItems = [
              ...picker.selectedItems,
              ...picker.items.filter((item) => item.label === label),
            ];
            events.emitters.ChangeSelection.fire(picker.selectedItems);
          },
          accept: () => events.emitters.Accept.fire(undefined),
          get selected() {
            return picker.selectedItems.map(({ label }) => label);
          },
          cancel: hide,
        };
        this.add(question);
      },
      hide,
      dispose: hide,
    };
    return picker;
  };

  showInputBox = (options: vscode.InputBoxOptions = {}): Promise<string | undefined> =>
    new Promise((resolve) => {
      const question = this.#input(
        joined(options.title, options.prompt, options.placeHolder),
        options,
        async (text) => (await options.validateInput?.(text)) ?? undefined,
        (text) => {
          this.remove(question);
          resolve(text);
        },
      );
      this.add(question);
    });

  createInputBox = (): unknown => {
    const events = eventsOf('Accept', 'Hide', 'ChangeValue');
    const triggered = new EventEmitter<unknown>();
    let question: Question | undefined;
    const hide = () => {
      if (!question) return;
      this.remove(question);
      question = undefined;
      events.emitters.Hide.fire(undefined);
    };
    const box = {
      ...events.listeners,
      onDidTriggerButton: triggered.event,
      ...{ value: '', title: '', prompt: '', placeholder: '', password: false, buttons: [] },
      validationMessage: undefined as Validation,
      ...{ busy: false, enabled: true },
      show: () => {
        if (question) return;
        question = this.#input(
          '',
          box,
          async (text) => {
            box.value = text;
            events.emitters.ChangeValue.fire(text);
            return undefined;
          },
          (text) => (text === undefined ? hide() : events.emitters.Accept.fire(undefined)),
        );
        Object.defineProperties(question, {
          text: { get: () => joined(box.title, box.prompt, box.placeholder) },
          validation: { get: () => messageOf(box.validationMessage) },
          value: { get: () => box.value },
          back: { value: () => triggered.fire(box.buttons[0]) },
          press: {
            value: (wanted: RegExp) =>
              triggered.fire(box.buttons.find(({ tooltip }) => wanted.test(tooltip ?? ''))),
          },
        });
        this.add(question);
      },
      hide,
      dispose: hide,
    };
    return box;
  };

  showDialog = (
    kind: 'save' | 'open',
    title: string,
    offered: string | undefined,
    resolve: (files: readonly vscode.Uri[]) => void,
  ): void => {
    const end = (files: readonly vscode.Uri[]) => {
      this.remove(question);
      resolve(files);
    };
    const question: Question = {
      ...{ kind, text: title, choices: [], separators: [], value: offered },
      pick: () => notOf('a file dialog'),
      enter: async () => notOf('a file dialog'),
      choose: (...files) => end(files),
      cancel: () => end([]),
    };
    this.add(question);
  };

  showModal = (
    text: string,
    buttons: readonly (string | vscode.MessageItem)[],
    resolve: (button: unknown) => void,
  ): void => {
    const label = (button: string | vscode.MessageItem) =>
      typeof button === 'string' ? button : button.title;
    const end = (button: unknown) => {
      this.remove(question);
      resolve(button);
    };
    const question: Question = {
      ...{ kind: 'dialog', text, choices: buttons.map(label), separators: [] },
      pick: (wanted) => end(buttons[indexOf(buttons.map(label), wanted)]),
      enter: async () => notOf('a dialog'),
      choose: () => notOf('a dialog'),
      cancel: () => end(undefined),
    };
    this.add(question);
  };

  #pick(text: string, items: readonly Item[], choose: (item: Item | undefined) => void): Question {
    const separator = -1;
    const offered = items.filter(({ kind }) => kind !== separator);
    const choices = offered.map(({ label }) => label);
    const separators = items.filter(({ kind }) => kind === separator).map(({ label }) => label);
    return {
      ...{ kind: 'pick', text, choices, separators },
      pick: (label) => choose(offered[indexOf(choices, label)]),
      enter: async () => notOf('a list of items'),
      choose: () => notOf('a list of items'),
      cancel: () => choose(undefined),
    };
  }

  #input(
    text: string,
    { value, password }: Pick<vscode.InputBoxOptions, 'value' | 'password'>,
    validate: (text: string) => Promise<Validation>,
    accept: (text: string | undefined) => void,
  ): Question {
    let validation: string | undefined;
    const changed = this.changed;
    return {
      ...{ kind: 'input', text, choices: [], separators: [], value, isPassword: password === true },
      get validation() {
        return validation;
      },
      pick: () => notOf('an input box'),
      choose: () => notOf('an input box'),
      enter: async (entered) => {
        const outcome = await validate(entered);
        validation = messageOf(outcome);
        if (!refuses(outcome)) accept(entered);
        changed.fire();
      },
      cancel: () => accept(undefined),
    };
  }
}

/** Whether a picker shows an item beside the typed text. VS Code also finds letters that are not together. */
function isShown(
  { label, description = '', detail = '', kind, alwaysShow }: Item,
  picker: Pick<vscode.QuickPick<Item>, 'value' | 'matchOnDescription' | 'matchOnDetail'>,
): boolean {
  if (alwaysShow || kind !== undefined) return true;
  const texts = [label, picker.matchOnDescription ? description : '', picker.matchOnDetail ? detail : ''];
  return texts.some((text) => text.toLowerCase().includes(picker.value.trim().toLowerCase()));
}

/** Notes and warnings beside a text do not keep it from being entered. */
function refuses(validation: Validation): boolean {
  if (!validation) return false;
  return typeof validation === 'string' || validation.severity === InputBoxValidationSeverity.Error;
}

function messageOf(validation: Validation): string | undefined {
  if (!validation) return undefined;
  return typeof validation === 'string' ? validation : validation.message;
}

export function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n');
}

function indexOf(labels: readonly string[], wanted: string | RegExp): number {
  const at = labels.findIndex((label) =>
    typeof wanted === 'string' ? label === wanted : wanted.test(label),
  );
  if (at < 0) throw new Error(`There is no ${wanted} among ${JSON.stringify(labels)}.`);
  return at;
}

function notOf(what: string): never {
  throw new Error(`This is ${what}.`);
}

function eventsOf<const Names extends string>(...names: readonly Names[]) {
  const emitters = Object.fromEntries(names.map((name) => [name, new EventEmitter<unknown>()])) as Record<
    Names,
    EventEmitter<unknown>
  >;
  const listeners = Object.fromEntries(names.map((name) => [`onDid${name}`, emitters[name].event]));
  return { emitters, listeners };
}
