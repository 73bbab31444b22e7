import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A quiet window: nothing opens, asks or reports by itself. */
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
