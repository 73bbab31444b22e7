import assert from 'node:assert/strict';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import * as vscode from 'vscode';
import {
  createInputBox,
  createQuickPick,
  showInputBox,
  showQuickPick,
} from '../../src/vscode/messages/inputs';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
  withProgress,
} from '../../src/vscode/messages/notifications';
import { createWebviewPanel } from '../../src/vscode/messages/panels';
import { StatusBarItem } from '../../src/vscode/messages/statusBarItem';
import { tooltip } from '../../src/vscode/messages/tooltip';
import { createTreeView, treeRow } from '../../src/vscode/messages/views';
import { hostileText, isPlain } from '../support/hostileText';

const RUNS = { numRuns: 300 };

type Window = Record<string, (...args: never[]) => unknown>;

/** Calls with hostile texts, and all that VS Code's window was then given, by the function of its that got it. */
async function given(name: keyof typeof vscode.window, call: (text: string) => unknown): Promise<void> {
  const window = vscode.window as unknown as Window;
  const real = window[name]!;
  const got: unknown[] = [];
  window[name] = ((...args: never[]) => {
    const made = answers[name]?.(...args);
    got.push(args, made);
    if (made instanceof Promise) void made.then((value) => got.push(value));
    return made;
  }) as Window[string];
  try {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        got.length = 0;
        await call(text);
        const texts = textsIn(got);
        assert.ok(texts.length > 0, 'VS Code got a text');
        for (const one of texts) assert.ok(isPlain(one), JSON.stringify(one));
      }),
      RUNS,
    );
  } finally {
    window[name] = real;
  }
}

/** The functions' results in place of showing something. */
const answers: Record<string, (...args: never[]) => unknown> = {
  withProgress: (_options: never, task: (progress: unknown, token: unknown) => unknown) => {
    const reports: unknown[] = [];
    void task({ report: (step: unknown) => reports.push(step) }, {});
    return reports;
  },
  createInputBox: () => ({}),
  createQuickPick: () => ({}),
  createTreeView: () => ({ visible: true, onDidChangeVisibility: () => ({}) }),
  createStatusBarItem: () => ({ show: () => undefined }),
  createWebviewPanel: () => ({}),
  showInputBox: (options: vscode.InputBoxOptions) => {
    const said = Promise.resolve(options.validateInput?.('typed'));
    return said.then((message) => ({ message }));
  },
} as never;

/** Every string at any depth; names of views and of panels are ours. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'viewType' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, name));
}

describe('Hostile text in VS Code’s own elements', () => {
  for (const [name, show] of Object.entries({ showInformationMessage, showWarningMessage, showErrorMessage }))
    it(`stays text in ${name}, its detail and its buttons`, async () => {
      await given(name as keyof typeof vscode.window, (text) =>
        show<string | vscode.MessageItem>(text, { modal: true, detail: text }, { title: text }, text),
      );
    });

  it('stays text in progress', async () => {
    await given('withProgress', (text) =>
      withProgress({ location: vscode.ProgressLocation.Notification, title: text }, async (progress) =>
        progress.report({ message: text }),
      ),
    );
  });

  it('stays text in input boxes and their validation', async () => {
    await given('createInputBox', (text) =>
      Object.assign(createInputBox(), {
        title: text,
        prompt: text,
        placeholder: text,
        validationMessage: { message: text, severity: vscode.InputBoxValidationSeverity.Error },
      }),
    );
    await given('showInputBox', (text) =>
      showInputBox({ title: text, prompt: text, placeHolder: text, validateInput: () => text }),
    );
  });

  it('stays text in quick picks', async () => {
    const item = (text: string) => ({ label: text, description: text, detail: text });
    await given('showQuickPick', (text) => showQuickPick([item(text)], { title: text, placeHolder: text }));
    await given('createQuickPick', (text) =>
      Object.assign(createQuickPick(), { title: text, placeholder: text, items: [item(text)] }),
    );
  });

  it('stays text in trees, beside their titles, in tabs and in the status bar', async () => {
    await given('createTreeView', (text) =>
      Object.assign(createTreeView('modelBench.test', { treeDataProvider: {} as never }), {
        description: text,
        message: text,
        title: text,
      }),
    );
    await given('createWebviewPanel', (text) => createWebviewPanel('modelBench.test', text, 1));
    fc.assert(
      fc.property(hostileText, (text) => {
        const command = { command: 'modelBench.showLog', title: text };
        const row = treeRow(text, { description: text, tooltip: [text], command });
        for (const one of textsIn({ ...row })) assert.ok(isPlain(one), JSON.stringify(one));
      }),
      RUNS,
    );
    const real = vscode.window.createStatusBarItem;
    const items: Record<string, unknown>[] = [];
    const window = vscode.window as unknown as Window;
    window.createStatusBarItem = (() => {
      items.push({ show: () => undefined });
      return items.at(-1);
    }) as never;
    try {
      fc.assert(
        fc.property(hostileText, (text) => {
          const look = { icon: 'plug', text, label: text, tooltip: [text], command: 'modelBench.showLog' };
          new StatusBarItem('modelBench.test', 1, text).show(look as never);
          const { text: shown, ...others } = items.at(-1)!;
          assert.ok(String(shown).startsWith('$(plug) '));
          for (const one of [String(shown).slice('$(plug) '.length), ...textsIn(others)])
            assert.ok(isPlain(one), JSON.stringify(one));
        }),
        RUNS,
      );
    } finally {
      window.createStatusBarItem = real as never;
    }
  });

  it('stays text in tooltips of Markdown', () => {
    const read = (text: string, code: string) => {
      const picture = vscode.Uri.file(`/${text}`);
      const made = tooltip(text, [text, text], { code: { text: code, language: 'json' }, picture });
      assert.ok(!made.isTrusted && !made.supportHtml && !made.supportThemeIcons);
      return micromark(made.value, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    };
    fc.assert(
      fc.property(hostileText, hostileText, (text, code) => {
        const html = read(text, code);
        const tags = new Set([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag));
        for (const tag of tags)
          assert.ok(['p', 'strong', 'br', 'pre', 'code', 'img'].includes(tag!), `${tag}: ${html}`);
        // One picture, the file's own; micromark leaves out the address of a file.
        assert.equal([...html.matchAll(/<img/g)].length, 1, html);
      }),
      // The name of a machine, with characters that end an address and begin another.
      {
        ...RUNS,
        examples: ['/: ', '/a:1) [b](https://b.test', '/:"(é<b>|', '\r\n'].map((text) => [text, '']),
      },
    );
    assert.doesNotMatch(
      read('https://evil.test www.evil.test a@evil.test', '```\n[x](https://a.test)'),
      /<a /,
    );
  });
});
