import type * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';

/** The dataset that was used last in an environment. */
export function lastDataset(memory: vscode.Memento, baseUrl: string): Dataset | undefined {
  return memory.get<Dataset>(`scopes.last.${baseUrl}`);
}

export async function rememberDataset(
  memory: vscode.Memento,
  { baseUrl, model, scope }: Dataset,
): Promise<void> {
  await memory.update(`scopes.last.${baseUrl}`, { baseUrl, model, scope });
}
