import { inRepository, type Layout } from './layout';

// Nodes, components and actions of workflows, described by lists and tables of fields.

export const WORKFLOWS: readonly Layout[] = [
  {
    name: 'ComfyUI: what /object_info says of a node',
    source: inRepository('Comfy-Org/ComfyUI', 'a125cd84b054a57729b5eecab930ca9408719832', 'nodes.py'),
    read: 'KSampler.INPUT_TYPES, in the record that node_info of server.py makes; six of its inputs',
    body: {
      input: {
        required: {
          model: ['MODEL', { tooltip: 'The model used for denoising the input latent.' }],
          seed: ['INT', { default: 0, min: 0, max: 1000, control_after_generate: true }],
          steps: ['INT', { default: 20, min: 1, max: 10_000 }],
          cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
          sampler_name: [['euler', 'heun'], { tooltip: 'The algorithm used when sampling' }],
          denoise: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
        },
      },
      input_order: { required: ['model', 'seed', 'steps', 'cfg', 'sampler_name', 'denoise'] },
      output: ['LATENT'],
      output_is_list: [false],
      output_name: ['LATENT'],
      name: 'KSampler',
      display_name: 'KSampler',
      python_module: 'nodes',
      category: 'sampling',
      output_node: false,
    },
    input: {
      model: 'any!',
      seed: 'integer!',
      steps: 'integer!',
      cfg: 'number!',
      sampler_name: 'any!',
      denoise: 'number!',
    },
  },
  {
    name: 'Kubeflow: a component',
    source: inRepository(
      'kubeflow/pipelines',
      '7b70c7b95f6832772efd6fd0029a4024491a0f44',
      'test_data/sdk_uncompiled_pipelines/v1/fancy_trainer_component.yaml',
    ),
    read: 'the file, as JSON',
    body: {
      name: 'Trainer',
      description: 'Component to train a model\n',
      inputs: [
        { name: 'examples', description: 'The examples used to train', type: 'Dataset' },
        { name: 'optimizer', description: 'The type of the optimizer', type: 'String' },
        { name: 'n_epochs', description: 'Number of the epochs of training', type: 'Integer' },
      ],
      outputs: [{ name: 'model', description: 'The trained model', type: 'Model' }],
      implementation: {
        container: {
          image: 'gcr.io/my-project/my-fancy-trainer',
          args: ['--input-examples', { inputUri: 'examples' }, '--optimizer', { inputValue: 'optimizer' }],
        },
      },
    },
    input: { examples: 'any', optimizer: 'string', n_epochs: 'integer' },
  },
  {
    name: 'Azure Machine Learning: a component',
    source: inRepository(
      'Azure/azureml-examples',
      '085cd6ea399038c1e07843acff811f34261c0887',
      'cli/assets/component/train.yml',
    ),
    read: 'the file, as JSON',
    body: {
      $schema: 'https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json',
      name: 'train_data_component_cli',
      display_name: 'train_data',
      tags: { author: 'azureml-sdk-team' },
      type: 'command',
      inputs: {
        training_data: { type: 'uri_folder' },
        max_epocs: { type: 'integer', optional: true },
        learning_rate: { type: 'number', default: 0.01, optional: true },
        learning_rate_schedule: { type: 'string', default: 'time-based', optional: true },
      },
      outputs: { model_output: { type: 'uri_folder' } },
      code: './train_src',
    },
    input: {
      training_data: 'any',
      max_epocs: 'integer',
      learning_rate: 'number',
      learning_rate_schedule: 'string',
    },
  },
  {
    name: 'Dify: fields under the names of their types',
    source: inRepository(
      'langgenius/dify-docs',
      '9d8344e72dffb71993ba9874ec762bb5d456ad0f',
      'en/api-reference/openapi_service.json',
    ),
    read: 'the example response of GET /parameters, with a second field from SelectControl',
    body: {
      opening_statement: 'Hello! How can I help you today?',
      suggested_questions: ['What can you do?'],
      suggested_questions_after_answer: { enabled: true },
      speech_to_text: { enabled: false },
      user_input_form: [
        { 'text-input': { label: 'City', variable: 'city', required: true, default: '' } },
        { select: { label: 'Style', variable: 'style', required: false, options: ['formal', 'casual'] } },
      ],
      file_upload: { image: { enabled: true, number_limits: 3, transfer_methods: ['remote_url'] } },
      system_parameters: { file_size_limit: 15, image_file_size_limit: 10 },
    },
    input: { city: 'string!', style: 'any' },
  },
  {
    name: 'n8n: the properties of a node',
    source: inRepository(
      'n8n-io/n8n-docs',
      '062e3960d4c5408dcc0c73ab9e4434c05ad57741',
      'docs/integrations/creating-nodes/build/reference/ui-elements.md',
    ),
    read: 'string, number, options, multi options and collection, in the list that a node has of them',
    body: {
      displayName: 'NASA Pics',
      name: 'nasaPics',
      group: ['transform'],
      version: 1,
      inputs: ['main'],
      outputs: ['main'],
      properties: [
        { displayName: 'Name', name: 'name', type: 'string', required: true, default: 'n8n' },
        {
          displayName: 'Age',
          name: 'age',
          type: 'number',
          typeOptions: { maxValue: 10, minValue: 0, numberStepSize: 1 },
          default: 10,
        },
        {
          displayName: 'Resource',
          name: 'resource',
          type: 'options',
          options: [{ name: 'Image', value: 'image' }],
          default: 'image',
        },
        {
          displayName: 'Events',
          name: 'events',
          type: 'multiOptions',
          options: [{ name: 'Plan Created', value: 'planCreated' }],
          default: [],
        },
        {
          displayName: 'Filters',
          name: 'filters',
          type: 'collection',
          default: {},
          options: [{ displayName: 'Type', name: 'type', type: 'options', options: [], default: '' }],
        },
      ],
    },
    input: { name: 'string!', age: 'number', resource: 'any', events: 'array', filters: 'object' },
  },
  {
    name: 'Zapier: the input fields of an integration’s action',
    source: inRepository(
      'zapier/zapier-platform',
      '72caca155feb8310adf1388becdf6d16241230f6',
      'packages/schema/docs/build/schema.md',
    ),
    read: 'the table and the examples of PlainInputFieldSchema, as inputFields of an operation',
    body: {
      key: 'recipe',
      noun: 'Recipe',
      display: { label: 'Create Recipe', description: 'Creates a new recipe.' },
      operation: {
        perform: '$func$2$f$',
        inputFields: [
          { key: 'name', required: true, type: 'string', helpText: 'The name' },
          { key: 'abc', type: 'string', choices: { mobile: 'Mobile Phone' } },
          { key: 'tags', type: 'string', list: true },
        ],
        sample: { id: 1 },
      },
    },
    input: { name: 'string!', abc: 'string', tags: 'array' },
  },
  {
    name: 'Zapier: the input fields that its partner API gives',
    source: 'https://docs.zapier.com/powered-by-zapier/zap-creation/fields-and-fieldsets.md',
    read: 'the response of POST /actions/core:853266/inputs',
    body: {
      data: [
        {
          type: 'input_field',
          id: 'spreadsheet',
          default_value: '',
          depends_on: [],
          description: 'The spreadsheet to add a new row',
          format: 'SELECT',
          invalidates_input_fields: true,
          is_required: true,
          placeholder: '',
          title: 'Spreadsheet',
          value_type: 'STRING',
        },
      ],
    },
    input: { spreadsheet: 'string!' },
  },
];
