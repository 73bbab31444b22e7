import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { ModelContract } from '../../domain/model';
import { type ContractUse, contractUse } from '../../runFiles/changed';
import type { ReadRunFile } from '../../runFiles/read';
import { makePrivateFolder, writePrivateFile } from '../../vscode/privateFiles';
import { workspaceStorage } from '../workspace';

const lastUse = z.object({
  model: z.string(),
  baseUrl: z.string(),
  use: z.object({ known: z.array(z.string()), problems: z.array(z.string()) }),
  /** Of the history, newest first. */
  runs: z.array(z.string()),
});
type LastUse = z.infer<typeof lastUse>;

/** Two are compared with one another. */
const RUNS_KEPT = 2;

/**
 * The parts of their models that run files used when they last ran in this workspace: a small file for each, in the
 * storage of the extension, so that the repository gets no unwanted files.
 */
export class RunFileUses {
  constructor(private readonly folder: string | undefined) {}

  /** The parts of its model's contract that a file used when it last ran there; undefined before the first run. */
  async of(uri: vscode.Uri, model: string, baseUrl: string): Promise<ContractUse | undefined> {
    const last = await this.#read(uri);
    return last?.model === model && last.baseUrl === baseUrl ? last.use : undefined;
  }

  /** Ids of the file's last runs in the history, newest first. */
  async runs(uri: vscode.Uri): Promise<readonly string[]> {
    return (await this.#read(uri))?.runs ?? [];
  }

  /** A file was run. */
  async note(
    uri: vscode.Uri,
    file: ReadRunFile,
    contract: ModelContract,
    run: { readonly id: string; readonly baseUrl: string },
  ): Promise<void> {
    const path = this.#path(uri);
    if (path === undefined) return;
    const before = await this.#read(uri);
    const runs = [run.id, ...(before?.runs ?? []).filter((id) => id !== run.id)].slice(0, RUNS_KEPT);
    const { known, problems } = contractUse(file, contract);
    const use = { known: [...known], problems: [...problems] };
    const last: LastUse = { model: contract.slug, baseUrl: run.baseUrl, use, runs };
    await makePrivateFolder(dirname(path));
    await writePrivateFile(path, JSON.stringify(last));
  }

  async #read(uri: vscode.Uri): Promise<LastUse | undefined> {
    const path = this.#path(uri);
    if (path === undefined) return undefined;
    try {
      return lastUse.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
    } catch {
      return undefined;
    }
  }

  #path(uri: vscode.Uri): string | undefined {
    const name = createHash('sha256').update(uri.toString()).digest('hex').slice(0, 32);
    return this.folder === undefined ? undefined : join(this.folder, 'runFiles', `${name}.json`);
  }
}

/** The uses of this workspace; a window without a folder remembers none. */
export function runFileUses(context: vscode.ExtensionContext): RunFileUses {
  return new RunFileUses(workspaceStorage(context)?.fsPath);
}
