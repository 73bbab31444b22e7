import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type MediaType, mediaTypeOf } from '../domain/media';
import { showQuickPick } from '../vscode/messages/inputs';

const REMEMBERED = 'modelBench.mediaTypes';

/** One question at a time, and one for all files of an ending: a folder's uploads begin together. */
let asking: Promise<unknown> = Promise.resolve();
/** The choice for files without an extension is not kept beyond this session. */
let withoutEnding: MediaType | undefined;

/** The user chose no media type for a file: it is not uploaded, because a wrong guess may cost a run. */
export class MediaTypeNotChosen extends Error {
  override readonly name = 'MediaTypeNotChosen';
  constructor(filename: string) {
    super(l10n.t('No media type was chosen for “{0}”, so it was not uploaded. Try again.', filename));
  }
}

/**
 * The `media_type` of section 2.3 for a file: from its MIME type, else the user's earlier choice for its extension,
 * else asked.
 * @param contentType from its name; undefined when the name has no known extension
 * @throws MediaTypeNotChosen
 */
export async function chosenMediaType(
  filename: string,
  contentType: string | undefined,
  memory: vscode.Memento,
): Promise<MediaType> {
  const known = mediaTypeOf(contentType) ?? remembered(filename, memory);
  if (known) return known;
  const question = asking.then(async () => {
    const known = remembered(filename, memory);
    if (known) return known;
    const chosen = await ask(filename);
    if (!chosen) throw new MediaTypeNotChosen(filename);
    await remember(filename, chosen, memory);
    return chosen;
  });
  asking = question.catch(() => undefined);
  return question;
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
  const placeHolder =
    ending === ''
      ? l10n.t(
          'The type cannot be determined from the file name. Your choice applies until the window is closed.',
        )
      : l10n.t(
          'The type cannot be determined from the file name. Your choice is remembered for all “{0}” files.',
          ending,
        );
  const chosen = await showQuickPick(
    [
      kind(l10n.t('Image'), 'file-media', 'image'),
      kind(l10n.t('Audio'), 'unmute', 'audio'),
      kind(l10n.t('Video'), 'device-camera-video', 'video'),
      kind(l10n.t('File'), 'file', 'file'),
    ],
    { title: l10n.t('Which media type is “{0}”?', filename), placeHolder, ignoreFocusOut: true },
  );
  return chosen?.mediaType;
}
