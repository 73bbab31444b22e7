import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { ExperimentOrder } from '../commands/experiment';
import { needsBaseUrl, UsageError } from '../commands/usageError';
import type { Money } from '../domain/money';
import { measuredColumns, type Threshold } from '../experiments/gate/thresholds';
import { isLookUp, readLookUp } from './lookUpArguments';
import { amountIn, shardIn } from './optionValues';

export interface ExperimentArguments extends ExperimentOrder {
  readonly command: 'experiment';
  /** Send nothing: figures, gate and reports of the recorded results. */
  readonly figuresOnly: boolean;
  /** Count runs that may have been charged as failed. */
  readonly acceptUnconfirmed: boolean;
  /** Files to write reports to. */
  readonly junit: string | undefined;
  readonly json: string | undefined;
  /** Its name ends in .html or .md. */
  readonly report: string | undefined;
  /** The highest cost of this call. It and the service are needed where something is sent. */
  readonly maxCost: Money | undefined;
  readonly baseUrl: string | undefined;
  readonly keyCommand: string | undefined;
  /** Folder with the records of sent runs. */
  readonly state: string | undefined;
}

/** A call, read: `maxCost` is a canonical amount, without `roots` the current folder's files may be used. */
export type Arguments = Exclude<ReturnType<typeof readArguments>, string>;
export type McpArguments = Extract<Arguments, { command: 'mcp' }>;

export const USAGE = `Usage:
  model-bench check FILE… [--base-url URL]
  model-bench run FILE… --base-url URL [--max-cost AMOUNT] [--junit FILE] [--json FILE]
  model-bench experiment FILE --base-url URL --max-cost AMOUNT [--shard 3/8] [--results FILE]
                         [--fail-below accuracy=0.9] [--fail-if-worse-than FILE|COMMIT] [--junit FILE] [--json FILE]
                         [--check-drift]
  model-bench experiment FILE --figures
  model-bench merge OUT FILE…
  model-bench models [TEXT] --base-url URL [--json]
  model-bench describe MODEL… --base-url URL [--json]
  model-bench wallet --base-url URL [--json]
  model-bench doctor --base-url URL [--model MODEL]
  model-bench search FILE --scope SCOPE --model MODEL --base-url URL [--json]
  model-bench index PATH… --scope SCOPE --model MODEL --base-url URL --max-cost AMOUNT [--shard 3/8] [--results FILE]
  model-bench follow [ID]… --base-url URL
  model-bench mcp --base-url URL [--max-cost AMOUNT] [--root FOLDER]…
  model-bench mcp --window FOLDER

check       Checks run files (*.run.json). With --base-url also against the contracts of their models. Runs nothing.
run         Runs run files one after another, and checks their expectations.
experiment  Runs what an experiment (*.experiment.json) has no result for yet, and prints its figures. Start it again to
            continue.
merge       Joins results files of an experiment into OUT.
models      Lists the catalog, or the models with all words of TEXT.
describe    Prints the modes, fields and prices of models.
wallet      Prints the balance.
doctor      Says what is read of the service's catalog, of a model and of the wallet, from where, and what is not. It costs nothing.
search      Searches a scope with a file. It is one paid run.
index       Indexes files and folders into a scope, each file once. Start it again to continue.
follow      Waits for runs that the service has accepted and not finished, of earlier calls. It costs nothing.
mcp         Serves the tools of agents over standard input and output (Model Context Protocol).

  --base-url URL      The service: https, or http on this machine.
  --key-command CMD   A command that prints the API key, such as "op read op://team/models/key".
  --cert FILE         The client certificate of a service that asks for one, in PEM, or as .pfx or .p12 with its key. The
                      passphrase is in MODEL_BENCH_CERT_PASSPHRASE.
  --key FILE          The key of --cert, if it is in a file of its own.
  --responses FILE    Where the service's responses have what: a response mapping (docs/service.md), as JSON.
  --max-cost AMOUNT   The budget of this call, 10 or "10 USD": one run at most exceeds it. Required for more than
                      one run file, for experiments and for indexing. Of mcp: the amount that its agent may spend on
                      one day; without it, nothing.
  --root FOLDER       Of mcp: its agent may use the files in this folder, instead of those in the current one. Can be
                      repeated.
  --window FOLDER     Of mcp: an open window of VS Code does the calls, with its key. “Connect Other Agents…” shows the folder.
  --junit FILE        Write the results as JUnit XML. Of an experiment: its thresholds and comparisons.
  --json FILE         Write the results as JSON. Of an experiment: its figures.
  --figures           Send nothing: figures, gates and reports of the recorded results, without service and key.
  --report FILE       Write a report of the experiment: FILE.html (one page with pictures) or FILE.md (a summary).
  --group-by COLUMN   Figures for each value of that column of the inputs, too; "label": for each expected label.
  --fail-below METRIC=NUMBER
                      End with 1 where a column of the experiment has less than that. Can be repeated.
  --fail-above METRIC=NUMBER
                      The same where it has more, for errors and distances.
                      Both take columns, too: "accuracy of /model=x=0.9".
  --by-interval       All of a figure's 95% interval must reach it. --least-rows=N: with fewer rows it is missed.
  --fail-if-worse-than FILE|COMMIT
                      End with 1 where a column is worse than in an earlier results file, or in that of a commit of git, by
                      more than chance explains, or has no results of its requests there.
  --allow-new-columns With --fail-if-worse-than: columns without earlier results are named, and do not end with 1.
  --check-drift[=N]   Send N finished inputs of each column again, and end with 1 where its answers or figures have changed
                      since, by more than chance explains. Without N as many as show a loss of 10 points. The results
                      are in a file of their own.
  --shard N/M         Run only the Nth of M parts of the experiment, or of the files to index.
  --results FILE      Write the results there instead of beside the experiment. Of indexing: the outcome of each file.
  --retry-failed      Run failed runs once more, too.
  --retry-unconfirmed Run unconfirmed runs once more, too. They may be paid twice.
  --accept-unconfirmed
                      Count unconfirmed runs as failed, so that the exit code is 1 instead of 3.
  --run-deleted       Run again what the results file no longer has, or only another file has, instead of using those
                      results.
  --fetch-media       Keep pictures, sounds and films that results name by address, which may expire. They are fetched
                      without the key, over https or from the service.
  --state FOLDER      Keep there what was sent, so that nothing is sent twice (default: the user's state folder).

“model-bench --version” prints the version.

The API key is read from the environment variable MODEL_BENCH_API_KEY, or printed by the command of --key-command or of
MODEL_BENCH_API_KEY_COMMAND. The command is run without a shell.

Exit codes:
  0  All passed. Of an experiment: every run has finished.
  1  An expectation failed. Of an experiment: every run has an outcome, and some failed, a threshold is not met, or a
     column is worse than before.
  2  A file or the call is wrong, or lines of the results file cannot be read. No run was sent.
  3  The service failed, an outcome is unconfirmed, or not everything was run.
`;

