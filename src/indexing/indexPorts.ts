import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Environment } from '../domain/environment';
import type { Price } from '../domain/model';
import { textOrThrow } from '../intake/text';
import type { AgentPurse } from '../runs/budget/agentPurse';
import type { Runs } from '../runs/perform';
import type { ServiceClient, UploadSource } from '../service/client';
import type { JobFile } from './indexKind';
import type { IndexPorts, TakenFile } from './indexWork';
import type { PayloadShape } from './payload';

/** Text is part of the request: a larger file is more than a model reads in one piece. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** The files of a job, by URI: VS Code's, or the disk's. Each throws why a file cannot be read. */
export interface JobFiles {
  /** Undefined: there is no such file. */
  facts(uri: string): Promise<{ readonly sizeBytes: number; readonly modifiedMs: number } | undefined>;
  open(uri: string): AsyncIterable<Uint8Array>;
  uploadSource(uri: string): Promise<UploadSource>;
}

/** The services from which the ports of an indexing job are made. */
export interface IndexHost {
  /** The job's. */
  readonly environment: Environment;
  readonly carries: PayloadShape['carries'];
  readonly price?: Price;
  /** Of the agent that started the job; missing: the user did. */
  readonly agent?: AgentPurse;
  readonly files: JobFiles;
  readonly runs: Pick<Runs, 'upload' | 'forgetUpload' | 'performForJob'>;
  /** The client of the job's environment. @throws ServiceError when there is none any more, or it has no key */
  client(): Promise<ServiceClient>;
  concurrency(): number;
  batchSize(): number;
  /** Give up waiting for a run's response after; 0: never. */
  timeoutMs(): number;
}

/** Uploads, text and runs of an indexing job in a window. */
export function indexPorts(host: IndexHost): IndexPorts {
  const { environment, carries, price, agent, files, runs } = host;
  let latest: ServiceClient | undefined;
  const connect = async () => {
    latest = await host.client();
  };
  return {
    async take(file, signal) {
      if (carries === 'text') return readText(files, file, signal);
      await connect();
      const { modifiedMs } = await fileFacts(files, file);
      const source = await files.uploadSource(file.uri);
      const { mediaRef, key, reused } = await runs.upload(
        environment,
        { uri: file.uri, source },
        { signal, bulk: true },
      );
      return { mediaRef, sha256: key.sha256, reused, sizeBytes: source.sizeBytes, modifiedMs };
    },
    async forget({ uri, sha256 }) {
      if (sha256 === undefined) return;
      const { mediaType } = await files.uploadSource(uri);
      await runs.forgetUpload({ baseUrl: environment.baseUrl, sha256, mediaType });
    },
    async run(request, items, turn, abandon, id, mayLeave, onAccepted) {
      await connect();
      return runs.performForJob({
        environment,
        id,
        request,
        items,
        turn,
        abandon,
        mayLeave,
        onAccepted,
        price,
        agent,
        timeoutMs: host.timeoutMs(),
      });
    },
    throttle: () => latest?.bulk,
    concurrency: () => host.concurrency(),
    batchSize: () => host.batchSize(),
  };
}

async function fileFacts(files: JobFiles, { uri }: JobFile) {
  const facts = await files.facts(uri);
  if (!facts) throw new Error(l10n.t('The file no longer exists.'));
  return facts;
}

async function readText(files: JobFiles, file: JobFile, signal: AbortSignal): Promise<TakenFile> {
  const { sizeBytes, modifiedMs } = await fileFacts(files, file);
  if (sizeBytes > MOST_TEXT_BYTES)
    throw new Error(
      l10n.t('The file is larger than {0} MB, the limit for text.', MOST_TEXT_BYTES / 1024 / 1024),
    );
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.open(file.uri)) {
    signal.throwIfAborted();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // The size of the bytes that were read: an editor may have saved in between.
  return { sha256, sizeBytes: bytes.length, modifiedMs, text: textOrThrow(bytes, file.filename) };
}
