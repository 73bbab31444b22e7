import { inRepository, type Layout } from './layout';

// Registries that keep a schema for each of their entries, often as text.

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

export const REGISTRIES: readonly Layout[] = [
  {
    name: 'Apify: a build with the input of its definition',
    source: inRepository(
      'apify/apify-docs',
      '4416da61289180e10164f90abcf3d58d4be75494',
      'apify-api/openapi/components/schemas/actor-builds/Build.yaml',
    ),
    read: 'the example, in the envelope of the response',
    body: {
      data: {
        id: 'HG7ML7M8z78YcAPEB',
        actId: 'janedoe~my-actor',
        status: 'SUCCEEDED',
        meta: { origin: 'WEB', clientIp: '172.234.12.34' },
        stats: { durationMillis: 1000, computeUnits: 0.012_699 },
        options: { useCache: false, betaPackages: false, memoryMbytes: 1024 },
        usage: { ACTOR_COMPUTE_UNITS: 0.08 },
        usageTotalUsd: 0.02,
        inputSchema: '{\n  "title": "Schema for ..."}',
        readme: '# Magic Actor\nThis Actor is magic.',
        buildNumber: '0.1.1',
        actorDefinition: {
          actorSpecification: 1,
          name: 'example-actor',
          version: '1.0',
          environmentVariables: { DEBUG_MODE: 'false' },
          input: {
            type: 'object',
            properties: {
              prompt: { type: 'string', description: 'The text prompt.' },
              maxTokens: { type: 'integer', description: 'The maximum number of tokens.' },
            },
            required: ['prompt'],
          },
          storages: {
            dataset: {
              type: 'object',
              $schema: 'http://json-schema.org/draft-07/schema#',
              properties: { id: { type: 'string' }, text: { type: 'string' } },
              required: ['id', 'text'],
            },
          },
        },
      },
    },
    input: { prompt: 'string!', maxTokens: 'integer' },
    at: '/data/actorDefinition/input',
  },
  {
    name: 'Amazon API Gateway: a model whose schema is text',
    source: 'https://docs.aws.amazon.com/boto3/latest/reference/services/apigatewayv2/client/get_model.html',
    read: 'the response structure: Schema is "JSON schema draft 4 model" as a string',
    body: {
      ContentType: 'application/json',
      Description: 'x',
      ModelId: 'a1',
      Name: 'm',
      Schema: JSON.stringify({ $schema: 'http://json-schema.org/draft-04/schema#', title: 'M', ...text }),
    },
    input: { text: 'string!' },
    at: '/Schema',
  },
  {
    name: 'NAVER Cloud API Gateway: a body model as text',
    source: 'https://api.ncloud-docs.com/docs/en/ai-application-service-apigateway-model',
    read: 'the response of Get a model',
    body: {
      modelDescription: 'modelDescription',
      modelName: 'm',
      modelId: 'a1',
      modelSchema: JSON.stringify(text),
      apiId: 'b2',
    },
    input: { text: 'string!' },
  },
  {
    name: 'watsonx.ai: fields in records of an input schema',
    source: 'https://ibm.github.io/watsonx-ai-node-sdk/interfaces/0_1_x.WatsonXAI.DataSchema.html',
    read: 'DataSchema and ModelEntitySchemas; fields as in datarecord-metadata-v2-schema, filled in',
    body: {
      metadata: { id: 'm', name: 'M' },
      entity: {
        type: 'scikit-learn_1.1',
        schemas: {
          input: [
            {
              id: 'in',
              type: 'struct',
              fields: [
                { name: 'age', type: 'integer' },
                { name: 'sex', type: 'string' },
              ],
            },
          ],
          output: [{ id: 'out', fields: [{ name: 'p', type: 'double' }] }],
        },
      },
    },
    input: { in: 'object' },
  },
  {
    name: 'Vertex AI: addresses of schemas only',
    source:
      'https://docs.cloud.google.com/java/docs/reference/google-cloud-aiplatform/3.9.0/com.google.cloud.aiplatform.v1.PredictSchemataOrBuilder',
    read: 'instanceSchemaUri and parametersSchemaUri point to files that are not in the body',
    body: {
      name: 'publishers/google/models/m',
      predictSchemata: {
        instanceSchemaUri: 'gs://x/instance.yaml',
        parametersSchemaUri: 'gs://x/params.yaml',
        predictionSchemaUri: 'gs://x/prediction.yaml',
      },
    },
  },
];
