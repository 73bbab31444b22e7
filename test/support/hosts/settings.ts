import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A quiet window: nothing opens, asks, reports or moves by itself. */
export const quietSettings = {
  'security.workspace.trust.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'window.autoDetectColorScheme': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // The processor draws animations here: half the cost of a command.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'modelBench.openModelAfterConnecting': false,
  'files.simpleDialog.enable': true,
} as const;

/**
 * Writes the user's settings. The extension's own settings also into those of the machine: most have its scope, and
 * the window of a browser is a remote one, in which VS Code takes such settings from the user's file only while it
 * does not know their scope yet.
 */
export async function writeUserSettings(
  userDataFolder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const own = Object.entries(settings).filter(([name]) => name.startsWith('modelBench.'));
  await writeSettings(path.join(userDataFolder, 'User'), settings);
  await writeSettings(path.join(userDataFolder, 'Machine'), Object.fromEntries(own));
}

async function writeSettings(folder: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

export async function readUserSettings(userDataFolder: string): Promise<Record<string, unknown>> {
  const read = async (folder: string) =>
    JSON.parse(await readFile(path.join(userDataFolder, folder, 'settings.json'), 'utf8')) as Record<
      string,
      unknown
    >;
  return { ...(await read('User')), ...(await read('Machine')) };
}