/** @returns 'help' or 'version' when it is asked for. @throws UsageError */
export function readArguments(words: readonly string[]) {
  const [first, ...rest] = words;
  const isHelp = rest.some((word) => word === '--help' || word === '-h');
  if (isLookUp(first)) return isHelp ? 'help' : readLookUp(first, rest);
  const { values, positionals } = parsed(words);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [command, ...files] = positionals;
  const maxCost = amountIn(values['max-cost']);
  if (command === 'experiment') return experimentArguments(files, values, maxCost);
  if (command === 'mcp') {
    if (files.length > 0) throw new UsageError(l10n.t('“mcp” takes no name.'));
    const { 'base-url': baseUrl, 'key-command': keyCommand, root: roots = [], state, window } = values;
    if (baseUrl === undefined && window === undefined) throw new UsageError(needsBaseUrl(command));
    const fetchMedia = values['fetch-media'] ?? false;
    return { command, baseUrl, keyCommand, maxCost, fetchMedia, roots, state, window } as const;
  }
  if (command === 'follow') {
    const { 'base-url': baseUrl, 'key-command': keyCommand, state } = values;
    if (baseUrl === undefined) throw new UsageError(needsBaseUrl(command));
    return { command, ids: files, baseUrl, keyCommand, state } as const;
  }
  if (command === 'merge') {
    const [out, ...others] = files;
    if (out === undefined || others.length === 0)
      throw new UsageError(l10n.t('“merge” needs the file to write and at least one results file to read.'));
    return { command, out, files: others } as const;
  }
  if (command !== 'check' && command !== 'run')
    throw new UsageError(
      l10n.t(
        'The first word must be “check”, “run”, “experiment”, “merge”, “models”, “describe”, “wallet”, “doctor”, “search”, “index”, “follow” or “mcp”.',
      ),
    );
  if (files.length === 0) throw new UsageError(l10n.t('Name at least one run file.'));
  const { junit, json, state, 'base-url': baseUrl, 'key-command': keyCommand } = values;
  if (command === 'run' && baseUrl === undefined) throw new UsageError(needsBaseUrl(command));
  if (command === 'run' && files.length > 1 && maxCost === undefined)
    throw new UsageError(l10n.t('More than one run needs --max-cost: what they may cost together.'));
  return { command, files, baseUrl, keyCommand, maxCost, junit, json, state } as const;
}

