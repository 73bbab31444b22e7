import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EXPERIMENT_SUFFIX } from '../../experiments/file/suffix';
import { commitsOf, type ResultsCommit } from '../../experiments/files/commits';
import { isThere } from '../../experiments/files/door';
import { resultPlaces } from '../../experiments/results/resultsFile';
import { environmentFor } from '../../platform/runFiles/environment';
import { readRunFile } from '../../runFiles/read';
import { withMembers } from '../../runFiles/write';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { showOpenDialog } from '../../vscode/messages/fileDialogs';
import { showQuickPick } from '../../vscode/messages/inputs';
import { localeFor } from '../../wording/displayLanguage';
import type { ExperimentRuns } from './experimentRuns';
import { type KeptSource, KeptTables } from './keptTables';
import { sourceLabel } from './otherSources';

/** Each adds a column for every column of the experiment. */
const MOST_SOURCES = 4;

/** Compare With… in the table of an experiment. */
export async function compareWith(
  services: Services,
  runs: ExperimentRuns,
  document: vscode.TextDocument,
): Promise<void> {
  const kept = new KeptTables(services.context.workspaceState);
  const { sources } = kept.of(document.uri);
  const chosen = await askSource(services, document, sources);
  if (!chosen) return;
  if (sources.includes(chosen)) return stopComparing(services, runs, document.uri, chosen);
  await addSource(kept, runs, document.uri, chosen);
}

/** Opens the table of an experiment with the results of a file beside its own. @param results absolute path */
export async function showBeside(
  services: Services,
  runs: ExperimentRuns,
  file: vscode.Uri,
  results: string,
): Promise<void> {
  await addSource(new KeptTables(services.context.workspaceState), runs, file, { file: results });
  await executeBuiltIn('vscode.open', file);
}

async function addSource(
  kept: KeptTables,
  runs: ExperimentRuns,
  file: vscode.Uri,
  source: KeptSource,
): Promise<void> {
  const others = kept.of(file).sources.filter((one) => sourceKey(one) !== sourceKey(source));
  if (others.length >= MOST_SOURCES)
    throw new Error(l10n.t('The table shows {0} other results already. Remove one first.', MOST_SOURCES));
  await kept.keepSources(file, [...others, source]);
  runs.askForTable(file);
}

export async function stopComparing(
  services: Services,
  runs: ExperimentRuns,
  file: vscode.Uri,
  source: KeptSource,
): Promise<void> {
  const kept = new KeptTables(services.context.workspaceState);
  const { sources } = kept.of(file);
  await kept.keepSources(
    file,
    sources.filter((one) => sourceKey(one) !== sourceKey(source)),
  );
  runs.askForTable(file);
}

function sourceKey(source: KeptSource): string {
  return 'file' in source ? source.file : source.hash;
}

/** The same from a row of the view: its table is opened first. */
export async function compareExperiment(
  services: Services,
  runs: ExperimentRuns,
  file: vscode.Uri,
): Promise<void> {
  await executeBuiltIn('vscode.open', file);
  await compareWith(services, runs, await vscode.workspace.openTextDocument(file));
}

interface Choice extends vscode.QuickPickItem {
  readonly source?: KeptSource;
  readonly environment?: string;
  readonly isFile?: boolean;
}

/**
 * Compare With…: asks for an earlier commit of the results, another results file, or another environment.
 * @param shown the sources that the table shows already: one of them is to be removed
 * @returns undefined: the user gave up
 */
async function askSource(
  services: Services,
  document: vscode.TextDocument,
  shown: readonly KeptSource[],
): Promise<KeptSource | undefined> {
  const { file } = resultPlaces(document.uri.fsPath);
  const isShown = (commit: ResultsCommit) => shown.some((one) => 'hash' in one && one.hash === commit.hash);
  const commits = vscode.workspace.isTrusted ? await commitsOf(file) : [];
  const line = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const { connection } = services;
  const own = environmentFor(readRunFile(document.getText()), connection)?.name;
  const others = connection.environments.filter(({ name }) => name !== own);
  const environments = others.map(
    ({ name }): Choice => ({
      label: name,
      description: l10n.t('environment'),
      environment: name,
      iconPath: new vscode.ThemeIcon('server-environment'),
    }),
  );
  const choices: Choice[] = [
    { label: l10n.t('Results File…'), isFile: true, iconPath: new vscode.ThemeIcon('file') },
    ...shown.map(
      (source): Choice => ({
        label: l10n.t('Stop comparing with {0}', sourceLabel(source)),
        iconPath: new vscode.ThemeIcon('close'),
        source,
      }),
    ),
    ...(environments.length > 0 ? [line(l10n.t('Another environment')), ...environments] : []),
    line(
      commits.length > 0
        ? l10n.t('Commits that changed {0}', basename(file))
        : l10n.t('git has no commit of {0}', basename(file)),
    ),
    ...commits
      .filter((commit) => !isShown(commit))
      .map(
        (commit): Choice => ({
          label: new Date(commit.date).toLocaleString(localeFor(vscode.env.language), {
            dateStyle: 'medium',
            timeStyle: 'short',
          }),
          description: `${commit.subject} (${commit.hash.slice(0, 7)})`,
          iconPath: new vscode.ThemeIcon('git-commit'),
          source: commit,
        }),
      ),
  ];
  const title = l10n.t('Compare the results with');
  const chosen = await showQuickPick(choices, { title, matchOnDescription: true });
  if (chosen?.isFile) return askFile(dirname(file));
  if (chosen?.environment !== undefined) return environmentResults(document, chosen.environment);
  return chosen?.source;
}

async function askFile(folder: string): Promise<KeptSource | undefined> {
  const [chosen] =
    (await showOpenDialog({
      openLabel: l10n.t('Compare'),
      title: l10n.t('Results to compare with'),
      defaultUri: vscode.Uri.file(folder),
      filters: { [l10n.t('Results')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
    })) ?? [];
  return chosen && { file: chosen.fsPath };
}

/**
 * The results of the same experiment in another environment: `NAME.ENVIRONMENT.results.jsonl`, beside a copy of the
 * experiment that names it. Without results that copy is opened, to be run first.
 */
async function environmentResults(
  document: vscode.TextDocument,
  environment: string,
): Promise<KeptSource | undefined> {
  const plain = environment.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  const name = basename(document.uri.fsPath).slice(0, -EXPERIMENT_SUFFIX.length);
  const copy = join(dirname(document.uri.fsPath), `${name}.${plain}${EXPERIMENT_SUFFIX}`);
  const { file } = resultPlaces(copy);
  if (await isThere(file)) return { file };
  const target = vscode.Uri.file(copy);
  if (!(await isThere(copy))) {
    const text = withMembers(document.getText(), { environment });
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  }
  await executeBuiltIn('vscode.open', target, { preview: false });
  throw new Error(
    l10n.t('Run “{0}” first: it has the same runs for the environment “{1}”.', basename(copy), environment),
  );
}
