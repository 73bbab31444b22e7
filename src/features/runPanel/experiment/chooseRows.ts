import { extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { modeOf } from '../../../domain/model';
import { itemFaultText } from '../../../experiments/faultText';
import { guessColumns } from '../../../experiments/setup/columns';
import { tableAt } from '../../../experiments/tableFile';
import { pickFiles } from '../../../platform/fileIntake/pickFiles';
import { filenameOf } from '../../../platform/localFile';
import type { ChosenInputs } from './chooseFiles';
import type { PanelExperiment } from './handlers';

/** Run over Rows…: asks for a table, and guesses the uses of its columns. Undefined: cancelled. */
export async function chooseRows(panel: PanelExperiment, modeName: string): Promise<ChosenInputs> {
  const [file] = await pickFiles({
    openLabel: l10n.t('Choose'),
    title: l10n.t('Table to run over: CSV, TSV or JSONL'),
    kind: 'table',
  });
  const mode = file && modeOf(await panel.contract(), modeName);
  if (!mode) return {};
  requireDisk(file);
  const table = await tableAt(file.fsPath);
  const [fault] = table.faults;
  if (table.columns.length === 0)
    throw new Error(
      l10n.t(
        '“{0}” was not taken. {1}',
        filenameOf(file),
        fault ? itemFaultText(fault) : itemFaultText({ fault: 'kind', extension: extname(file.path) }),
      ),
    );
  const { map, expected, at } = guessColumns(mode, table, panel.result());
  return {
    over: {
      kind: 'rows',
      file: file.toString(),
      columns: [...table.columns],
      map: { ...map },
      expected,
    },
    at,
  };
}

/** @throws when experiments cannot read it */
export function requireDisk(uri: vscode.Uri): void {
  if (uri.scheme !== 'file')
    throw new Error(l10n.t('Experiments read files of a folder on disk. Save this one there first.'));
}
