import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Environment } from '../domain/environment';
import {
  acceptedType,
  localMedia,
  localRefs,
  mediaTypeOf,
  siblingType,
  withUploadedRefs,
} from '../domain/media';
import { modePrice } from '../domain/model';
import { percentDecoded } from '../domain/percentDecoded';
import { childPointer } from '../domain/pointer';
import { mayBeAsked, type RunDraft, type RunStep } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import { acceptedAt } from '../forms/acceptedAt';
import { checkDraft, toRunRequest } from '../forms/checkDraft';
import type { FollowOptions, ServiceClient, UploadOptions } from '../service/client';
import { type ErrorDetails, ServiceError } from '../service/errors';
import { isPassing, Unsaved } from '../store/unsaved';
import type { UploadKey } from '../store/uploads';
import { messageOf } from '../wording/errors';
import { unsavedText } from '../wording/unsaved';
import type { History } from './history/history';
import { type JobRunParts, performJobRun } from './jobRun';
import { errorOutcome, sendAdmitted } from './outcome';
import { outcomeOf } from './outcomeOf';
import type { JobRunOrder, LocalFile, PerformedRun, PerformOptions, RunOrder } from './runs';
import { type KnownUpload, type UploadCache, uploadAll, uploadOnce } from './uploads/uploadFiles';

/** The parts that one run needs. */
export interface RunParts extends Omit<JobRunParts, 'jobRuns'> {
  readonly history: Pick<History, 'put' | 'get'>;
  readonly cache: UploadCache;
  /** Holds received responses that could not be saved. */
  readonly unsaved: Unsaved;
  readonly locale?: string;
}

export interface RunsParts extends Omit<RunParts, 'unsaved'>, JobRunParts {
  /** Called with how many responses are held that could not be saved, and why; without a text when all are saved. */
  readonly onUnsaved?: (text: string | undefined) => void;
}

/** Statuses after which an earlier upload is not used again: the reference may be the reason. */
const REJECTIONS = new Set([400, 404, 409, 410, 422]);

/** Why a run is not sent, as a sentence for the user. */
class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** Every paid run of the extension goes through here: checked, admitted by the budget, recorded before and after. */
export function createRuns(parts: RunsParts) {
  const unsaved: Unsaved = new Unsaved(() => parts.onUnsaved?.(unsaved.held && unsavedText(unsaved.held)));
  return {
    follow: (record: RunRecord, options?: FollowOptions) => followRecord(parts, record, options),
    /** Does not reject when the run fails: its outcome is in the record. */
    perform: (order: RunOrder, options: PerformOptions = {}) =>
      performRun({ ...parts, unsaved }, order, options),
    /**
     * One run of a job, measured but not in the history. Rejects with `ServiceError`, which includes a reached
     * budget.
     */
    performForJob: (order: JobRunOrder) => performJobRun(parts, order),
    /** Uploads a file, or returns the reference of the same content uploaded before to the same environment. */
    upload: async (environment: Environment, file: LocalFile, options?: UploadOptions) =>
      uploadOnce(await parts.client(environment), parts.cache, file.source, options),
    /** The reference of this content was rejected: the next run uploads it again. */
    forgetUpload: (upload: UploadKey) => parts.cache.forget(upload),
  };
}

export type Runs = ReturnType<typeof createRuns>;

/**
 * One run, from draft to record: checked, admitted by the budget, its files uploaded, recorded as running before
 * its bytes leave, sent at most once, and recorded again with its outcome.
 */
