import { cp, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type AgentClient,
  agentClients,
  entryText,
  type ServerEntry,
  withEntry,
} from '../../../agents/clients';
import { readFileAt, replaceFile } from '../../../experiments/files/door';
import { textOfFile } from '../../../runFiles/text';
import type { Services } from '../../../services';
import { isConfirmed } from '../../../vscode/dialogs';
import { showQuickPick } from '../../../vscode/messages/inputs';
import { showInformationMessage, showWarningMessage } from '../../../vscode/messages/notifications';
import { scriptsOf, windowsFolder } from './listenInWindow';

const LONGEST_FILE = 4 * 2 ** 20;

/**
 * Connect Other Agents…: shows the entry of a client, and writes it only after a question. The entry has no key: an open
 * window does the calls.
 * @param listen makes this window, and every later one, wait for calls
 */
export async function connectAgents({ context }: Services, listen: () => Promise<void>): Promise<void> {
  const entry = entryOf(context);
  const clients = agentClients(homedir(), process.platform, process.env);
  const picked = await showQuickPick(
    [
      ...clients.map((client) => ({
        label: client.label,
        description: client.file?.path ?? l10n.t('a command for the terminal'),
        client,
      })),
      {
        label: l10n.t('Another client'),
        description: l10n.t('copies the entry'),
        client: { label: '', file: { path: '', format: 'json' as const } },
      },
    ],
    { title: l10n.t('Connect Other Agents'), placeHolder: l10n.t('Choose the program with the agent') },
  );
  if (!picked) return;
  const { client } = picked;
  const isAdded = await addEntry(client, entry);
  if (!isAdded) return;
  await listen();
  await offerSkill(client, context);
  void showInformationMessage(
    l10n.t(
      'Start the agent again to use the tools. An open window of VS Code does its calls. Paid calls need “Agent Spending…”.',
    ),
  );
}

function entryOf(context: vscode.ExtensionContext): ServerEntry {
  const [folder] = scriptsOf(context);
  const args = ['mcp', '--window', windowsFolder(context)];
  // Node.js starts scripts of Command Prompt only through it.
  return process.platform === 'win32'
    ? { command: 'cmd', args: ['/d', '/c', join(folder, 'model-bench.cmd'), ...args] }
    : { command: join(folder, 'model-bench'), args };
}

/** Whether the user has the entry: in the client's file, or on the clipboard. */
async function addEntry(client: AgentClient, entry: ServerEntry): Promise<boolean> {
  const text = entryText(client, entry);
  const lines = text.split('\n');
  const { file, label } = client;
  const copy = async () => {
    await vscode.env.clipboard.writeText(text);
    return true;
  };
  if (file === undefined || file.path === '')
    return (await isConfirmed(
      file === undefined
        ? l10n.t('Run this command in a terminal to connect {0}.', label)
        : l10n.t('Add this entry to the settings of the client.'),
      lines,
      l10n.t('Copy'),
    ))
      ? copy()
      : false;
  const before = await readFileAt(file.path, LONGEST_FILE);
  const after = withEntry(file, before && textOfFile(before.bytes), entry);
  if (after === undefined) {
    const question = l10n.t(
      '“{0}” has an entry of this name already, or is not understood. Change it yourself.',
      file.path,
    );
    return (await isConfirmed(question, lines, l10n.t('Copy'))) ? copy() : false;
  }
  const [add, copyOnly] = [l10n.t('Add'), l10n.t('Copy')];
  const answer = await showWarningMessage(
    l10n.t('Add this entry to “{0}”?', file.path),
    { modal: true, detail: lines },
    add,
    copyOnly,
  );
  if (answer === copyOnly) return copy();
  if (answer !== add) return false;
  await mkdir(dirname(file.path), { recursive: true });
  await replaceFile(file.path, after, 0o600);
  return true;
}

/** Copies the skill for the client, after a question. */
async function offerSkill({ skills }: AgentClient, { extensionUri }: vscode.ExtensionContext): Promise<void> {
  if (skills === undefined) return;
  const target = join(skills, 'model-bench');
  const isWanted = await isConfirmed(
    l10n.t('Copy the skill of Model Bench to “{0}”?', target),
    l10n.t('It explains run files, experiments and results to the agent.'),
    l10n.t('Copy Skill'),
  );
  if (!isWanted) return;
  await mkdir(skills, { recursive: true });
  await cp(join(extensionUri.fsPath, 'skills', 'model-bench'), target, { recursive: true });
}
