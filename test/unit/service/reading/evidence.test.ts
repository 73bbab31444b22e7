import { document, list, NONE, of, RUN, request, type ToldCase, tell } from '../../../support/toldContracts';

// Which of the schemas in a body are those of its modes, by their names and their surroundings.

describe('The choice of a schema by the evidence around it', () => {
  tell([
    [
      'in a text that says that it is of the whole request',
      { parts: [{ kind: 'request', schema: request(of('a'), of('b')) }] },
      'execute a@/parts/0/schema b@/parts/0/schema',
    ],
    ['without a type', { schema: { properties: of('a').properties } }, 'execute a@/schema'],
    [
      'of a mode that stands beside it',
      { about: { mode: 'search', schema: of('a') } },
      'search a@/about/schema',
    ],
    [
      'of an operation beside it',
      { about: { operation: 'index', schema: of('a') } },
      'index a@/about/schema',
    ],
    ['where it may be null', { schema: { ...of('a'), type: ['object', 'null'] } }, 'execute a@/schema'],
    ['not where it is of a text', { schema: { type: 'string' } }, NONE],
    ['not where it is of a text or null', { schema: { type: ['string', 'null'] } }, NONE],
    ['not where it is a text', { schema: 'text' }, NONE],
    ['not where it is data', { schema: { moons: 1 } }, NONE],
    ['not as a list of fields of the output', { kind: 'output', spec: list('a') }, NONE],
    [
      'beside those that are said to be of another part',
      {
        parts: [
          { kind: 'output', schema: of('a') },
          { type: 'parameters', schema: of('b') },
          { kind: 'input', schema: of('c') },
        ],
      },
      'execute c@/parts/2/schema',
    ],
    ['as a list of fields', { spec: list('a') }, 'execute a@/spec'],
    [
      'as a table of fields',
      { fields: { a: { type: 'string' }, b: { allOf: [{}] } } },
      'execute a,b@/fields',
    ],
    [
      'inside fields in either direction',
      { fields: { input: list('a'), output: list('b') } },
      'execute a@/fields/input',
    ],
    ['not as a list of names', { spec: [{ name: 'a' }] }, NONE],
    [
      'by its own name before a vague one',
      { schema: of('a'), input_schema: of('b') },
      'execute b@/input_schema',
    ],
    ['in a document before a vague name', { schema: of('a'), x: document('b') }, `execute b@/x${RUN}`],
    ['by its own name before a document', { input: of('a'), x: document('b') }, 'execute a@/input'],
    [
      'for each mode that is a name in it',
      { input_schema: { execute: of('a'), Search: of('b') } },
      'execute a@/input_schema/execute',
      'Search b@/input_schema/Search',
    ],
    [
      'for each mode of the model',
      { modes: ['chat', 'talk'], input_schema: { Chat: of('a'), talk: of('b') } },
      'chat a@/input_schema/Chat',
      'talk b@/input_schema/talk',
    ],
    [
      'as one where not every name in it is a mode',
      { modes: ['chat'], input_schema: { chat: of('a'), other: of('b') } },
      'chat chat,other@/input_schema',
    ],
    [
      'for each mode that its name is about',
      {
        search_input_schema: of('a'),
        search_params: of('b'),
        execute_request: request(of('c'), of('d')),
        index_notes: of('x'),
      },
      'search a@/search_input_schema b@/search_params',
      'execute c@/execute_request d@/execute_request',
    ],
    ['where it is all that a wrapper holds', { data: of('a') }, 'execute a@/data'],
    [
      'as parts of a request',
      { request: { input: of('a'), params: of('b') } },
      'execute a@/request/input b@/request/params',
    ],
    ['as fields of a request', { request: list('a') }, 'execute a@/request'],
    ['not in data of a request', { request: { a: 'text', n: 1 } }, NONE],
    [
      'in the body of a request',
      { request: { body: { schema: request(of('a'), of('b')) } } },
      'execute a@/request/body/schema b@/request/body/schema',
    ],
    [
      'in the content of a request',
      { request: { content: { 'application/json': { schema: request(of('a')) } } } },
      'execute a@/request/content/application~1json/schema',
    ],
    [
      'not where it allows anything, when another says more',
      { input: { type: 'object' }, schema: of('a') },
      'execute a@/schema',
    ],
    [
      'not where it has but a title',
      { input: { type: 'object', title: 'x' }, schema: of('a') },
      'execute a@/schema',
    ],
    ...[
      { $ref: '#/$defs/A' },
      { allOf: [of('x')] },
      { anyOf: [of('x')] },
      { oneOf: [of('x')] },
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', patternProperties: { x: { type: 'string' } } },
      { type: 'string' },
    ].map(
      (input): ToldCase => [
        `where it says something: ${JSON.stringify(input).slice(0, 50)}`,
        { input, schema: of('b') },
        'execute @/input',
      ],
    ),
    [
      'before an example that is nearer',
      { input: { a: 'x' }, nested: { input_schema: of('b') } },
      'execute b@/nested/input_schema',
    ],
    ...[{ enum: ['x'] }, { default: '' }, { type: 'integer' }].map(
      (more): ToldCase => [
        `not as what a tool takes, for it can be left out: ${JSON.stringify(more)}`,
        { name: 't', parameters: { ...of(), properties: { a: { type: 'string', ...more } }, required: [] } },
        'execute unknown a@/parameters',
      ],
    ),
    ['not as what a tool takes under another name', { params: of('a') }, 'execute unknown a@/params'],
    ['not in a list of fields and other things', { other: [...list('b'), 'x'], more: [] }, NONE],
    [
      'by its own name, where one of its fields has a type',
      { fields_in: [{ name: 'a' }, { name: 'b', type: 'string' }], takes: of('c') },
      'execute a,b@/fields_in',
    ],
  ]);
});
