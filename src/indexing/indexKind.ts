import * as z from 'zod/mini';
import { agentMark } from '../domain/agentGrant';
import { datasetKey } from '../domain/dataset';
import { jsonObject } from '../domain/json';
import type { JobKind } from '../store/jobKind';

const head = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  modelName: z.string(),
  scope: z.string(),
  mode: z.string(),
  params: jsonObject,
  at: z.number(),
  agent: z.optional(agentMark),
});

const jobFile = z.object({
  uri: z.string(),
  imageId: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  sha256: z.optional(z.string()),
  /** When it became unconfirmed, where the user asked to send it again; milliseconds since the epoch. */
  unconfirmedAt: z.optional(z.number()),
  /** URI of the file that was known under its id when the job was planned, where that was another. */
  replaces: z.optional(z.string()),
});

/** Size and time are those of the moment it was uploaded or read. */
const takenFile = z.extend(jobFile, { mediaRef: z.optional(z.string()) });

export type IndexHead = Readonly<z.infer<typeof head>>;
export type JobFile = Readonly<z.infer<typeof jobFile>>;

export interface IndexItem extends Readonly<z.infer<typeof takenFile>> {
  /** Its content, where that is part of the request. Not kept in the store. */
  text?: string | undefined;
}

/** How indexing jobs are kept on disk. */
export const indexKind: JobKind<IndexHead, IndexItem> = {
  name: 'index',
  head: (value) => head.safeParse(value).data,
  item: (value) => takenFile.safeParse(value).data,
  target: datasetKey,
  key: ({ imageId }) => imageId,
};
