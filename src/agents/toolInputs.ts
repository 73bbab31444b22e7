import * as z from 'zod/mini';
import type { ToolName } from './toolNames';

/*
 * The arguments of the tools. Their JSON Schemas are those of package.json and of the MCP server, so they keep to the
 * words that every client knows: no references, no unions.
 */

const LONGEST_NAME = 300;
const LONGEST_PATH = 4_000;
const MOST_PATHS = 200;
/** Clients give a call up after 60 s. */
const LONGEST_WAIT_SECONDS = 50;

const name = (text: string) => z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME), z.describe(text));
const path = (text: string) => z.string().check(z.minLength(1), z.maxLength(LONGEST_PATH), z.describe(text));
const count = (text: string) => z.int().check(z.minimum(1), z.maximum(1_000_000), z.describe(text));
const flag = (text: string) => z.boolean().check(z.describe(text));
const json = (text: string) => z.looseObject({}).check(z.describe(text));

const environment = z.optional(
  name(
    'Name of the environment. Leave it out: only the environment that the user allows is used, and every other name is refused.',
  ),
);
const wait_seconds = z.optional(
  z
    .int()
    .check(
      z.minimum(0),
      z.maximum(LONGEST_WAIT_SECONDS),
      z.describe(
        'Seconds to wait for the end, 20 if left out. Work that takes longer continues, and read_results reads it by its handle.',
      ),
    ),
);
const pictures = z.optional(
  flag(
    'Whether pictures of the result are returned as images of at most 512 pixels, true if left out. Their paths are always returned.',
  ),
);
const idempotency_key = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(200),
    z.describe(
      'A new unique text for each call that you mean, and the same text when you repeat a call that was cut off: it is then paid once.',
    ),
  );
const paid = { idempotency_key, wait_seconds, environment } as const;
const model = name('Slug of a model, as find_models lists it.');
const scope = name('Name of the scope.');

export const toolInputs = {
  find_models: z.strictObject({
    text: z.optional(
      z
        .string()
        .check(
          z.maxLength(LONGEST_NAME),
          z.describe(
            'Words that the name, description, group or tags must have. "@image", "@text", "@audio", "@video" and "@price<0.01" are conditions. Missing: all models.',
          ),
        ),
    ),
    environment,
  }),
  describe_model: z.strictObject({ model, environment }),
  estimate_cost: z.strictObject({
    model: z.optional(model),
    mode: z.optional(name('Mode of the model, "execute" if left out.')),
    items: z.optional(count('Files in one run, 1 if left out.')),
    runs: z.optional(count('Number of runs, 1 if left out.')),
    experiment: z.optional(
      path('Path of an experiment (NAME.experiment.json), instead of a model: the cost of its missing runs.'),
    ),
    environment,
  }),
  list_scopes: z.strictObject({ environment }),
  read_results: z.strictObject({
    handle: z.optional(name('The handle that a paid tool returned.')),
    experiment: z.optional(
      path('Path of an experiment (NAME.experiment.json), instead of a handle: the figures of its results.'),
    ),
    from: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(1_000_000_000),
          z.describe('Character to continue at, when an earlier answer was cut.'),
        ),
    ),
    wait_seconds,
    pictures,
    environment,
  }),
  run_model: z.strictObject({
    file: z.optional(path('Path of a run file (NAME.run.json), instead of a model and its input.')),
    model: z.optional(model),
    mode: z.optional(name('Mode of the model, "execute" if left out.')),
    scope: z.optional(scope),
    input: z.optional(
      json(
        'The input, as describe_model lists its fields. A file is {"media_ref": "./PATH"} relative to the workspace folder.',
      ),
    ),
    params: z.optional(json('The parameters.')),
    pictures,
    ...paid,
  }),
  search_scope: z.strictObject({
    file: path('Path of the file to search with.'),
    scope,
    model,
    ...paid,
  }),
  index_files: z.strictObject({
    paths: z.array(path('Path of a file or folder.')).check(z.minLength(1), z.maxLength(MOST_PATHS)),
    scope,
    model,
    retry_failed: z.optional(flag('Whether files that failed before are sent again, false if left out.')),
    ...paid,
  }),
  run_experiment: z.strictObject({
    file: path('Path of the experiment (NAME.experiment.json).'),
    retry_failed: z.optional(flag('Whether failed runs are sent again, false if left out.')),
    ...paid,
  }),
  stop_work: z.strictObject({ handle: name('The handle that a paid tool returned.') }),
} as const satisfies Record<ToolName, z.ZodMiniType>;

export type ToolInput<Name extends ToolName> = z.infer<(typeof toolInputs)[Name]>;

export function inputSchemaOf(tool: ToolName): Record<string, unknown> {
  const { $schema: _draft, ...schema } = z.toJSONSchema(toolInputs[tool], {
    target: 'draft-7',
    io: 'input',
    // An object of any members, in the words that strict clients ask for.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) return;
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = true;
    },
  });
  return schema;
}
