import * as z from 'zod/mini';
import type { Json, JsonObject } from '../../domain/json';
import { LONGEST_POINTER, MOST_SEGMENTS, POINTER_PATTERN } from '../../domain/pointer';
import { BOX_FORMS } from '../../results/boxes';
import { expectedCheck } from '../../runFiles/format';
import { HIT_METRIC } from '../metrics/hits';
import { IGNORABLE } from '../metrics/ignoring';
import { METRICS, type MetricName } from '../metrics/metrics';
import { JUDGEMENT_KINDS } from '../results/judgements';

/**
 * The format of `NAME.experiment.json`, once; docs/experiments.md explains it. Members that are not named here are
 * kept and reported.
 */

/** The highest number of repeats of a run. */
const MOST_REPEATS = 1000;

/** The version of the format that this code reads. A file without `version` is of version 1. */
export const EXPERIMENT_VERSION = 1;

const json = z.any() as z.ZodMiniType<Json, Json>;
const jsonObject = z.record(z.string(), z.any()) as z.ZodMiniType<JsonObject, JsonObject>;

const about = <T extends z.ZodMiniType>(schema: T, description: string): T =>
  schema.check(z.describe(description)) as T;

const POINTER = z
  .string()
  .check(
    z.maxLength(LONGEST_POINTER),
    z.regex(new RegExp(`^/(?:model|mode|scope|(?:input|params|options)(?:/[^/]*){0,${MOST_SEGMENTS - 1}})$`)),
  );

const range = about(
  z.strictObject({ from: z.number(), to: z.number(), step: z.number().check(z.positive()) }),
  'Numbers from "from" to "to", both included.',
);
const randomRange = about(
  z.strictObject({
    from: z.number(),
    to: z.number(),
    random: about(z.int().check(z.gte(1)), 'How many different numbers are drawn; more keep those of fewer.'),
    seed: about(z.int(), 'Where drawing begins: the same seed draws the same numbers on every machine.'),
    step: z.optional(
      about(
        z.number().check(z.positive()),
        'The numbers are so many steps from "from": 1 for whole numbers. Without it, they are fine.',
      ),
    ),
    scale: z.optional(
      about(z.enum(['linear', 'log']), 'log: as many numbers between 1 and 10 as between 10 and 100.'),
    ),
  }),
  'Numbers drawn at random between "from" and "to".',
);
const varied = about(
  z.union([z.array(json).check(z.minLength(1)), range, randomRange]),
  'The values of a place in the request: a list, a range of numbers, or numbers drawn at random from a range.',
);

const rows = z.strictObject({
  rows: about(z.string(), 'A CSV, TSV or JSONL file, relative to this file.'),
  map: about(z.record(POINTER, z.string()), 'Place in the request → name of a column.'),
  media: z.optional(
    about(
      z.record(POINTER, z.string()),
      'Place in the request → column with the path of a file, relative to this file; the file itself is sent.',
    ),
  ),
  templates: z.optional(
    about(
      z.array(POINTER).check(z.maxLength(20)),
      'Places of the request with text in "run" or "vary", in which {{column}} is the value of that column of the row.',
    ),
  ),
});
/** As long as a path may be. */
const glob = z.string().check(z.maxLength(4_000));
const files = z.strictObject({
  files: about(
    z.union([glob, z.array(glob).check(z.maxLength(100))]),
    'Files by a glob relative to this file; they stay in its folder.',
  ),
  map: about(
    z.record(POINTER, z.enum(['file', 'name', 'text'])),
    'Place in the request → the file itself, its name, or its text.',
  ),
});

