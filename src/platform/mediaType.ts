import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type MediaType, mediaTypeOf } from '../domain/media';

const REMEMBERED = 'modelBench.mediaTypes';

/** One question at a time, and one for all files of an ending: a folder's uploads begin together. */
let asking: Promise<unknown> = Promise.resolve();
/** Files without an ending say nothing of one another beyond this session. */
let withoutEnding: MediaType | undefined;

/** The user did not say what kind of media a file is: it is not uploaded, for a guess may cost a run. */
export class MediaTypeNotChosen extends Error {
  override readonly name = 'MediaTypeNotChosen';
  constructor(filename: string) {
    super(
      vscode.l10n.t(
        'The kind of media of “{0}” was not chosen, so it was not uploaded. Try again.',
        filename,
      ),
    );
  }
}

/**
 * The `media_type` of section 2.3 for a file: as its MIME type says, else as the user said for its ending, else asked.
 * @param contentType as its name tells; undefined when that tells nothing
 * @throws MediaTypeNotChosen
 */
export async function chosenMediaType(
  filename: string,
  contentType: string | undefined,
  memory: vscode.Memento,
): Promise<MediaType> {
  const told = mediaTypeOf(contentType) ?? remembered(filename, memory);
  if (told) return told;
  const response = asking.then(async () => {
    const told = remembered(filename, memory);
    if (told) return told;
    const chosen = await ask(filename);
    if (!chosen) throw new MediaTypeNotChosen(filename);
    await remember(filename, chosen, memory);
    return chosen;
  });
  asking = response.catch(() => undefined);
  return response;
}

function endingOf(filename: string): string {
  return posix.extname(filename).toLowerCase();
}

function remembered(filename: string, memory: vscode.Memento): MediaType | undefined {
  const ending = endingOf(filename);
  return ending === '' ? withoutEnding : memory.get<Record<string, MediaType>>(REMEMBERED, {})[ending];
}

async function remember(filename: string, chosen: MediaType, memory: vscode.Memento): Promise<void> {
  const ending = endingOf(filename);
  if (ending === '') withoutEnding = chosen;
  else await memory.update(REMEMBERED, { ...memory.get(REMEMBERED, {}), [ending]: chosen });
}

async function ask(filename: string): Promise<MediaType | undefined> {
  const ending = endingOf(filename);
  const kind = (label: string, icon: string, mediaType: MediaType) => ({
    label,
    description: mediaType,
    iconPath: new vscode.ThemeIcon(icon),
    mediaType,
  });
  const chosen = await vscode.window.showQuickPick(
    [
      kind(vscode.l10n.t('Image'), 'file-media', 'image'),
      kind(vscode.l10n.t('Audio'), 'unmute', 'audio'),
      kind(vscode.l10n.t('Video'), 'device-camera-video', 'video'),
      kind(vscode.l10n.t('File'), 'file', 'file'),
    ],
    {
      title: vscode.l10n.t('What kind of media is “{0}”?', filename),
      placeHolder:
        ending === ''
          ? vscode.l10n.t('Its name does not tell. The response holds until the window is closed.')
          : vscode.l10n.t('Its name does not tell. The response is remembered for all “{0}” files.', ending),
      ignoreFocusOut: true,
    },
  );
  return chosen?.mediaType;
}
