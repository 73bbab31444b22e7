import { inRepository, type Layout } from './layout';

// Tools and functions, as models are told of them.

export const TOOLS: readonly Layout[] = [
  {
    name: 'OpenAI: a function tool',
    source: inRepository('openai/openai-openapi', 'f85dbe223d40e1a31cba812ab2d755c7e98a92a3', 'openapi.yaml'),
    read: 'a tool in the examples of POST /chat/completions',
    body: {
      type: 'function',
      function: {
        name: 'get_current_weather',
        description: 'Get the current weather in a given location',
        parameters: {
          type: 'object',
          properties: {
            location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
            unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
          },
          required: ['location'],
        },
      },
    },
    input: { location: 'string!', unit: 'string' },
  },
  {
    name: 'Anthropic: a tool',
    source: inRepository(
      'anthropics/anthropic-sdk-python',
      '009b035305e0724ce108ebd796935f91711fc6e1',
      'examples/tools.py',
    ),
    read: 'the tool in the example',
    body: {
      name: 'get_weather',
      description: 'Get the weather for a specific location',
      input_schema: { type: 'object', properties: { location: { type: 'string' } } },
    },
    input: { location: 'string' },
  },
  {
    name: 'Gemini: function declarations, types in capitals',
    source: inRepository(
      'google-gemini/cookbook',
      'f1e7e3de6004e6ca604b174684ecf89d628ac6c4',
      'quickstarts/rest/Function_calling_REST.ipynb',
    ),
    read: 'find_movies in the request that writes OBJECT and STRING',
    body: {
      functionDeclarations: [
        {
          name: 'find_movies',
          description: 'find movie titles currently playing in theaters',
          parameters: {
            type: 'OBJECT',
            properties: {
              location: { type: 'STRING', description: 'The city and state' },
              description: { type: 'STRING', description: 'Any kind of description' },
            },
            required: ['description'],
          },
        },
      ],
    },
    modes: ['find_movies'],
    input: { location: 'string', description: 'string!' },
  },
  {
    name: 'Gemini: parameters as JSON Schema',
    source: 'https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration',
    read: 'the example under parametersJsonSchema',
    body: {
      functionDeclarations: [
        {
          name: 'register',
          parametersJsonSchema: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            additionalProperties: false,
            required: ['name', 'age'],
            propertyOrdering: ['name', 'age'],
          },
        },
      ],
    },
    modes: ['register'],
    input: { name: 'string!', age: 'integer!' },
  },
  {
    name: 'Model Context Protocol: the result of tools/list',
    source: inRepository(
      'modelcontextprotocol/modelcontextprotocol',
      'b0f60ba5409db7a6582440a7b473cc0398890f15',
      'schema/draft/examples/ListToolsResult/tools-list-with-cursor-and-ttl.json',
    ),
    read: 'the file',
    body: {
      resultType: 'complete',
      tools: [
        {
          name: 'get_weather',
          title: 'Weather Information Provider',
          description: 'Get current weather information for a location',
          inputSchema: {
            type: 'object',
            properties: { location: { type: 'string', description: 'City name or zip code' } },
            required: ['location'],
          },
          icons: [{ src: 'https://example.com/weather-icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
        },
      ],
      nextCursor: 'next-page-cursor',
      ttlMs: 300_000,
      cacheScope: 'public',
    },
    modes: ['get_weather'],
    input: { location: 'string!' },
  },
  {
    name: 'Model Context Protocol: a tool without parameters',
    source: inRepository(
      'modelcontextprotocol/modelcontextprotocol',
      'b0f60ba5409db7a6582440a7b473cc0398890f15',
      'schema/draft/examples/Tool/with-no-parameters.json',
    ),
    read: 'the file',
    body: {
      name: 'get_current_time',
      description: 'Returns the current server time',
      inputSchema: { type: 'object', additionalProperties: false },
    },
    input: {},
    at: '/inputSchema',
  },
  {
    name: 'Cohere: a tool with parameter definitions',
    source: inRepository(
      'cohere-ai/cohere-developer-experience',
      'e814c8a1822f3b144b3708fdff14c3df0281e961',
      'fern/pages/cookbooks/basic-tool-use.mdx',
    ),
    read: 'the first tool',
    body: {
      name: 'query_daily_sales_report',
      description: 'Connects to a database to retrieve overall sales volumes',
      parameter_definitions: {
        day: { description: 'Retrieves sales data for this day', type: 'str', required: true },
      },
    },
    input: { day: 'string!' },
  },
  {
    name: 'Bedrock: the functions of an action group',
    source: 'https://docs.aws.amazon.com/cdk/api/v2/docs/@aws-cdk_aws-bedrock-alpha.FunctionSchema.html',
    read: 'the example, with the names of types as the API has them',
    body: {
      functionSchema: {
        functions: [
          {
            name: 'searchBooks',
            description: 'Search for books in the library catalog',
            parameters: {
              query: { type: 'string', required: true, description: 'The search query string' },
              maxResults: { type: 'integer', required: false },
              includeOutOfPrint: { type: 'boolean', required: false },
            },
            requireConfirmation: 'DISABLED',
          },
        ],
      },
    },
    modes: ['searchBooks'],
    input: { query: 'string!', maxResults: 'integer', includeOutOfPrint: 'boolean' },
  },
  {
    name: 'Semantic Kernel: the variables of a prompt',
    source: inRepository(
      'MicrosoftDocs/semantic-kernel-docs',
      '8666d652b1f1313a6be0baee91ef11652fc6d3b5',
      'semantic-kernel/concepts/prompts/yaml-schema.md',
    ),
    read: 'the sample, as JSON',
    body: {
      name: 'GenerateStory',
      template: 'Tell a story about {{topic}} that is {{length}} sentences long.',
      template_format: 'handlebars',
      input_variables: [
        { name: 'topic', description: 'The topic of the story.', is_required: true },
        { name: 'length', description: 'The number of sentences in the story.', is_required: true },
      ],
      output_variable: { description: 'The generated story.' },
      execution_settings: {
        service1: { model_id: 'gpt-4', temperature: 0.6 },
        default: { temperature: 0.5 },
      },
    },
    input: { topic: 'any!', length: 'any!' },
  },
];