const pointer = z.string().check(z.maxLength(LONGEST_POINTER), z.regex(POINTER_PATTERN));
const at = z.optional(
  z.union([
    about(pointer, 'JSON pointer (RFC 6901) to what is compared in the result; "" is the whole result.'),
    about(z.record(z.string(), pointer), 'Model → JSON pointer, where the results of models differ.'),
  ]),
);
/** The compared part of a result: one place, or one for each model. */
export type ComparedPlace = string | Readonly<Record<string, string>>;
const expected = z.union([
  about(z.strictObject({ column: z.string(), at }), 'The expected value is in a column of the rows.'),
  about(z.strictObject({ folder: z.literal(true), at }), 'The name of the folder of a file is its label.'),
  about(
    z.strictObject({ file: z.string().check(z.regex(/^\.[\w.-]+$/)), at }),
    'The expected value is in a file beside the input: ".txt" for photo.png means photo.txt.',
  ),
  about(
    z.strictObject({
      qrels: about(
        z.string(),
        'A file of BEIR (query, hit, grade, with a head) or TREC (query, 0, hit, grade).',
      ),
      column: z.optional(
        about(z.string(), 'Of rows: the column with the id of the query. Of files: their path is the id.'),
      ),
      at,
    }),
    'A file says which hits are right for which query. A grade of 0 is not right.',
  ),
  about(z.strictObject({ judged: z.literal(true) }), 'People judge the outcomes in the table.'),
]);
export type Expected = z.infer<typeof expected>;

const boxForm = z.enum(BOX_FORMS);
const metricName = z.enum(Object.keys(METRICS) as [MetricName, ...MetricName[]]);
/** In thresholds and options of the command line. */
const nameText = z.string().check(z.regex(/^[^\s=<>](?:[^=<>\n]{0,58}[^\s=<>])?$/));
const ownName = z.optional(about(nameText, 'Name of the metric in the table and in "thresholds".'));
const runObject = z.looseObject({
  model: z.optional(z.string()),
  mode: z.optional(z.string()),
  scope: z.optional(z.string()),
  input: z.optional(jsonObject),
  params: z.optional(jsonObject),
  options: z.optional(jsonObject),
});
const rank = z.int().check(z.gte(1), z.lte(999));
const metric = z.union([
  metricName,
  about(
    z.string().check(z.regex(HIT_METRIC)),
    'A metric of the hits of a search, by their first so many: "hit@5", "precision@5", "mrr", "ndcg@10", "recall@10".',
  ),
  z.strictObject({ metric: z.enum(['hit', 'precision', 'ndcg', 'recall']), k: rank }),
  z.strictObject({ metric: z.literal('mrr'), k: z.optional(rank) }),
  z.strictObject({
    metric: metricName,
    tolerance: z.optional(z.number().check(z.gte(0))),
    boxes: z.optional(
      about(
        z.union([boxForm, z.strictObject({ result: z.optional(boxForm), expected: z.optional(boxForm) })]),
        'The form of boxes in lists, for both sides or each: two corners ("xyxy"), a corner and sizes ("xywh"), or the center and sizes ("cxcywh").',
      ),
    ),
    ignore: z.optional(
      about(
        z.array(z.enum(IGNORABLE)).check(z.minLength(1)),
        'Differences of spelling that do not count: "case", "punctuation", "width" (full and half width, other spaces, characters that are not seen) and "number" ("1,5" is 1.5).',
      ),
    ),
  }),
  about(
    z.strictObject({
      check: about(
        expectedCheck,
        'The share of runs that pass this check, as in "expect" of run files. Without "at", the compared part of the result.',
      ),
      name: ownName,
    }),
    'A check of each run.',
  ),
  about(
    z.strictObject({
      judge: about(
        z.union([runObject, z.string()]),
        'The run of the judge, or the path of its run file: {{input}}, {{output}}, {{expected}} and {{other}} in it are filled in.',
      ),
      name: about(nameText, 'Name of the metric in the table and in "thresholds".'),
      at: z.optional(
        about(pointer, 'JSON pointer to the answer in the judge’s result; "" is the whole result.'),
      ),
      output: z.optional(
        about(pointer, 'JSON pointer to {{output}} in the judged result; without it, the compared part.'),
      ),
      rubric: z.optional(
        about(z.strictObject({ from: z.number(), to: z.number() }), 'The answer is a number of this range.'),
      ),
      choices: z.optional(
        about(z.record(z.string(), z.number()), 'The answer is one of these labels. Label → its value.'),
      ),
      pairwise: z.optional(
        about(
          z.strictObject({
            first: z.optional(about(z.string(), 'The answer for {{output}}; "A" without it.')),
            second: z.optional(about(z.string(), 'The answer for {{other}}; "B" without it.')),
            tie: z.optional(about(z.string(), 'The answer for neither; "tie" without it.')),
            baseline: z.optional(
              about(
                z.record(POINTER, json),
                'Values of the column that others are compared with; without it, the first.',
              ),
            ),
          }),
          'The answer says which of {{output}} and {{other}} is better. Asked in both orders.',
        ),
      ),
    }),
    'A model judges each result.',
  ),
]);
export type JudgeEntry = Extract<MetricEntry, { judge: unknown }>;
export type NamedEntry = Extract<MetricEntry, { metric: MetricName }>;
export type MetricEntry = z.infer<typeof metric>;

