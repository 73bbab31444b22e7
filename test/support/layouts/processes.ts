import { inRepository, type Layout } from './layout';

// Processes and pipelines, and the languages for schemas that they are written in.

export const PROCESSES: readonly Layout[] = [
  {
    name: 'OGC API: a process, each of whose inputs has its schema inside',
    source: inRepository(
      'opengeospatial/ogcapi-processes',
      '03b414f36d262617410dae22948162ae55f1866d',
      'core/examples/json/ProcessDescription.json',
    ),
    read: 'some of its inputs and outputs',
    body: {
      id: 'EchoProcess',
      title: 'Echo Process',
      description: 'This process accepts and number of input and simple echoes each input as an output.',
      version: '1.0.0',
      jobControlOptions: ['async-execute', 'sync-execute'],
      inputs: {
        stringInput: {
          title: 'String Literal Input Example',
          description: 'This is an example of a STRING literal input.',
          schema: { type: 'string', enum: ['Value1', 'Value2', 'Value3'] },
        },
        dateInput: { title: 'Date Literal Input Example', schema: { type: 'string', format: 'date-time' } },
        doubleInput: {
          title: 'Bounded Double Literal Input Example',
          schema: {
            type: 'number',
            format: 'double',
            minimum: 0,
            maximum: 10,
            default: 5,
            exclusiveMinimum: true,
          },
        },
        geometryInput: {
          title: 'Geometry input',
          minOccurs: 2,
          maxOccurs: 5,
          schema: {
            oneOf: [
              { type: 'string', contentMediaType: 'application/gml+xml; version=3.2' },
              { format: 'geojson-geometry' },
            ],
          },
        },
        imagesInput: {
          title: 'Inline Images Value Input',
          minOccurs: 1,
          maxOccurs: 150,
          schema: {
            oneOf: [{ type: 'string', contentEncoding: 'binary', contentMediaType: 'image/jp2' }],
          },
        },
      },
      outputs: {
        stringOutput: { schema: { type: 'string', enum: ['Value1', 'Value2', 'Value3'] } },
        dateOutput: { schema: { type: 'string', format: 'date-time' } },
      },
      links: [{ href: 'https://processing.example.org/oapi-p/processes/EchoProcess/execution' }],
    },
    input: {
      stringInput: 'string',
      dateInput: 'string',
      doubleInput: 'number',
      geometryInput: 'array',
      imagesInput: 'any',
    },
    at: '/inputs',
  },
  {
    name: 'AWX: the questions of a survey',
    source: inRepository(
      'ansible/awx',
      '047880b5db910e02e28104633e10e8a94c50828f',
      'awx/api/templates/api/job_template_survey_spec.md',
    ),
    read: 'the more comprehensive example',
    body: {
      name: 'Simple',
      description: 'Description',
      spec: [
        {
          type: 'text',
          question_name: 'reqd',
          question_description: 'I should be required',
          variable: 'reqd_answer',
          choices: '',
          min: '',
          max: '',
          required: true,
          default: 'yes',
        },
        {
          type: 'multiplechoice',
          question_name: 'achoice',
          question_description: 'Need one of these',
          variable: 'single_choice',
          choices: ['one', 'two'],
          min: '',
          max: '',
          required: false,
          default: 'yes',
        },
        {
          type: 'multiselect',
          question_name: 'mchoice',
          question_description: 'Can have multiples of these',
          variable: 'multi_choice',
          choices: ['one', 'two', 'three'],
          min: '',
          max: '',
          required: false,
          default: 'yes',
        },
        {
          type: 'integer',
          question_name: 'integerchoice',
          question_description: 'I need an int here',
          variable: 'int_answer',
          choices: '',
          min: 1,
          max: 5,
          required: false,
          default: '',
        },
        { type: 'float', question_name: 'float', variable: 'float_answer', min: 2, max: 5, default: '' },
      ],
    },
    input: {
      reqd_answer: 'string!',
      single_choice: 'any',
      multi_choice: 'array',
      int_answer: 'integer',
      float_answer: 'number',
    },
    at: '/spec',
  },
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
  {
    name: 'JSON Type Definition: members that must be there, and others',
    source: inRepository(
      'ajv-validator/ajv',
      '02a8005f0b1ae2bc661f9a3f0cbc668f6b7a9c02',
      'docs/json-type-definition.md',
    ),
    read: 'the examples “Most Schemas” and “Ref Schemas” as one, as the input of a model',
    body: {
      slug: 'm',
      input_schema: {
        definitions: { num: { type: 'float64' } },
        properties: {
          num: { type: 'float64' },
          nullableEnum: { enum: ['v1.0', 'v1.2'], nullable: true },
          values: { values: { type: 'int32' } },
          val: { ref: 'num' },
        },
        optionalProperties: { optionalStr: { type: 'string' }, list: { elements: { type: 'uint8' } } },
      },
    },
    input: {
      num: 'number!',
      nullableEnum: 'string!',
      values: 'object!',
      val: 'number!',
      optionalStr: 'string',
      list: 'array',
    },
  },
  {
    name: 'Avro: a record with types that have parts',
    source: inRepository(
      'apache/avro',
      '194c1bc59e1fb0033eb36cc2c8e915869ff1b304',
      'share/test/schemas/interop.avsc',
    ),
    read: 'some of its fields, as the input of a model',
    body: {
      slug: 'm',
      inputSchema: {
        type: 'record',
        name: 'Interop',
        namespace: 'org.apache.avro',
        fields: [
          { name: 'longField', type: 'long' },
          { name: 'stringField', type: 'string' },
          { name: 'doubleField', type: 'double' },
          { name: 'arrayField', type: { type: 'array', items: 'double' } },
          {
            name: 'mapField',
            type: {
              type: 'map',
              values: { type: 'record', name: 'Foo', fields: [{ name: 'label', type: 'string' }] },
            },
          },
          { name: 'unionField', type: ['boolean', 'double', { type: 'array', items: 'bytes' }] },
          { name: 'enumField', type: { type: 'enum', name: 'Kind', symbols: ['A', 'B', 'C'] } },
          {
            name: 'recordField',
            type: {
              type: 'record',
              name: 'Node',
              fields: [
                { name: 'label', type: 'string' },
                { name: 'children', type: { type: 'array', items: 'Node' } },
              ],
            },
          },
        ],
      },
    },
    input: {
      longField: 'integer',
      stringField: 'string',
      doubleField: 'number',
      arrayField: 'array',
      mapField: 'object',
      unionField: 'any',
      enumField: 'string',
      recordField: 'object',
    },
  },
];