export async function performRun(
  parts: RunParts,
  order: RunOrder,
  options: PerformOptions,
): Promise<PerformedRun> {
  const { contract, draft, environment, agent } = order;
  let record: RunRecord = {
    id: randomUUID(),
    environment: environment.name,
    baseUrl: environment.baseUrl,
    modelName: contract.name,
    draft,
    attachments: [],
    startedAt: Date.now(),
    state: 'notSent',
    ...(agent && { agent: agent.mark }),
  };
  /** The history has it as running: only its outcome ends that. */
  let isOnRecord = false;
  const end = async (
    changes: Partial<RunRecord>,
    rest: Partial<PerformedRun> = {},
  ): Promise<PerformedRun> => {
    record = { ...record, finishedAt: Date.now(), ...changes };
    const raw = rest.response?.raw;
    const ended = record;
    const save = () => parts.history.put(ended, raw && { bytes: raw.bytes, contentType: raw.contentType });
    try {
      record = await save();
    } catch (error) {
      // A full disk does not change the outcome of the run.
      let text = l10n.t('The run could not be saved in the history: {0}', messageOf(error, parts.locale));
      if (isOnRecord && isPassing(error)) {
        text = unsavedText({ count: 1, problem: error });
        // Only the end of the window, or a database that is damaged, ends it otherwise.
        parts.unsaved.save(async () => void (await save())).catch(() => undefined);
      }
      record = { ...record, message: [record.message, text].filter(Boolean).join(' ') };
    }
    return { record, ...rest };
  };

  let ready: Awaited<ReturnType<typeof prepare>>;
  try {
    options.onStep?.({ step: 'checking' });
    const client = await parts.client(environment);
    record = { ...record, environment: client.environment, baseUrl: client.baseUrl };
    ready = await prepare(parts, client, order, record.id, options);
  } catch (error) {
    return end({ state: 'notSent', message: messageOf(error, parts.locale) }, { error });
  }

  const { client, request, uploads, admission } = ready;
  record = {
    ...record,
    request,
    attachments: attachmentsOf(order.files, uploads),
    state: 'running',
    sentAt: Date.now(),
  };
  try {
    // On disk before a byte leaves: a host killed from here on leaves a run that is unknown, not lost.
    await parts.history.put(record);
    isOnRecord = true;
    options.onRecorded?.(record.id);
  } catch (error) {
    admission.release();
    return end({ state: 'notSent', sentAt: undefined, message: messageOf(error, parts.locale) }, { error });
  }
  let outcome: Pick<RunRecord, 'state' | 'status' | 'runId' | 'cost' | 'message' | 'followUrl'>;
  let { sentAt } = record;
  let rest: Pick<PerformedRun, 'response' | 'error'>;
  try {
    const response = await sendAdmitted(admission, (confirm) =>
      client.run(request, {
        onLeaving: () => {
          // After a sleep: another window has called it unknown, and the user may have repeated it.
          if (parts.history.get(record.id)?.state === 'unknown') throw new ServiceError('cancelled');
          confirm();
        },
        signal: options.signal,
        timeoutMs: options.timeoutMs,
        onAccepted: async ({ runId, followUrl }) => {
          const accepted = { ...record, runId, followUrl };
          record = accepted;
          // The outcome takes its place.
          const save = async () => void (record === accepted && (await parts.history.put(accepted)));
          // Asking is free, and does not wait for a disk that is full.
          await save().catch(() => void parts.unsaved.save(save).catch(() => undefined));
        },
        onPhase: (phase) => {
          // Waits of the rate limit are no part of the run.
          if (phase === 'sending') sentAt = Date.now();
          options.onStep?.(phase === 'waiting' ? waitingStep(client) : { step: phase });
        },
      }),
    );
    outcome = outcomeOf(response);
    rest = { response };
  } catch (error) {
    const known = error instanceof ServiceError ? error : undefined;
    const { status, raw }: ErrorDetails = known?.details ?? {};
    outcome = {
      state: errorOutcome(error).state,
      status,
      message: messageOf(error, parts.locale),
      ...known?.charge,
    };
    // An error's body is kept and shown as any response: it has details that the one sentence leaves out.
    rest = { error, ...(raw && { response: { state: 'failed', output: raw.json, recognised: true, raw } }) };
  }
  return end(
    { ...outcome, sentAt },
    {
      ...rest,
      uploadsForgotten: await forgetRejected(parts.cache, uploads, outcome).catch(() => false),
    },
  );
}

/**
 * Asks for a run that the service has accepted, free of charge, and records its outcome. It stays accepted where there is
 * none yet. @throws ServiceError where the service does not respond
 */
export async function followRecord(
  parts: Pick<RunParts, 'client' | 'history'> & { readonly guard: Pick<RunParts['guard'], 'resolve'> },
  record: RunRecord,
  options: FollowOptions = {},
): Promise<PerformedRun> {
  const client = await parts.client({ name: record.environment, baseUrl: record.baseUrl });
  const response = await client.followRun(record, options);
  const now = parts.history.get(record.id);
  // Deleted, or another window was first.
  if (!now || !mayBeAsked(now)) return { record: now ?? record };
  const { cost } = response;
  if (response.state !== 'accepted' && cost) parts.guard.resolve(record, cost);
  const ended = { ...now, ...outcomeOf(response), finishedAt: Date.now() };
  const { bytes, contentType } = response.raw;
  return { record: await parts.history.put(ended, { bytes, contentType }), response };
}

