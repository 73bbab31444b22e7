import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { ExperimentSetup, OverRows } from '../../../domain/experimentSetup';
import { ownOf } from '../../../domain/value';
import { itemFaultText } from '../../../experiments/faultText';
import { filesBelow, type ItemFault } from '../../../experiments/items';
import { LARGEST_TABLE, readTable, type Table } from '../../../intake/table';
import { Turns } from '../../../service/turns';

/** How many inputs there are. */
export interface InputCount {
  readonly all: number;
  /** Equal rows are one: they are run once. Contents of files are not compared. */
  readonly distinct: number;
  /** Why there are none, or fewer. */
  readonly problem?: string;
}

/** A folder with many files takes a second to look through, and its files are counted after every key. */
const KEPT_MS = 10_000;
const kept = new Map<string, { readonly at: number; readonly count: Promise<InputCount> }>();

/** Counts what a run goes over; a count is kept for some seconds. */
export function inputCount(over: ExperimentSetup['over']): Promise<InputCount> {
  if (!over) return Promise.resolve({ all: 1, distinct: 1 });
  const key = JSON.stringify(over.kind === 'rows' ? [over.file, over.map] : [over.folder, over.globs]);
  const known = kept.get(key);
  if (known && Date.now() - known.at < KEPT_MS) return known.count;
  const count = over.kind === 'rows' ? rowCount(over) : fileCount(over.folder, over.globs);
  kept.clear();
  kept.set(key, { at: Date.now(), count });
  return count;
}

async function rowCount({ file, map }: OverRows): Promise<InputCount> {
  const { rows, faults } = await tableAt(vscode.Uri.parse(file, true));
  const [first] = faults;
  const columns = Object.values(map);
  const inputs = rows.map(({ values }) => JSON.stringify(columns.map((name) => ownOf(values, name) ?? null)));
  return {
    all: rows.length,
    distinct: new Set(inputs).size,
    ...(first && { problem: itemFaultText(first) }),
  };
}

async function fileCount(folder: string, globs: readonly string[]): Promise<InputCount> {
  const { paths, faults } = await filesBelow(vscode.Uri.parse(folder, true).fsPath, globs);
  const none: ItemFault[] = paths.length === 0 ? [{ fault: 'noFiles', glob: globs.join(', ') }] : [];
  const [first] = [...faults, ...none];
  return { all: paths.length, distinct: paths.length, ...(first && { problem: itemFaultText(first) }) };
}

/** Reads a table; unreadable parts become faults of it. */
export async function tableAt(file: vscode.Uri): Promise<Table> {
  const none = (fault: Table['faults'][number]): Table => ({ columns: [], rows: [], faults: [fault] });
  const facts = await stat(file.fsPath);
  if (!facts.isFile()) return none({ fault: 'kind', extension: extname(file.fsPath) });
  if (facts.size > LARGEST_TABLE) return none({ fault: 'tooLarge', bytes: facts.size, most: LARGEST_TABLE });
  return readTable(await readFile(file.fsPath), extname(file.fsPath).toLowerCase(), new Turns());
}
