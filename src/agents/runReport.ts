import * as l10n from '@vscode/l10n';
import { resultText } from '../commands/checkedRunFile';
import type { ReadyFile } from '../commands/ready';
import type { Environment } from '../domain/environment';
import type { Json } from '../domain/json';
import { isUnconfirmed } from '../domain/run';
import { remoteMedia } from '../experiments/results/remoteMedia';
import { type ResultMedium, splitResult } from '../experiments/results/resultMedia';
import { checkExpectations } from '../runFiles/expectations';
import { runFileOutcome } from '../runFiles/outcome';
import { expectationsIn } from '../runFiles/read';
import type { PerformedRun } from '../runs/runs';
import type { Report } from './answer';
import type { AgentHouse } from './house';

const MOST_MEDIA = 8;

interface ReportParts {
  readonly handle: string;
  readonly house: AgentHouse;
  readonly environment: Environment;
  readonly save: (name: string, bytes: Uint8Array) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

/** The report of one run: its outcome, its result as JSON, and its media as files. */
export async function runReport(
  file: ReadyFile,
  { record, response }: PerformedRun,
  parts: ReportParts,
): Promise<Report> {
  const outcome = runFileOutcome(record, response);
  const isKnown = record.state !== 'notSent' && !isUnconfirmed(record.state);
  const checks = isKnown ? checkExpectations(expectationsIn(file.file), outcome) : [];
  const lines = resultText({ file, record, outcome, checks });
  const { result } = outcome;
  const split = result === undefined ? undefined : splitResult(result);
  const shown = split?.rest ?? result;
  const { output, raw } = response ?? {};
  const isMedium = output === null && raw?.json === undefined && raw?.bytes.length !== 0;
  const media = [
    ...(isMedium && raw ? [raw] : []),
    ...(split?.media ?? []),
    ...(await fetched(result, parts)),
  ];
  const note = isUnconfirmed(record.state)
    ? [
        l10n.t(
          'Unconfirmed: the run may have been executed and charged. Do not repeat it without asking the user. Call: {0}',
          parts.handle,
        ),
      ]
    : [];
  return {
    notes: note,
    data: [...lines, ...(shown === undefined ? [] : [JSON.stringify(shown)])].join('\n'),
    pictures: await pictures(media.slice(0, MOST_MEDIA), parts),
    isError: record.state !== 'finished' && record.state !== 'accepted',
  };
}

/** Files that the result names by address, where the user has agreed; the addresses are in the result. */
async function fetched(
  result: Json | undefined,
  { house, environment, signal }: ReportParts,
): Promise<ResultMedium[]> {
  const fetchMedium = house.mediaOf(environment);
  if (result === undefined || !fetchMedium) return [];
  const addresses = remoteMedia(result)
    .slice(0, MOST_MEDIA)
    .map((address) => fetchMedium(address, signal).catch(() => undefined));
  return (await Promise.all(addresses)).flatMap((medium) => medium ?? []);
}

async function pictures(media: readonly ResultMedium[], { save }: ReportParts): Promise<string[]> {
  const paths: string[] = [];
  for (const [at, { contentType, bytes }] of media.entries()) {
    const ending = /^\w+\/([a-z0-9]{2,8})/.exec(contentType)?.[1] ?? 'bin';
    const path = await save(`${at + 1}.${ending}`, bytes);
    if (path !== undefined) paths.push(path);
  }
  return paths;
}
