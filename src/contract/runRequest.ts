import type { JsonObject } from './model';

/**
 * The body of `POST /api/runs` (section 2.1). Platform-managed fields cannot be expressed.
 * The request shown, copied as code, saved and sent is this one value.
 */
export interface RunRequest {
  readonly model: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly input: JsonObject;
  readonly params: JsonObject;
  readonly options?: JsonObject;
}

/**
 * What a user edits: a run request that is not checked yet, and in which a media object may still point at
 * a local file (`media_ref` is then the file's URI, see `media.ts`).
 */
export interface RunDraft {
  readonly model: string;
  readonly mode: string;
  readonly scope?: string;
  readonly input: JsonObject;
  readonly params: JsonObject;
  readonly options?: JsonObject;
}

/** Something that keeps a draft from being sent, at the place where it can be mended. */
export interface Problem {
  /** RFC 6901 pointer into the run request: "/scope", "/input/images/0/media_ref"; "" for the whole. */
  readonly pointer: string;
  /** A sentence for the user. */
  readonly message: string;
}
