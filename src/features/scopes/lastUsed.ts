import type * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';

/** Remembers what was used last, for each environment. */
export class LastUsed {
  constructor(private readonly memento: vscode.Memento) {}

  get(baseUrl: string): Dataset | undefined {
    return this.memento.get<Dataset>(`scopes.last.${baseUrl}`);
  }

  async set(dataset: Dataset): Promise<void> {
    const { baseUrl, model, scope } = dataset;
    await this.memento.update(`scopes.last.${baseUrl}`, { baseUrl, model, scope });
  }
}
