import { mkdir, writeFile } from 'node:fs/promises';
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
  // What moves by itself is drawn by the processor here: half of what a command takes.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'modelBench.openModelAfterConnecting': false,
  'files.simpleDialog.enable': true,
} as const;

export async function writeUserSettings(
  userDataFolder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = path.join(userDataFolder, 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}
