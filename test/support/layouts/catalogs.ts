import { inRepository, type Layout } from './layout';

// Catalogs: lists of models with a contract in each, with a few names of parameters, or with none.

export const CATALOGS: readonly Layout[] = [
  {
    name: 'OpenRouter: a model with its supported parameters',
    source: 'https://openrouter.ai/docs/sdks/typescript/models/modelslistresponse',
    read: 'the example, in the spelling of the response (supported_parameters)',
    body: {
      data: [
        {
          id: 'openai/gpt-4',
          canonical_slug: 'openai/gpt-4',
          name: 'GPT-4',
          created: 1_692_901_234,
          pricing: { prompt: '0.00003', completion: '0.00006' },
          context_length: 8192,
          architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
          top_provider: { is_moderated: true },
          per_request_limits: null,
          supported_parameters: ['temperature', 'top_p', 'max_tokens'],
          default_parameters: null,
        },
      ],
    },
    params: ['temperature', 'top_p', 'max_tokens'],
  },
  {
    name: 'Together: a model without any contract',
    source: inRepository(
      'togethercomputer/openapi',
      '090263aa0fde006d9cd958bef52719958079bbc4',
      'openapi.yaml',
    ),
    read: 'the components ModelInfo and Pricing, with their examples',
    body: [
      {
        id: 'Austism/chronos-hermes-13b',
        object: 'model',
        created: 1_692_896_905,
        type: 'chat',
        display_name: 'Chronos Hermes (13B)',
        organization: 'Austism',
        license: 'other',
        context_length: 2048,
        pricing: { hourly: 0, input: 0.3, output: 0.3, base: 0, finetune: 0 },
      },
    ],
  },
  {
    name: 'Baseten: the metadata of a Truss with an example',
    source: inRepository(
      'basetenlabs/truss',
      '0bee989b9ec85ed9d29374ab4d7e2883e49de87e',
      'docs/examples/01-getting-started-bert.mdx',
    ),
    read: 'config.yaml, as JSON',
    body: {
      model_name: 'bert',
      python_version: 'py310',
      model_metadata: { example_model_input: { text: 'Hello my name is {MASK}' } },
      requirements: ['torch==2.0.1'],
      resources: { cpu: '1', memory: '2Gi', use_gpu: false },
    },
    examples: 1,
  },
  {
    name: 'RunPod: the settings of a container, which are no input',
    source: inRepository(
      'runpod/docs',
      'a900806e253c4f8c16da27d1a4370e72456da4cb',
      'hub/publishing-guide.mdx',
    ),
    read: 'hub.json, shortened',
    body: {
      title: 'Your Tool Name',
      type: 'serverless',
      category: 'language',
      config: {
        runsOn: 'GPU',
        containerDiskInGb: 20,
        presets: [{ name: 'Preset Name', defaults: { STRING_ENV_VAR: 'value1', INT_ENV_VAR: 10 } }],
        env: [
          { key: 'STATIC_ENV_VAR', value: 'static_value' },
          {
            key: 'STRING_ENV_VAR',
            input: {
              name: 'User-friendly Name',
              type: 'string',
              description: 'Description of this input',
              default: 'default value',
              advanced: false,
            },
          },
        ],
      },
    },
  },
];
