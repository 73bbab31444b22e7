import { inRepository, type Layout } from './layout';

// Processes and pipelines, and the languages for schemas that they are written in.

export const PROCESSES: readonly Layout[] = [
  {
    name: 'Vertex AI: the parameters of a compiled pipeline',
    source: inRepository(
      'googleapis/python-aiplatform',
      'fdcfc322f26e72084d366bfb4366d22bea448f65',
      'tests/unit/aiplatform/test_pipeline_jobs.py',
    ),
    read: '_TEST_PIPELINE_SPEC_JSON',
    body: {
      pipelineInfo: { name: 'my-pipeline' },
      root: {
        dag: { tasks: {} },
        inputDefinitions: {
          parameters: {
            string_param: { parameterType: 'STRING' },
            bool_param: { parameterType: 'BOOLEAN' },
            double_param: { parameterType: 'NUMBER_DOUBLE' },
            int_param: { parameterType: 'NUMBER_INTEGER' },
            list_int_param: { parameterType: 'LIST' },
            struct_param: { parameterType: 'STRUCT' },
          },
        },
      },
      schemaVersion: '2.1.0',
      components: {},
    },
    input: {
      string_param: 'string',
      bool_param: 'boolean',
      double_param: 'number',
      int_param: 'integer',
      list_int_param: 'array',
      struct_param: 'object',
    },
  },
];