function waitingStep({
  rateLimit: { pausedUntilMs: untilMs, reason, serviceMessage },
}: ServiceClient): RunStep {
  return { step: 'waiting', untilMs, reason, ...(serviceMessage !== undefined && { serviceMessage }) };
}

/** Everything before the run itself is sent. Throws when it must not be. */
async function prepare(
  parts: RunParts,
  client: ServiceClient,
  order: RunOrder,
  id: string,
  options: PerformOptions,
) {
  const { contract, draft, files } = order;
  const [problem] = checkDraft(contract, draft, order.check);
  if (problem) throw new NotSent([problem.pointer, problem.message].filter(Boolean).join(': '));
  const wanted = asFieldsTake(attachedOnly(draft, files), draft, contract);
  const admission = parts.guard.admit({
    id,
    baseUrl: client.baseUrl,
    model: draft.model,
    mode: draft.mode,
    price: modePrice(contract, draft.mode),
    items: Math.max(1, localMedia(draft.input).length),
    agent: order.agent,
  });
  try {
    const uploads = await uploadAll(client, parts.cache, wanted, options);
    options.signal?.throwIfAborted();
    const refs = new Map([...uploads].map(([uri, upload]) => [uri, upload.mediaRef]));
    const request = toRunRequest(contract, {
      ...draft,
      input: withUploadedRefs(draft.input, refs),
      params: withUploadedRefs(draft.params, refs),
    });
    return { client, request, uploads, admission };
  } catch (error) {
    admission.release();
    throw error;
  }
}

/** The files the draft points at, each once. Only files the user attached are ever read. */
function attachedOnly(draft: RunDraft, files: readonly LocalFile[]): LocalFile[] {
  const attached = new Map(files.map((file) => [file.uri, file]));
  return localRefs(draft.input, draft.params).map((uri) => {
    const file = attached.get(uri);
    if (file) return file;
    const name = percentDecoded(uri.slice(uri.lastIndexOf('/') + 1));
    throw new NotSent(
      l10n.t('The file "{0}" was not attached in this panel. Choose it again to use it.', name),
    );
  });
}

/** The files with that type of a container which the field takes, so that a WebM may be sound. */
function asFieldsTake(
  files: readonly LocalFile[],
  draft: RunDraft,
  { modes }: RunOrder['contract'],
): LocalFile[] {
  const mode = modes.find(({ name }) => name === draft.mode);
  return files.map((file) => {
    const { contentType, filename } = file.source;
    const field = Object.keys(draft.input).find((name) => localRefs(draft.input[name]!).includes(file.uri));
    if (!mode || field === undefined || siblingType(contentType) === undefined) return file;
    const accepted = acceptedType(contentType, acceptedAt(mode, childPointer('/input', field)), filename);
    const mediaType = mediaTypeOf(accepted);
    if (accepted === undefined || mediaType === undefined) return file;
    return { ...file, source: { ...file.source, contentType: accepted, mediaType } };
  });
}

function attachmentsOf(
  files: readonly LocalFile[],
  uploads: ReadonlyMap<string, KnownUpload>,
): RunRecord['attachments'] {
  return files.flatMap(({ uri, source }) => {
    const upload = uploads.get(uri);
    if (!upload) return [];
    const { filename, contentType, sizeBytes } = source;
    return [{ uri, filename, contentType, sizeBytes, sha256: upload.key.sha256, mediaRef: upload.mediaRef }];
  });
}

/** Whether there was an upload to forget. */
async function forgetRejected(
  cache: UploadCache,
  uploads: ReadonlyMap<string, KnownUpload>,
  { status }: Pick<RunRecord, 'status'>,
): Promise<boolean> {
  if (status === undefined || !REJECTIONS.has(status)) return false;
  const reused = [...uploads.values()].filter((upload) => upload.reused);
  await Promise.all(reused.map((upload) => cache.forget(upload.key)));
  return reused.length > 0;
}
