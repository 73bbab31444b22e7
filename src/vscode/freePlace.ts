import * as vscode from 'vscode';
import { fileFacts } from './fileFacts';

/**
 * A place for a new file, with a number behind its name where that is taken: "photos-2.experiment.json".
 * @param fits whether a file that is there can be used instead; missing: none can
 */
export async function freePlace(
  folder: vscode.Uri,
  name: string,
  ending: string,
  fits?: (place: vscode.Uri) => Promise<boolean>,
): Promise<vscode.Uri> {
  for (let number = 1; ; number++) {
    const place = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}${ending}`);
    if (!(await fileFacts(place)) || (await fits?.(place))) return place;
  }
}
