import { inRepository, type Layout } from './layout';

// Services that host models for others.

const sdxl = {
  openapi: '3.0.2',
  info: { title: 'Cog', version: '0.1.0' },
  paths: {
    '/': { get: { summary: 'Root', operationId: 'root__get' } },
    '/health-check': { get: { summary: 'Healthcheck' } },
    '/predictions': {
      post: {
        summary: 'Predict',
        operationId: 'predict_predictions_post',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/PredictionRequest' } } },
        },
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/PredictionResponse' } } },
          },
        },
      },
    },
    '/predictions/{prediction_id}': { put: { summary: 'Predict Idempotent' } },
    '/predictions/{prediction_id}/cancel': { post: { summary: 'Cancel' } },
    '/shutdown': { post: { summary: 'Start Shutdown' } },
  },
  components: {
    schemas: {
      Input: {
        type: 'object',
        title: 'Input',
        properties: {
          prompt: { type: 'string', title: 'Prompt', default: 'An astronaut riding a rainbow unicorn' },
          image: { type: 'string', title: 'Image', format: 'uri', 'x-order': 2 },
          width: { type: 'integer', title: 'Width', default: 1024 },
          refine: {
            enum: ['no_refiner', 'expert_ensemble_refiner', 'base_image_refiner'],
            type: 'string',
            default: 'no_refiner',
          },
          scheduler: { allOf: [{ $ref: '#/components/schemas/scheduler' }], default: 'K_EULER' },
        },
      },
      scheduler: { enum: ['DDIM', 'K_EULER'], type: 'string', description: 'An enumeration.' },
      Output: { type: 'array', items: { type: 'string', format: 'uri' } },
      PredictionRequest: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          input: { $ref: '#/components/schemas/Input' },
          webhook: { type: 'string', format: 'uri' },
          created_at: { type: 'string', format: 'date-time' },
          output_file_prefix: { type: 'string' },
          webhook_events_filter: { type: 'array', items: { type: 'string' } },
        },
      },
      PredictionResponse: {
        type: 'object',
        properties: {
          input: { $ref: '#/components/schemas/Input' },
          output: { $ref: '#/components/schemas/Output' },
        },
      },
    },
  },
};
const sdxlInput = {
  prompt: 'string',
  image: 'string',
  width: 'integer',
  refine: 'string',
  scheduler: 'string',
};