/** A threshold: an operator and a number. */
export const THRESHOLD = /^\s*(>=|<=|>|<)\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*$/;
const required = about(
  z.string().check(z.regex(THRESHOLD)),
  'What every column must reach: ">= 0.9", "< 2". A name such as "accuracy of /model=x" is about some columns.',
);
const threshold = z.optional(
  z.union([
    required,
    z.strictObject({
      value: required,
      interval: z.optional(
        about(z.literal(true), 'All of the 95% interval must reach it, not the figure alone.'),
      ),
      rows: z.optional(about(z.int().check(z.gte(1)), 'With fewer measured rows it is not reached.')),
    }),
  ]),
);
const thresholds = z.catchall(
  z.object(
    Object.fromEntries(
      [...Object.keys(METRICS), ...JUDGEMENT_KINDS].map((name) => [name, threshold]),
    ) as Record<MetricName | (typeof JUDGEMENT_KINDS)[number], typeof threshold>,
  ),
  threshold,
);

/** Metrics that say right or wrong of each run: whether a column is the best can be certain before its end. */
export const STOP_METRICS = ['accuracy', 'exact', 'contains', 'json_equal'] as const satisfies MetricName[];
const stop = z.strictObject({
  metric: about(
    z.union([z.enum(STOP_METRICS), z.string().check(z.regex(/^hit@[1-9]\d{0,2}$/))]),
    'The metric that the best column is chosen by.',
  ),
  confidence: about(
    z.number().check(z.gte(0.5), z.lte(0.9999)),
    'How certain it must be that a column is not the best: 0.95 drops the best one at most once in 20 experiments.',
  ),
});

export const experimentFile = z.looseObject({
  version: z.optional(about(z.literal(EXPERIMENT_VERSION), 'Version of this format.')),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  environment: z.optional(
    about(
      z.string(),
      'Name of the environment to run in. Its address and key are in the settings of each user.',
    ),
  ),
  run: about(
    z.union([runObject, z.string()]),
    'The run that is varied: as in a run file, or the path of one relative to this file.',
  ),
  vary: z.optional(
    about(z.record(POINTER, varied), 'Place in the request → its values. Every combination is a variation.'),
  ),
  labels: z.optional(
    about(
      z.record(POINTER, z.record(z.string(), z.string())),
      'Place in the request → value, numbers and the like as JSON → its name in the table.',
    ),
  ),
  over: z.optional(about(z.union([rows, files]), 'The inputs: each variation runs over all of them.')),
  repeats: z.optional(about(z.int().check(z.gte(1), z.lte(MOST_REPEATS)), 'How often each run is repeated.')),
  sample: z.optional(
    about(
      z.strictObject({ inputs: z.int().check(z.gte(1)) }),
      'Only so many of the inputs, the same for every variation, chosen at random from "seed".',
    ),
  ),
  seed: z.optional(
    about(
      z.int(),
      'Where the random order of the inputs begins; the same seed runs and chooses the same ones.',
    ),
  ),
  expected: z.optional(expected),
  metrics: z.optional(about(z.array(metric), 'How outcomes are measured.')),
  thresholds: z.optional(
    about(thresholds, 'Metric → what every column must reach, or the command line ends with 1.'),
  ),
  margin: z.optional(
    about(
      z.number().check(z.positive()),
      'A difference of metrics that does not matter: columns are alike once the whole interval of their difference is within it.',
    ),
  ),
  stop: z.optional(
    about(stop, 'Ends a variation once it is certainly not the best: the rest of its runs are not sent.'),
  ),
  failed: z.optional(
    about(
      z.enum(['wrong', 'unmeasured']),
      'Whether failed runs count as wrong, as they do without this, or are not measured. Errors and distances never count them.',
    ),
  ),
});
export type ExperimentFile = z.infer<typeof experimentFile>;
export type Varied = z.infer<typeof varied>;
export type Over = z.infer<typeof rows> | z.infer<typeof files>;
