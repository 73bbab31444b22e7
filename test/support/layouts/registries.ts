import type { Layout } from './layout';

// Registries that keep a schema for each of their entries, often as text.

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

export const REGISTRIES: readonly Layout[] = [
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
];
