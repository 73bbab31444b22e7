import { extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import type { AgentCall } from '../domain/agentGrant';
import { readFileAt } from '../experiments/files/door';
import { keptResponse } from '../runs/history/keptResponse';
import { callStateText } from '../wording/agentGrant';
import { formatMoney } from '../wording/money';
import { runCostText } from '../wording/runStates';
import { smallImagesOf } from '../worker/inWorker';
import type { EncodedImage } from '../worker/smallImage';
import type { Report } from './answer';
import type { AgentSession } from './session';
import type { ToolInput } from './toolInputs';

/** Seconds that a call waits for work, unless it says. */
const WAIT_SECONDS = 20;

interface Waiting {
  readonly seconds?: number;
  readonly pictures?: boolean;
  readonly signal: AbortSignal;
}

/** The result of a paid tool, of this process or another, or its progress. */
export async function readWork(
  session: AgentSession,
  { handle, wait_seconds: seconds, pictures }: ToolInput<'read_results'>,
  signal: AbortSignal,
): Promise<Report> {
  if (handle === undefined) throw new UsageError(l10n.t('Name a handle or an experiment, one of them.'));
  return reportOn(session, handle, {
    signal,
    seconds,
    pictures,
  });
}

/** The report of work, or its progress when it takes longer than the call waits. */
export async function reportOn(
  { house, works }: AgentSession,
  handle: string,
  { seconds = WAIT_SECONDS, pictures = true, signal }: Waiting,
): Promise<Report> {
  const work = works.get(handle);
  const over = new AbortController();
  const ended = work
    ? await Promise.race([
        work.done,
        wait(seconds * 1000, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(
          () => undefined,
        ),
      ]).finally(() => over.abort())
    : await works.saved(handle);
  if (ended) return pictures ? { ...ended, images: await smallImages(ended.pictures ?? []) } : ended;
  if (work)
    return {
      notes: [l10n.t('Under way. Handle: {0}', handle)],
      data: [work.lines.text, work.lines.latest].filter((part) => part !== '').join('\n'),
      handle,
    };
  const { agentGrants, runs } = await house.store();
  const call = agentGrants.call(handle);
  if (!call) throw new UsageError(l10n.t('There is no work with this handle.'));
  const record = call.work === undefined ? undefined : runs.get(call.work);
  const body = record?.state === 'finished' ? await runs.result(record.id) : undefined;
  // The service had accepted it, and was asked again after its process had ended.
  if (record && body)
    return {
      notes: [[callStateText(call.state), runCostText(record) ?? []].flat().join(' · ')],
      data: JSON.stringify(keptResponse(record, body).output ?? null),
      handle,
    };
  return { notes: [callText(call, house.locale)], handle, isError: call.state !== 'running' };
}

/** A call of another process, or of one that has gone. */
function callText({ id, tool, state, charged, currency }: AgentCall, locale?: string): string {
  const cost =
    charged === undefined
      ? ''
      : ` ${formatMoney({ amount: charged, ...(currency && { currency }) }, locale)}`;
  switch (state) {
    case 'running':
      return l10n.t('{0} is under way in another process. Handle: {1}', tool, id);
    case 'unconfirmed':
      return l10n.t(
        '{0} is unconfirmed: it may have been executed and charged, and its result is not known. Call: {1}. Do not repeat it without asking the user.',
        ...[tool, id],
      );
    default:
      return l10n.t('{0} has ended ({1}){2}, and its result was not kept. Call: {3}', tool, state, cost, id);
  }
}

/** Stops work by its handle. */
export async function stopWork(
  { house, works }: AgentSession,
  { handle }: ToolInput<'stop_work'>,
): Promise<Report> {
  const work = works.get(handle);
  const { agentGrants } = await house.store();
  const call = agentGrants.call(handle);
  if (!work && call?.state !== 'running')
    throw new UsageError(l10n.t('No work with this handle is under way.'));
  if (call) await agentGrants.stop(handle);
  work?.stop();
  return {
    notes: [l10n.t('Stopping. A run that was sent may still be executed and charged. Handle: {0}', handle)],
    handle,
  };
}

/** Milliseconds for all pictures of an answer. */
const DEADLINE = 2_000;
/** Of a file, and of all images of an answer. */
const LARGEST_FILE = 64 * 2 ** 20;
const MOST_BYTES = 4_000_000;

/**
 * Images of at most 512 pixels a side and 1 MB for an answer.
 * @param paths absolute, of files of ours
 * @returns without those that are of another format, damaged, or too large to be decoded in time
 */
async function smallImages(paths: readonly string[]): Promise<readonly EncodedImage[]> {
  const inputs: EncodedImage[] = [];
  for (const path of paths) {
    const contentType = CONTENT_TYPES[extname(path).toLowerCase()];
    const read = contentType && (await readFileAt(path, LARGEST_FILE).catch(() => undefined));
    if (contentType && read) inputs.push({ contentType, bytes: read.bytes });
  }
  let room = MOST_BYTES;
  return (await smallImagesOf(inputs, DEADLINE)).filter((image) => {
    if (!image || image.bytes.length > room) return false;
    room -= image.bytes.length;
    return true;
  }) as EncodedImage[];
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
};
