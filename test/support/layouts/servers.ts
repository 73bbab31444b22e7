import { inRepository, type Layout } from './layout';

// Servers that run one's own models, and their descriptions.

export const SERVERS: readonly Layout[] = [
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
];
