import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../domain/json';
import { localMedia, withUploadedRefs } from '../../domain/media';
import type { Price } from '../../domain/model';
import type { RunResponse } from '../../domain/response';
import type { RunRequest } from '../../domain/run';
import { type JobWork, type RunOutcome, SentElsewhere } from '../../jobs/jobWork';
import { jobRunId } from '../../runs/jobRun';
import type { JobRunOrder } from '../../runs/runs';
import type { KnownUpload } from '../../runs/uploads/uploadFiles';
import type { BulkThrottle } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { JobItem } from '../../store/jobKind';
import { acceptedText } from '../../wording/errors';
import { unclearText } from '../../wording/runStates';
import type { ItemFile } from '../file/items';
import type { LoadedExperiment } from '../file/load';
import { bodyName, keptResult } from '../results/resultBody';
import type { Claims } from './claims';
import type { ExperimentRun } from './experimentKind';
import type { RunPayload } from './outcomes';

/** The local files of an experiment at the service: each content is uploaded once, for all runs that wait for it. */
class UploadsOnce {
  readonly #uploads = new Map<string, Promise<KnownUpload>>();
  readonly #refs = new Map<string, string>();

  /** @param upload uploads a file, or finds the reference of its content */
  constructor(private readonly upload: (file: ItemFile, signal: AbortSignal) => Promise<KnownUpload>) {}

  /** Resolves to whether the reference is from an earlier job. @throws when the content differs from the planned one */
  async take(file: ItemFile, signal: AbortSignal): Promise<boolean> {
    const uploading = this.#uploads.get(file.sha256) ?? this.upload(file, signal);
    this.#uploads.set(file.sha256, uploading);
    try {
      const { mediaRef, key, reused } = await uploading;
      if (key.sha256 !== file.sha256)
        throw new Error(l10n.t('The file has changed. Run the experiment again.'));
      this.#refs.set(file.uri, mediaRef);
      return reused;
    } catch (error) {
      this.#uploads.delete(file.sha256);
      throw error;
    }
  }

  has({ uri }: ItemFile): boolean {
    return this.#refs.has(uri);
  }

  /** The service's references, by the files' URIs. */
  get refs(): ReadonlyMap<string, string> {
    return this.#refs;
  }

  /** The reference was rejected: the next `take` uploads the file. Resolves to the upload to forget. */
  async drop(file: ItemFile): Promise<KnownUpload['key'] | undefined> {
    const known = await this.#uploads.get(file.sha256)?.catch(() => undefined);
    this.#uploads.delete(file.sha256);
    this.#refs.delete(file.uri);
    return known?.key;
  }
}

/** One paid run, as a job sends it. */
type OneRun = Omit<JobRunOrder, 'environment' | 'timeoutMs'>;

/** The surroundings that the runs of an experiment need. They throw the same errors as `JobWork`. */
export interface ExperimentPorts {
  /** Uploads a file, or finds the reference of its content. */
  upload(file: ItemFile, signal: AbortSignal): Promise<KnownUpload>;
  /** A reference that was used again has been rejected. */
  forget(key: KnownUpload['key']): Promise<void>;
  /** Admitted by the budget, sent at most once. */
  run(order: OneRun): Promise<RunResponse>;
  priceOf(request: RunRequest): Price | undefined;
  throttle?(): BulkThrottle | undefined;
  concurrency(): number;
}

type Run = JobItem<ExperimentRun>;

/** The port to the results of an experiment: a job claims its runs there and reports their outcomes. */
export interface RunResults {
  readonly claims: Pick<Claims, 'take' | 'giveBack'>;
  /** Name of the folder of large results. */
  readonly folder: string;
  /** The time of the last line of a run, in milliseconds since the epoch; 0: there is none. */
  lastAt(customId: string): number;
  /** Whether a job of another results file has sent the same request since the runs were chosen. */
  isElsewhere(customId: string): boolean;
  /** Whether the columns that show a run have ended. */
  isEnded(customId: string): boolean;
  /** The outcomes of these runs are in the store. Resolves when they count for `isEnded`. */
  recorded(customIds: readonly string[]): Promise<void> | undefined;
  /** The results file cannot be written: a run without its line in the file must not be sent. */
  cannotWrite(error: unknown): void;
}

/** The results file says that the run is ours, before it leaves. @throws SentElsewhere where it is not */
async function claim(
  { claims, cannotWrite, isElsewhere }: RunResults,
  { customId }: Run,
  sentAt: number,
): Promise<void> {
  if (isElsewhere(customId)) throw new SentElsewhere();
  const isOurs = await claims.take(customId, sentAt).catch((error: unknown) => {
    cannotWrite(error);
    throw new ServiceError('cancelled', { cause: error });
  });
  if (!isOurs) throw new SentElsewhere();
}

