import * as l10n from '@vscode/l10n';
import { type ModelContract, modePrice } from '../domain/model';
import type { RunDraft } from '../domain/run';
import type { VectorUse } from '../indexing/payload';
import { noModeText, type VectorMode, vectorMode } from '../indexing/vectorMode';
import { messageFor, problemPlace } from '../runFiles/marks';
import { modelIn, problemsIn, type RunFileProblem } from '../runFiles/read';
import type { ParsedText } from '../runFiles/text';
import type { EstimateOf } from '../runs/estimates/estimate';
import type { LocalFile } from '../runs/runs';
import type { ServiceClient } from '../service/client';
import { unlessNotFound } from '../service/errors';
import { mediaFor, type NamedRunFile } from './files';
import { UsageError } from './usageError';

/** A run file that was checked, with all that a run of it needs. */
export interface ReadyFile extends NamedRunFile {
  readonly contract: ModelContract;
  readonly draft: RunDraft;
  readonly files: readonly LocalFile[];
  readonly estimateOf: EstimateOf;
}

export interface CheckedFile {
  readonly named: NamedRunFile;
  readonly problems: readonly RunFileProblem[];
  /** One of them is an error. */
  readonly isWrong: boolean;
  /** Undefined where it has errors, or its model's contract is not known. */
  readonly ready: ReadyFile | undefined;
}

/**
 * Checks run files, requesting each model's contract once.
 * @param client missing: only rules for every model are checked
 * @throws ServiceError when a contract could not be read
 */
export async function checkFiles(
  named: readonly NamedRunFile[],
  client: ServiceClient | undefined,
): Promise<CheckedFile[]> {
  const contracts = new Map<string, ModelContract | undefined>();
  const checked: CheckedFile[] = [];
  for (const one of named) {
    const model = modelIn(one.file);
    if (client && model !== undefined && !contracts.has(model))
      contracts.set(model, await unlessNotFound(client.getModel(model)));
    checked.push(await checkFile(one, client, model === undefined ? undefined : contracts.get(model)));
  }
  return checked;
}

/** The contract of a model; of one that the key may not read, it warns: its runs are sent unchecked. */
export async function contractOf(
  model: string,
  client: ServiceClient,
  warn: (text: string) => void,
): Promise<ModelContract> {
  const contract = await client.getModel(model);
  if (contract.notPermitted) warn(`${model}: ${notPermittedText()}`);
  return contract;
}

/** A model's mode for files. @throws UsageError where it has none */
export async function vectorModeOf(
  model: string,
  use: VectorUse,
  client: ServiceClient,
  warn: (text: string) => void,
): Promise<VectorMode> {
  const contract = await contractOf(model, client, warn);
  const mode = vectorMode(contract, use);
  if (!mode) throw new UsageError(noModeText(contract.name, use));
  return mode;
}

function notPermittedText(): string {
  return l10n.t('This API key cannot read the catalog: the request is not checked against its model.');
}

async function checkFile(
  named: NamedRunFile,
  client: ServiceClient | undefined,
  contract: ModelContract | undefined,
): Promise<CheckedFile> {
  const { draft, files, problems: ofMedia } = await mediaFor(named, contract);
  const model = modelIn(named.file);
  const problems = [...problemsIn(named.file, contract), ...ofMedia];
  if (client && model !== undefined && (!contract || contract.notPermitted))
    problems.push({
      source: 'model',
      severity: contract ? 'warning' : 'error',
      pointer: '/model',
      message: contract ? notPermittedText() : l10n.t('The service has no model “{0}”.', model),
    });
  const isWrong = problems.some(({ severity }) => severity === 'error');
  if (isWrong || !contract || !client) return { named, problems, isWrong, ready: undefined };
  const estimateOf = {
    baseUrl: client.baseUrl,
    model: contract.slug,
    mode: draft.mode,
    price: modePrice(contract, draft.mode),
    items: Math.max(1, files.length),
  };
  return { named, problems, isWrong, ready: { ...named, contract, draft, files, estimateOf } };
}

/** Problems as compilers write them: `file:line:column: severity: message`. */
export function problemLines(checked: readonly CheckedFile[]): string[] {
  return checked.flatMap(({ named, problems }) => markedLines(named.name, named.file, problems));
}

/**
 * The same for one text of JSON.
 * @param name of the file in the call
 */
export function markedLines(
  name: string,
  file: Pick<ParsedText, 'root' | 'text'>,
  problems: readonly MarkedProblem[],
): string[] {
  return problems.map((problem) => {
    const before = file.text.slice(0, problemPlace(problem, file).offset).split('\n');
    const word = problem.severity === 'error' ? l10n.t('error') : l10n.t('warning');
    return `${name}:${before.length}:${before.at(-1)!.length + 1}: ${word}: ${messageFor(problem, file)}`;
  });
}

type MarkedProblem = Parameters<typeof problemPlace>[0] & Pick<RunFileProblem, 'severity'>;
