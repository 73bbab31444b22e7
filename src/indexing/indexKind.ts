import * as z from 'zod/mini';
import { datasetKey } from '../domain/dataset';
import type { JobKind } from '../jobs/jobWork';

const head = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  modelName: z.string(),
  scope: z.string(),
  mode: z.string(),
  params: z.record(z.string(), z.json()),
  at: z.number(),
});

const jobFile = z.object({
  uri: z.string(),
  imageId: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  sha256: z.optional(z.string()),
});

/** Size and time are those of the moment it was uploaded or read. */
const uploadedFile = z.object({
  sha256: z.string(),
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  mediaRef: z.optional(z.string()),
});

/** What an indexing job is. */
export type IndexHead = Readonly<z.infer<typeof head>>;
export type JobFile = Readonly<z.infer<typeof jobFile>>;

/** A file of an indexing job. */
export interface IndexItem extends JobFile {
  readonly mediaRef?: string;
  /** Its content, where that stands in the request. Not kept in the journal. */
  text?: string;
}

/** How indexing jobs are kept on disk. */
export const indexKind: JobKind<IndexHead, IndexItem> = {
  head: (line) => head.safeParse(line).data,
  item: (entry) => jobFile.safeParse(entry).data,
  prepared: (line) => uploadedFile.safeParse(line).data,
  target: datasetKey,
  // Text has to be read again.
  isReady: ({ mediaRef }) => mediaRef !== undefined,
};