function experimentArguments(
  files: readonly string[],
  values: ReturnType<typeof parsed>['values'],
  maxCost: Money | undefined,
): ExperimentArguments {
  const [file, ...others] = files;
  const { 'base-url': baseUrl, results, state } = values;
  if (file === undefined || others.length > 0)
    throw new UsageError(l10n.t('“experiment” takes one experiment file.'));
  const shard = shardIn(values.shard);
  const keyCommand = values['key-command'];
  const notWorseThan = values['fail-if-worse-than'];
  if (shard && (values['fail-below'] ?? values['fail-above'] ?? notWorseThan) !== undefined)
    throw new UsageError(
      l10n.t('A shard has a part of the results only. Check the whole experiment after “model-bench merge”.'),
    );
  const checkDrift = driftIn(values['check-drift']);
  const otherGates = values['fail-below'] ?? values['fail-above'] ?? notWorseThan;
  if (checkDrift !== undefined && (shard ?? otherGates) !== undefined)
    throw new UsageError(
      l10n.t('--check-drift is a check of its own, without --shard and other --fail options.'),
    );
  const byInterval = values['by-interval'];
  const leastRows = rowsIn(values['least-rows']);
  const thresholds = [
    ...thresholdsFrom(values['fail-below'], '--fail-below', '>='),
    ...thresholdsFrom(values['fail-above'], '--fail-above', '<='),
  ].map((one) => ({
    ...one,
    ...(byInterval && { byInterval }),
    ...(leastRows !== undefined && { leastRows }),
  }));
  const { junit, json, report } = values;
  if (report !== undefined && !/\.(?:html?|md)$/i.test(report))
    throw new UsageError(l10n.t('--report must be a file that ends in .html or .md.'));
  const choices = {
    thresholds,
    notWorseThan,
    checkDrift,
    junit,
    json,
    report,
    allowNewColumns: values['allow-new-columns'] ?? false,
    retryFailed: values['retry-failed'] ?? false,
    retryUnconfirmed: values['retry-unconfirmed'] ?? false,
    acceptUnconfirmed: values['accept-unconfirmed'] ?? false,
    runDeleted: values['run-deleted'] ?? false,
    fetchMedia: values['fetch-media'] ?? false,
  };
  return {
    command: 'experiment',
    file,
    figuresOnly: values.figures ?? false,
    groupBy: values['group-by'],
    baseUrl,
    keyCommand,
    maxCost,
    shard,
    results,
    state,
    ...choices,
  };
}

function thresholdsFrom(
  words: readonly string[] = [],
  option: string,
  operator: Threshold['operator'],
): Threshold[] {
  return words.map((word) => {
    const [, name, value] = /^(.+)=(-?\d{1,15}(?:\.\d{1,15})?)$/.exec(word) ?? [];
    if (name === undefined)
      throw new UsageError(l10n.t('{0} must be a metric and a number, such as accuracy=0.9.', option));
    return { ...measuredColumns(name), operator, value: Number(value) };
  });
}

/** @param word '' where the option has no number */
function driftIn(word: string | undefined): ExperimentOrder['checkDrift'] {
  if (word === undefined) return undefined;
  if (word === '') return 'enough';
  if (!/^[1-9]\d{0,3}$/.test(word))
    throw new UsageError(l10n.t('--check-drift must be a number of inputs, such as --check-drift=20.'));
  return Number(word);
}

function rowsIn(word: string | undefined): number | undefined {
  if (word === undefined || /^[1-9]\d{0,8}$/.test(word)) return word === undefined ? word : Number(word);
  throw new UsageError(l10n.t('--least-rows must be a number of rows, such as --least-rows=30.'));
}

function parsed(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    'base-url': text,
    'key-command': text,
    'max-cost': text,
    junit: text,
    json: text,
    report: text,
    shard: text,
    results: text,
    state: text,
    root: { ...text, multiple: true },
    window: text,
    'fail-below': { ...text, multiple: true },
    'fail-above': { ...text, multiple: true },
    'by-interval': flag,
    'least-rows': text,
    'fail-if-worse-than': text,
    'allow-new-columns': flag,
    'check-drift': text,
    figures: flag,
    'group-by': text,
    'retry-failed': flag,
    'retry-unconfirmed': flag,
    'accept-unconfirmed': flag,
    'run-deleted': flag,
    'fetch-media': flag,
    version: flag,
    help: { ...flag, short: 'h' },
  } as const;
  try {
    // The only option whose value may be left out.
    const args = words.map((word, at) =>
      word === '--check-drift' && !/^\w*$/.test(words[at + 1] ?? '-') ? '--check-drift=' : word,
    );
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  }
}
