import { inRepository, type Layout } from './layout';

// Servers that publish an OpenAPI document or a schema of their own.

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

export const DOCUMENTS: readonly Layout[] = [
  {
    name: 'TorchServe: a document in which the request has no schema',
    source: inRepository(
      'pytorch/serve',
      '62c4d6a1fdc1d071dbcf758ebd756029af20bd5e',
      'frontend/server/src/test/resources/describe_api.json',
    ),
    read: 'the file, with one of its three paths',
    body: {
      openapi: '3.0.1',
      info: { title: 'RESTful API for: noop', version: '1.0.0' },
      paths: {
        '/prediction/noop': {
          post: {
            description: 'A predict entry point for model: noop.',
            operationId: 'noop',
            parameters: [],
            responses: {
              200: { description: 'OK' },
              500: json({
                type: 'object',
                required: ['code', 'type', 'message'],
                properties: {
                  code: { type: 'integer', description: 'Error code.' },
                  type: { type: 'string', description: 'Error type.' },
                  message: { type: 'string', description: 'Error message.' },
                },
              }),
            },
          },
        },
      },
    },
  },
  {
    name: 'FastAPI: an OpenAPI document with one POST',
    source: inRepository(
      'tiangolo/fastapi',
      '6d9dc39fcb3eb3bcd9c2a693683d68311d1618e0',
      'tests/test_tutorial/test_body/test_tutorial001.py',
    ),
    read: 'what GET /openapi.json gives, shortened',
    body: {
      openapi: '3.1.0',
      info: { title: 'FastAPI', version: '0.1.0' },
      paths: {
        '/items/': {
          post: {
            responses: { 422: json({ $ref: '#/components/schemas/HTTPValidationError' }) },
            summary: 'Create Item',
            operationId: 'create_item_items__post',
            requestBody: { ...json({ $ref: '#/components/schemas/Item' }), required: true },
          },
        },
      },
      components: {
        schemas: {
          Item: {
            title: 'Item',
            required: ['name', 'price'],
            type: 'object',
            properties: {
              name: { title: 'Name', type: 'string' },
              price: { title: 'Price', type: 'number' },
              tax: { title: 'Tax', anyOf: [{ type: 'number' }, { type: 'null' }] },
            },
          },
          HTTPValidationError: {
            title: 'HTTPValidationError',
            type: 'object',
            properties: { detail: { title: 'Detail', type: 'array', items: { type: 'object' } } },
          },
        },
      },
    },
    input: { name: 'string!', price: 'number!', tax: 'any' },
  },
  {
    name: 'Azure Machine Learning: the Swagger document of a scoring endpoint',
    source: inRepository(
      'Azure/azureml-examples',
      '085cd6ea399038c1e07843acff811f34261c0887',
      'cli/endpoints/online/managed/openapi/code-custom/swagger2.json',
    ),
    read: 'the file, shortened',
    body: {
      swagger: '2.0',
      info: { title: 'ML service', description: 'A custom API description', version: '1.0' },
      schemes: ['https'],
      securityDefinitions: { Bearer: { type: 'apiKey', name: 'Authorization', in: 'header' } },
      paths: {
        '/': { get: { operationId: 'ServiceHealthCheck' } },
        '/score': {
          post: {
            operationId: 'RunMLService',
            security: [{ Bearer: [] }],
            parameters: [
              { name: 'serviceInputPayload', in: 'body', schema: { $ref: '#/definitions/ServiceInput' } },
            ],
          },
        },
      },
      definitions: {
        ServiceInput: {
          type: 'object',
          properties: { data: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
        },
        ServiceOutput: { type: 'object', properties: { predict: { type: 'array' } } },
        ErrorResponse: { type: 'object', properties: { message: { type: 'string' } } },
      },
    },
    input: { data: 'array' },
  },
];
