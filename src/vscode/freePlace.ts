import * as vscode from 'vscode';
import { fileFacts } from './fileFacts';

/** A place for a new file, with a number behind its name where that is taken: "photos-2.experiment.json". */
export async function freePlace(folder: vscode.Uri, name: string, ending: string): Promise<vscode.Uri> {
  for (let number = 1; ; number++) {
    const place = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}${ending}`);
    if (!(await fileFacts(place))) return place;
  }
}
