import { inRepository, type Layout } from './layout';

// Tools and functions, as described to models.

export const TOOLS: readonly Layout[] = [
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
