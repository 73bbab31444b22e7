import { inRepository, type Layout } from './layout';

// Nodes, components and actions of workflows, described by lists and tables of fields.

export const WORKFLOWS: readonly Layout[] = [
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
];