/**
 * The runs of an experiment as a job: files are uploaded, each run is a request of its own.
 * @param results where the runs are claimed and their outcomes kept
 */
export function experimentWork(
  loaded: LoadedExperiment,
  ports: ExperimentPorts,
  results: RunResults,
): JobWork<ExperimentRun, RunPayload> {
  const cells = new Map(loaded.plan.runs.map((cell) => [cell.customId, cell]));
  const uploads = new UploadsOnce((file, signal) => ports.upload(file, signal));
  // A job is planned and sent in one process: its runs are those of the loaded plan.
  const requestOf = ({ customId }: ExperimentRun): RunRequest => cells.get(customId)!.request;
  const localFilesOf = (run: ExperimentRun) => filesIn(requestOf(run), loaded.files);
  const work: JobWork<ExperimentRun, RunPayload> = {
    async run([first], turn, abandon, sentAt, mayLeave, onAccepted) {
      const run = first!;
      const request = uploaded(requestOf(run), uploads.refs);
      let startedAt: number | undefined;
      const response = await ports.run({
        id: jobRunId(run.customId, sentAt),
        request,
        announce: () => claim(results, run, sentAt),
        turn,
        abandon,
        mayLeave,
        onAccepted,
        items: Math.max(1, localMedia(requestOf(run).input).length),
        price: ports.priceOf(request),
        onPhase: (phase) => {
          if (phase === 'sending') startedAt = Date.now();
        },
      });
      return readRunOutcome(response, startedAt, run, results.folder);
    },
    returned(runs) {
      for (const { customId } of runs) results.claims.giveBack(customId);
    },
    lastAt: ({ customId }) => results.lastAt(customId),
    isWanted: ({ customId }) => !results.isEnded(customId),
    settled: (runs) => results.recorded(runs.map(({ customId }) => customId)),
    batchSize: () => 1,
    concurrency: () => ports.concurrency(),
    throttle: () => ports.throttle?.(),
  };
  if (loaded.files.size === 0) return work;
  return {
    ...work,
    async prepare(run, signal) {
      if (results.isEnded(run.customId)) return { fields: {} };
      const reused = await Promise.all(localFilesOf(run).map((file) => uploads.take(file, signal)));
      return { fields: {}, reused: reused.includes(true) };
    },
    isStillReady: (run) =>
      results.isEnded(run.customId) || localFilesOf(run).every((file) => uploads.has(file)),
    async renew(run) {
      for (const file of localFilesOf(run)) {
        const key = await uploads.drop(file);
        if (key) await ports.forget(key);
      }
    },
  };
}

/** The local files of a request, each once. */
function filesIn({ input, params }: RunRequest, files: ReadonlyMap<string, ItemFile>): ItemFile[] {
  const uris = new Set([...localMedia(input), ...localMedia(params)].map(({ media_ref: uri }) => uri));
  return [...uris].flatMap((uri) => files.get(uri) ?? []);
}

function uploaded(request: RunRequest, refs: ReadonlyMap<string, string>): RunRequest {
  const sent = (part: JsonObject) => withUploadedRefs(part, refs);
  return { ...request, input: sent(request.input), params: sent(request.params) };
}

/** @param folder name of the folder of large results */
export function readRunOutcome(
  response: RunResponse,
  startedAt: number | undefined,
  run: Run,
  folder: string,
): RunOutcome<ExperimentRun, RunPayload> {
  return { ...runOutcome(response, run), payload: runPayload(response, startedAt, run, folder) };
}

function runPayload(
  response: RunResponse,
  startedAt: number | undefined,
  { item, customId }: Run,
  folder: string,
): RunPayload {
  const kept = response.state === 'accepted' ? undefined : keptResult(response);
  const { files = [], ...members } = kept ?? {};
  return {
    startedAt,
    durationMs: startedAt === undefined ? undefined : Date.now() - startedAt,
    members: { ...members, ...(kept && response.raw.hasOddValues && { odd_values: true }) },
    files: files.map(({ extension, bytes }, at) => ({
      name: bodyName(folder, item, customId, extension, at + 1),
      bytes,
    })),
  };
}

function runOutcome(response: RunResponse, run: Run): RunOutcome<ExperimentRun, RunPayload> {
  const { state, message, runId, cost, raw } = response;
  const facts = { ...(runId !== undefined && { runId }), ...(cost && { cost }) };
  if (state === 'finished') return { outcome: 'done', ...facts };
  if (state === 'accepted' || state === 'unclear') {
    const reason = state === 'accepted' ? acceptedText(response) : unclearText();
    const kept = state === 'unclear' && { kept: raw };
    return { outcome: 'unknown', unconfirmed: new Map([[run, reason]]), ...kept, ...facts };
  }
  const reason = message ?? l10n.t('The run failed; the service gave no reason.');
  return { outcome: 'failed', failed: new Map([[run, reason]]), ...facts };
}