export const HOSTS: readonly Layout[] = [
  {
    name: 'Replicate: a model with latest_version.openapi_schema and default_example',
    source: inRepository(
      'replicate/replicate-python',
      '0110c2c5639763a44e73d69011eaec28a15334f7',
      'tests/cassettes/models-get.yaml',
    ),
    read: 'the recorded response of GET /v1/models/stability-ai/sdxl; here with five of its fields',
    body: {
      url: 'https://replicate.com/stability-ai/sdxl',
      owner: 'stability-ai',
      name: 'sdxl',
      visibility: 'public',
      run_count: 20_000_000,
      cover_image_url: 'https://replicate.delivery/x.png',
      default_example: {
        completed_at: '2023-08-04T23:24:19.226384Z',
        input: { prompt: 'An astronaut', width: 768, refine: 'expert_ensemble_refiner' },
        metrics: { predict_time: 3.9 },
        output: ['https://replicate.delivery/out-0.png'],
        status: 'succeeded',
        urls: { get: 'https://api.replicate.com/v1/predictions/a' },
        version: '39ed52f2',
      },
      latest_version: { id: '39ed52f2', created_at: '2023-10', cog_version: '0.8.6', openapi_schema: sdxl },
    },
    input: sdxlInput,
    examples: 1,
    at: '/latest_version/openapi_schema/components/schemas/Input',
  },
  {
    name: 'fal: a model with its OpenAPI document, metadata beside it',
    source: 'https://fal.ai/docs/api-reference/platform-apis/openapi/v1.json',
    read: 'GET /models, find mode; the fields of FluxSchnellInput as public clients have recorded them',
    body: {
      models: [
        {
          endpoint_id: 'fal-ai/flux/schnell',
          metadata: { display_name: 'FLUX.1 [schnell]', category: 'text-to-image', status: 'active' },
          openapi: {
            openapi: '3.0.4',
            info: { title: 'Queue OpenAPI for fal-ai/flux/schnell', version: '1.0.0' },
            components: {
              schemas: {
                QueueStatus: { type: 'object', properties: { status: { type: 'string' } } },
                FluxSchnellInput: {
                  title: 'SchnellTextToImageInput',
                  type: 'object',
                  'x-fal-order-properties': ['prompt', 'seed', 'num_images'],
                  required: ['prompt'],
                  properties: {
                    prompt: { type: 'string', title: 'Prompt' },
                    seed: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
                    num_images: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
                  },
                },
              },
            },
            paths: {
              '/fal-ai/flux/schnell/requests/{request_id}/status': { get: {} },
              '/fal-ai/flux/schnell/requests/{request_id}/cancel': { put: {} },
              '/fal-ai/flux/schnell': {
                post: {
                  requestBody: {
                    required: true,
                    content: {
                      'application/json': { schema: { $ref: '#/components/schemas/FluxSchnellInput' } },
                    },
                  },
                },
              },
            },
          },
        },
      ],
      has_more: false,
    },
    input: { prompt: 'string!', seed: 'any', num_images: 'integer' },
  },
  {
    name: 'Hugging Face: the specification of an inference task',
    source: inRepository(
      'huggingface/huggingface.js',
      'fe42e68017ffc76d09922ea8f9b38a6964345710',
      'packages/tasks/src/tasks/summarization/spec/input.json',
    ),
    read: 'the file; here with two of its parameters',
    body: {
      $id: '/inference/schemas/summarization/input.json',
      $schema: 'http://json-schema.org/draft-06/schema#',
      description: 'Inputs for Summarization inference',
      title: 'SummarizationInput',
      type: 'object',
      properties: {
        inputs: { description: 'The input text to summarize.', type: 'string' },
        parameters: {
          description: 'Additional inference parameters',
          $ref: '#/$defs/SummarizationParameters',
        },
      },
      $defs: {
        SummarizationParameters: {
          title: 'SummarizationParameters',
          type: 'object',
          properties: {
            clean_up_tokenization_spaces: { type: 'boolean' },
            truncation: { type: 'string', oneOf: [{ const: 'do_not_truncate' }, { const: 'only_first' }] },
          },
        },
      },
      required: ['inputs'],
    },
    input: { inputs: 'string!', parameters: 'object' },
  },
  {
    name: 'Cloudflare Workers AI: a model with its schema',
    source: inRepository(
      'cloudflare/cloudflare-docs',
      '08f6e6119ec6f3495dbf5b5bcc07b1c97ab55511',
      'src/content/workers-ai-models/flux-1-schnell.json',
    ),
    read: 'the file',
    body: {
      name: '@cf/black-forest-labs/flux-1-schnell',
      properties: [{ property_id: 'terms', value: 'https://bfl.ai/legal/terms-of-service' }],
      id: '9e087485-23dc-47fa-997d-f5bfafc0c7cc',
      source: 1,
      task: { id: '3d6e1f35', name: 'Text-to-Image', description: 'Generates images from input text.' },
      created_at: '2024-08-29 16:37:39.541',
      tags: [],
      schema: {
        input: {
          type: 'object',
          properties: {
            prompt: { type: 'string', minLength: 1, maxLength: 2048 },
            steps: { type: 'integer', maximum: 8 },
          },
          required: ['prompt'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          contentType: 'application/json',
          properties: { image: { type: 'string', description: 'The generated image in Base64 format.' } },
        },
      },
      deprecated: false,
    },
    input: { prompt: 'string!', steps: 'integer' },
    at: '/schema/input',
  },
];
