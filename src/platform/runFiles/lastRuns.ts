import type * as vscode from 'vscode';

/** Ids of the last two runs of a run file in the history, newest first: they are compared with one another. */
export function lastRunsOf(memory: vscode.Memento, file: vscode.Uri): readonly string[] {
  return memory.get<readonly string[]>(keyOf(file), []);
}

/** A file was run. */
export async function noteRunOf(memory: vscode.Memento, file: vscode.Uri, id: string): Promise<void> {
  const others = lastRunsOf(memory, file).filter((one) => one !== id);
  await memory.update(keyOf(file), [id, ...others].slice(0, 2));
}

function keyOf(file: vscode.Uri): string {
  return `runFile.runs.${file.toString()}`;
}
