import * as z from 'zod/mini';
import type { Json, JsonObject } from '../domain/json';
import { LONGEST_POINTER, POINTER_PATTERN } from '../domain/pointer';
import { REQUEST_FIELDS } from '../domain/requestFaults';

/**
 * The format of `NAME.run.json`, once: the JSON schema in `schemas/run-file.schema.json` is made of it, and
 * docs/run-files.md explains it. Members that are not named here are kept and reported.
 */

/** The version of the format that this code writes. A file without `version` is of version 1. */
export const RUN_FILE_VERSION = 1;

/** The ending of a run file's name. */
export const RUN_FILE_SUFFIX = '.run.json';

/** Values come from `parseText`, which makes nothing but JSON: checking them again would only fill the schema. */
const json = z.any() as z.ZodMiniType<Json, Json>;
const jsonObject = z.record(z.string(), z.any()) as z.ZodMiniType<JsonObject, JsonObject>;

const about = <T extends z.ZodMiniType>(schema: T, description: string): T =>
  schema.check(z.describe(description)) as T;

const near = about(
  z.strictObject({ value: z.number(), tolerance: z.number().check(z.gte(0)) }),
  'The value is a number at most "tolerance" away from "value".',
);

/** One expectation of a run file, and one check of an experiment. */
export const expectedCheck = about(
  z.strictObject({
    status: z.optional(
      about(
        z.union([z.enum(['finished', 'accepted', 'failed']), z.int().check(z.gte(100), z.lte(599))]),
        'The state of the run, or the HTTP status of its response. Without it, the run must finish.',
      ),
    ),
    at: z.optional(
      about(
        z.string().check(z.maxLength(LONGEST_POINTER), z.regex(POINTER_PATTERN)),
        'JSON pointer (RFC 6901) to the value to check: "" is the whole result, "/label" a member.',
      ),
    ),
    in: z.optional(
      about(
        z.enum(['result', 'response']),
        'What "at" points into: the result as Preview shows it, or the whole response body.',
      ),
    ),
    equals: z.optional(about(json, 'The value equals this JSON value; members in any order.')),
    contains: z.optional(
      about(json, 'A string contains this text, a list this item, an object these members.'),
    ),
    matches: z.optional(about(z.string(), 'A string matches this regular expression.')),
    near: z.optional(near),
    oneOf: z.optional(about(z.array(json), 'The value is one of these.')),
    schema: z.optional(
      about(z.union([z.boolean(), jsonObject]), 'The value is valid against this JSON Schema.'),
    ),
    hitsContain: z.optional(
      about(z.array(z.union([z.string(), z.number()])), 'The search hits contain all of these IDs.'),
    ),
    maxCost: z.optional(
      about(z.number().check(z.gte(0)), 'The run costs at most this much, in the currency of the service.'),
    ),
    maxSeconds: z.optional(
      about(
        z.number().check(z.gte(0)),
        'The response arrives at most this many seconds after the request was sent.',
      ),
    ),
  }),
  'One expectation; every member of it is checked and shown on its own.',
);
export type ExpectedCheck = z.infer<typeof expectedCheck>;

export const runFile = z.looseObject({
  version: z.optional(about(z.literal(RUN_FILE_VERSION), 'Version of this format.')),
  name: z.optional(about(z.string(), 'Name of the run, shown in lists instead of the file name.')),
  description: z.optional(about(z.string(), 'What the run is for.')),
  environment: z.optional(
    about(
      z.string(),
      'Name of the environment to run in. Its address and key are in the settings of each user.',
    ),
  ),
  model: about(z.string(), 'Slug of the model.'),
  mode: z.optional(about(z.string(), 'Operation to run; "execute" if it is missing.')),
  scope: z.optional(
    about(z.string(), 'Namespace of the indexed dataset; required for "index" and "search".'),
  ),
  input: about(
    jsonObject,
    'Input of the model. A local file is a media object with a path relative to this file: { "media_ref": "./cat.png" }.',
  ),
  params: z.optional(about(jsonObject, 'Parameters of the model.')),
  options: z.optional(about(jsonObject, 'Execution options.')),
  expect: z.optional(
    about(z.array(expectedCheck), 'What the outcome must be. A file with expectations is a test.'),
  ),
});

/** Members at the top of a run file: those of the request, and its own. */
export const RUN_FILE_FIELDS: readonly string[] = [
  '$schema',
  'version',
  'name',
  'description',
  'environment',
  ...REQUEST_FIELDS,
  'expect',
];

/** The members of a check that look at the value of `at`. */
export const VALUE_CHECKS = ['equals', 'contains', 'matches', 'near', 'oneOf', 'schema'] as const;
export type ValueCheck = (typeof VALUE_CHECKS)[number];
