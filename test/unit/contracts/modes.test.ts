import { list, NONE, of, request, tell } from '../../support/toldContracts';

// Which modes a body has, and in which of its parts they and their schemas are looked for.

describe('Modes are found', () => {
  const [a, b] = [{ input_schema: of('a') }, { input_schema: of('b') }];
  tell([
    [
      'in a table that says which there are',
      { modes: { execute: a, index: false, search: true } },
      'execute a@/modes/execute/input_schema',
      'search documented',
    ],
    [
      'in a list of any name with a mode of the interface, those that have schemas',
      { moons: [{ name: 'search', ...a }, { name: 'chat', ...b }, { name: 'x' }] },
      'search a@/moons/0/input_schema',
      'chat b@/moons/1/input_schema',
    ],
    [
      'not in a list of any name without',
      { moons: [{ name: 'chat', ...a }] },
      'execute a@/moons/0/input_schema',
    ],
    ['in a table of any name', { moons: { search: a } }, 'search a@/moons/search/input_schema'],
    ['not where they are but words', { moons: { search: 'yes', index: {} }, tips: ['execute'] }, NONE],
    [
      'in several lists: those with schemas, and the interface’s own',
      {
        operations: ['index', 'dance'],
        modes: [{ name: 'execute', ...a }],
        actions: [{ name: 'sing', ...b }],
      },
      'execute a@/modes/0/input_schema',
      'index documented',
    ],
    [
      'with schemas before names',
      { modes: ['chat'], operations: [{ name: 'execute', ...a }] },
      'execute a@/operations/0/input_schema',
    ],
    [
      'as names, where nothing else is there',
      { operations: ['read', 'write'] },
      'read unknown',
      'write unknown',
    ],
    ['not as names of anything beside an input', { operations: ['read'], ...a }, 'execute a@/input_schema'],
    ['as names of modes beside an input', { modes: ['read'], ...a }, 'read a@/input_schema'],
    [
      'as lists of fields',
      { modes: { execute: list('a'), search: [{ name: 'b' }] } },
      'execute a@/modes/execute',
      'search b@/modes/search',
    ],
    [
      'as schemas of input or request',
      { modes: { execute: of('a'), search: request(of('b'), of('c')) } },
      'execute a@/modes/execute',
      'search b@/modes/search c@/modes/search',
    ],
    ['with an example', { modes: { execute: { input: { a: 'x' } } } }, 'execute a?@/modes/execute/input'],
    [
      'by the surest name',
      { operations: [{ name: 'chat', ...a }], modes: [{ name: 'talk', ...b }] },
      'talk b@/modes/0/input_schema',
    ],
    [
      'by the nearest list',
      { deep: { modes: [{ name: 'chat', ...a }] }, modes: [{ name: 'talk', ...b }] },
      'talk b@/modes/0/input_schema',
    ],
    [
      'in a list with modes of the interface, before a nearer one',
      {
        x: { modes: [{ name: 'chat', ...a }] },
        y: {
          z: {
            modes: [
              { name: 'talk', ...a },
              { name: 'execute', ...b },
            ],
          },
        },
      },
      'talk a@/y/z/modes/0/input_schema',
      'execute b@/y/z/modes/1/input_schema',
    ],
    [
      'as names beside an input, where one is the interface’s',
      { operations: ['read', 'search'], ...a },
      'read a@/input_schema',
      'search documented',
    ],
    [
      'not where they are archived, while there is another',
      {
        modes: [
          { name: 'execute', ...a, archived: true },
          { name: 'execute', ...b },
        ],
      },
      'execute b@/modes/1/input_schema',
    ],
    [
      'once, the first of several',
      {
        modes: [
          { name: 'execute', ...a },
          { name: 'execute', ...b },
        ],
      },
      'execute a@/modes/0/input_schema',
    ],
  ]);
});

describe('A body is looked through', () => {
  const [a, b] = [{ input_schema: of('a') }, { input_schema: of('b') }];
  tell([
    [
      'into a part with a slug of its own',
      { release: { slug: 'm-v2', ...a }, base: { slug: 'x', ...b } },
      'execute a@/release/input_schema',
    ],
    [
      'not into samples, output and other models',
      { sample_input: a, outputs: a, related: a, responses: a },
      NONE,
    ],
    [
      'into a result that is around the model',
      { result: { slug: 'm', ...a } },
      'execute a@/result/input_schema',
    ],
    ['not into a result beside params of any kind', { params: 'k', result: a }, NONE],
    ['not into a result beside params', { params: list('b'), result: a }, 'execute unknown b@/params'],
    [
      'into a result beside parts that are empty',
      { params: {}, input: null, request: '', result: a },
      'execute a@/result/input_schema',
    ],
    ['not into other text', { notes: JSON.stringify({ x: { b: 1 } }), contract: '{"input": ' }, NONE],
    ['the first version before others', { versions: [a, b] }, 'execute a@/versions/0/input_schema'],
    [
      'the first version, where another name is the same',
      {
        title: 'v2',
        versions: [
          { id: 'v1', ...a },
          { id: 'v2', ...b },
        ],
      },
      'execute a@/versions/0/input_schema',
    ],
    [
      'the first version, where another flag is set',
      { versions: [a, { public: true, is_latest: false, ...b }] },
      'execute a@/versions/0/input_schema',
    ],
    [
      'other values before versions',
      { versions: { one: a }, draft: { x: b } },
      'execute b@/draft/x/input_schema',
    ],
    ['not through lists of three', { facts: [['input_schema', of('a'), 1]] }, NONE],
    [
      'through records with a name twice, each for itself',
      {
        facts: [
          { key: 'input_schema', value: of('a') },
          { key: 'inputSchema', value: of('b') },
        ],
      },
      'execute a@/facts/0/value',
    ],
    [
      'for the model that was asked for, by the last part of its slug',
      [
        { slug: 'o/x', ...a },
        { slug: 'o/M', ...b },
      ],
      'execute b@/1/input_schema',
    ],
    ['for the only model, whatever its slug', [{ slug: 'x', ...a }], 'execute a@/0/input_schema'],
  ]);
});
