import { inRepository, type Layout } from './layout';

// Servers that run one's own models, and what they say of them.

export const SERVERS: readonly Layout[] = [
  {
    name: 'KServe: the metadata of the open inference protocol',
    source: inRepository(
      'kserve/kserve',
      'aaac4e294dae2c7b1aa1886447793f3aa1c30912',
      'docs/predict-api/v2/required_api.md',
    ),
    read: '$metadata_model_response and $metadata_tensor, filled in',
    body: {
      name: 'bert',
      versions: ['1'],
      platform: 'onnx_onnxv1',
      inputs: [
        { name: 'input_ids', datatype: 'INT64', shape: [-1, 128] },
        { name: 'text', datatype: 'BYTES', shape: [1] },
      ],
      outputs: [{ name: 'logits', datatype: 'FP32', shape: [-1, 2] }],
    },
    input: { input_ids: 'array', text: 'array' },
  },
  {
    name: 'Triton: a minimal model configuration',
    source: inRepository(
      'triton-inference-server/server',
      'e1db8a603d863b1317ee859bdeea2be19959462e',
      'docs/user_guide/model_configuration.md',
    ),
    read: 'the first example, as the JSON of GET v2/models/…/config',
    body: {
      name: 'plan',
      platform: 'tensorrt_plan',
      max_batch_size: 8,
      input: [
        { name: 'input0', data_type: 'TYPE_FP32', dims: [16] },
        { name: 'input1', data_type: 'TYPE_FP32', dims: [16] },
      ],
      output: [{ name: 'output0', data_type: 'TYPE_FP32', dims: [16] }],
    },
    input: { input0: 'array', input1: 'array' },
  },
  {
    name: 'MLflow: a signature with JSON text in it',
    source: inRepository(
      'mlflow/mlflow',
      '001cc178a1442b488da41853c497adc5285a284d',
      'mlflow/models/signature.py',
    ),
    read: 'ModelSignature.to_dict: inputs, outputs and params are JSON text; columns of the guide on signatures',
    body: {
      model_uuid: 'a',
      signature: {
        inputs: JSON.stringify([
          { type: 'double', name: 'sepal_length', required: true },
          { type: 'string', name: 'species', required: false },
        ]),
        outputs: '[{"type": "long", "name": "prediction", "required": true}]',
        params: '[{"name": "temperature", "type": "double", "default": 0.7, "shape": null}]',
      },
    },
    input: { sepal_length: 'number!', species: 'string' },
    params: ['temperature'],
  },
  {
    name: 'BentoML: a service’s routes',
    source: inRepository(
      'bentoml/BentoML',
      '32230a5276a8da8b23c4a06a9ec6272c1993451a',
      'src/_bentoml_sdk/method.py',
    ),
    read: 'APIMethod.schema, of which /schema.json is made',
    body: {
      name: 'Summarization',
      type: 'service',
      routes: [
        {
          name: 'summarize',
          route: '/summarize',
          batchable: false,
          input: {
            type: 'object',
            title: 'Input',
            properties: { text: { type: 'string', title: 'Text' } },
            required: ['text'],
          },
          output: { type: 'string', media_type: 'text/plain' },
          is_task: false,
        },
      ],
    },
    modes: ['summarize'],
    input: { text: 'string!' },
  },
  {
    name: 'H2O: a scorer’s input fields with data types',
    source: inRepository(
      'api-evangelist/h2o-ai',
      'bc2f02acaf2f2c19f270d42e47d55af4e59b8e2d',
      'json-schema/h2o-ai-model-schema.json',
    ),
    read: 'Model, ModelSchema, DataField and DataType, derived from H2O’s model API; filled in',
    body: {
      id: 'm',
      schema: {
        inputFields: [
          { name: 'age', dataType: 'Int32' },
          { name: 'city', dataType: 'Str' },
        ],
        outputFields: [{ name: 'p', dataType: 'Float64' }],
      },
    },
    input: { age: 'integer', city: 'string' },
  },
  {
    name: 'Gradio: the endpoints of an app, in which a parameter has only a label',
    source: inRepository(
      'gradio-app/gradio',
      '375335e60e2b4504a57f3eef0eb6bca3c7bb765a',
      'client/js/src/test/test_data.ts',
    ),
    read: 'response_api_info, the response of GET /info',
    body: {
      named_endpoints: {
        '/predict': {
          parameters: [
            {
              label: 'name',
              type: { type: 'string' },
              python_type: { type: 'str', description: '' },
              component: 'Textbox',
              example_input: 'Hello!!',
            },
          ],
          returns: [
            {
              label: 'output',
              type: { type: 'string' },
              python_type: { type: 'str', description: '' },
              component: 'Textbox',
            },
          ],
        },
      },
      unnamed_endpoints: {},
    },
    modes: ['/predict'],
    input: { name: 'string' },
  },
  {
    name: 'Gradio: the same as its Python client gives it, with types in words',
    source: inRepository(
      'gradio-app/gradio',
      '375335e60e2b4504a57f3eef0eb6bca3c7bb765a',
      'client/python/gradio_client/client.py',
    ),
    read: 'the example of view_api(return_format="dict"), with the first endpoint',
    body: {
      named_endpoints: {
        '/predict': {
          parameters: [
            {
              label: 'num1',
              python_type: 'int | float',
              type_description: 'numeric value',
              component: 'Number',
              example_input: '5',
            },
            {
              label: 'operation',
              python_type: 'str',
              type_description: 'string value',
              component: 'Radio',
              example_input: 'add',
            },
          ],
          returns: [
            {
              label: 'output',
              python_type: 'int | float',
              type_description: 'numeric value',
              component: 'Number',
            },
          ],
        },
      },
    },
    modes: ['/predict'],
    input: { num1: 'number', operation: 'string' },
  },
  {
    name: 'Gradio: parameters with a name and a default',
    source: inRepository('gradio-app/gradio', '375335e60e2b4504a57f3eef0eb6bca3c7bb765a', 'gradio/blocks.py'),
    read: 'get_api_info: label, parameter_name, parameter_has_default, parameter_default, type; filled in',
    body: {
      named_endpoints: {
        '/predict': {
          parameters: [
            {
              label: 'A prompt',
              parameter_name: 'prompt',
              parameter_has_default: false,
              type: { type: 'string' },
              component: 'Textbox',
            },
            {
              label: 'Steps',
              parameter_name: 'steps',
              parameter_has_default: true,
              parameter_default: 4,
              type: { type: 'integer' },
              component: 'Slider',
            },
          ],
          returns: [{ label: 'Output', type: { type: 'string' }, component: 'Textbox' }],
        },
      },
    },
    modes: ['/predict'],
    input: { prompt: 'string!', steps: 'integer' },
  },
];
