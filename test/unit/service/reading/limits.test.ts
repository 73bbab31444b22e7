import assert from 'node:assert/strict';
import { readModel } from '../../../../src/service/reading/model';
import { list, NONE, of, request, type ToldCase, tell } from '../../../support/toldContracts';

// How far a body is searched: contracts are among the first and the outer parts, hostile bodies have no end.

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
const nested = (body: object, times: number): object => (times === 0 ? body : { x: nested(body, times - 1) });
const a = { input_schema: of('a') };
const b = { input_schema: of('b') };

describe('A contract is looked for', () => {
  tell([
    ['among 400 members', { ...many(398), ...a }, 'execute a@/input_schema'],
    ['not behind 400 members', { ...many(400), ...a }, NONE],
    ['not in a member after 400 others', { ...many(400), x: a }, NONE],
    ['not in modes behind 400 members', { ...many(400), modes: { search: a } }, NONE],
    ['not in a guess behind 400 members', { ...many(400), takes: of('a') }, NONE],
    ['in 400 items of a list', { parts: [...Array(399).fill(1), a] }, 'execute a@/parts/399/input_schema'],
    ['not behind 400 items of a list', { parts: [...Array(400).fill(1), a] }, NONE],
    ['in ten layers', nested(a, 10), `execute a@${'/x'.repeat(10)}/input_schema`],
    ['not in eleven', nested(a, 11), NONE],
    [
      'in 300 records',
      { parts: [...Array.from({ length: 298 }, () => ({ x: 1 })), a] },
      'execute a@/parts/298/input_schema',
    ],
    ['not behind 300 records', { parts: [...Array.from({ length: 300 }, () => ({ x: 1 })), a] }, NONE],
    ['in JSON text', { spec: JSON.stringify(a) }, 'execute a@/spec'],
    [
      'not in JSON text of more than 1.5 million characters',
      { spec: JSON.stringify({ ...a, long: 'x'.repeat(1_500_000) }) },
      NONE,
    ],
    [
      'not in all of several texts of as many characters together',
      {
        one: { spec: JSON.stringify({ long: 'x'.repeat(1_000_000) }) },
        two: { spec: JSON.stringify({ ...a, long: 'x'.repeat(700_000) }) },
      },
      NONE,
    ],
    [
      'in several texts of fewer',
      {
        one: { spec: JSON.stringify({ long: 'x'.repeat(700_000) }) },
        two: { spec: JSON.stringify({ ...a, long: 'x'.repeat(700_000) }) },
      },
      'execute a@/two/spec',
    ],
    [
      'once in a text that stands there twice',
      {
        one: { spec: JSON.stringify({ ...a, long: 'x'.repeat(800_000) }) },
        two: { spec: JSON.stringify({ ...a, long: 'x'.repeat(800_000) }) },
      },
      'execute a@/one/spec',
    ],
    [
      'not in text that begins as something else',
      { notes: `{"x": "${'y'.repeat(1000)}", "input_schema": ${JSON.stringify(of('a'))}}` },
      NONE,
    ],
    ['not in text in which one stands', { notes: `see {"input_schema": ${JSON.stringify(of('a'))}}` }, NONE],
    [
      'not in seven',
      { input: { json: { body: { data: { payload: { value: { content: { root: of('a') } } } } } } } },
      'execute json?@/input',
    ],
    ['not in layers of any name', { input: { moon: of('a') } }, 'execute moon@/input'],
    [
      'not behind 50 members of a name',
      { input: { ...many(50), json: of('a') } },
      `execute ${Object.keys(many(50))},json?@/input`,
    ],
    [
      'for each of forty modes',
      { modes: Array.from({ length: 42 }, (_, index) => `mode${index}`) },
      ...Array.from({ length: 40 }, (_, index) => `mode${index} unknown`),
    ],
    [
      'for each of forty modes in a table',
      { modes: Object.fromEntries(Array.from({ length: 42 }, (_, index) => [`mode${index}`, true])) },
      ...Array.from({ length: 40 }, (_, index) => `mode${index} unknown`),
    ],
    [
      'in a list of anything by its first forty',
      { moons: [...Array(39).fill({ name: 'x' }), { name: 'search', ...a }] },
      'search a@/moons/39/input_schema',
    ],
    [
      'not in a list of anything by those behind',
      { moons: [...Array(40).fill({ name: 'x', y: 1 }), { name: 'search', ...a }] },
      'execute a@/moons/40/input_schema',
    ],
    [
      'not in more pairs',
      { facts: [...Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]), ['input_schema', of('a')]] },
      NONE,
    ],
  ]);
});

describe('The choice among several contracts takes', () => {
  const held = (more: object) => ({
    modes: [
      { name: 'execute', ...a, ...more },
      { name: 'execute', ...b },
    ],
  });
  tell([
    ...['deprecated', 'Retired', 'archived', 'inactive', 'disabled'].flatMap((state) =>
      ['status', 'state', 'lifecycle', 'stage'].map(
        (name): ToldCase => [
          `not the one whose ${name} is ${state}`,
          held({ [name]: state }),
          'execute b@/modes/1/input_schema',
        ],
      ),
    ),
    ['not the one that is deprecated', held({ deprecated: true }), 'execute b@/modes/1/input_schema'],
    ...[
      { status: 'not deprecated' },
      { status: 'disabled soon' },
      { status: 'active' },
      { deprecated: false },
      { archived: 'no' },
    ].map(
      (more): ToldCase => [
        `the first, where it says ${JSON.stringify(more)}`,
        held(more),
        'execute a@/modes/0/input_schema',
      ],
    ),
    [
      'the only one, though it is archived',
      { modes: [{ name: 'execute', ...a, archived: true }] },
      'execute a@/modes/0/input_schema',
    ],
    [
      'the first, where others are but names',
      { modes: [{ name: 'execute', ...a }, 'execute'] },
      'execute a@/modes/0/input_schema',
    ],
    [
      'the one that still holds, before a name',
      { modes: [{ name: 'execute', ...a, archived: true }, 'execute'] },
      'execute unknown',
    ],
    ...['versions', 'releases', 'revisions'].map(
      (name): ToldCase => [
        `what is nearer than ${name}`,
        { [name]: { one: a }, y: { z: b } },
        'execute b@/y/z/input_schema',
      ],
    ),
    ...['subversions', 'releases_2', 'revised'].map(
      (name): ToldCase => [
        `the first, where one is in ${name}`,
        { [name]: { one: a }, y: { z: b } },
        `execute a@/${name}/one/input_schema`,
      ],
    ),
    [
      'the first item of a list, wherever a later one stands',
      { parts: [...Array.from({ length: 30 }, () => ({ x: 1 })), a, b] },
      'execute a@/parts/30/input_schema',
    ],
    [
      'a near one before a later one of a list',
      { parts: [...Array.from({ length: 30 }, () => ({ x: 1 })), a], x: { y: { z: b } } },
      'execute b@/x/y/z/input_schema',
    ],
    [
      'a result that is around the model',
      { results: { slug: 'm', ...a } },
      'execute a@/results/input_schema',
    ],
    ['no result of another name', { final_result: a, results_2: b }, 'execute a@/final_result/input_schema'],
    [
      'a result beside fields that are no input',
      { input_count: 3, result: a },
      'execute a@/result/input_schema',
    ],
    [
      'the model that was asked for, in any case',
      [
        { slug: 'x', ...a },
        { slug: 'M', ...b },
      ],
      'execute b@/1/input_schema',
    ],
    [
      'the first model, where none was asked for',
      [
        { slug: 'x', ...a },
        { slug: 'y', ...b },
      ],
      'execute a@/0/input_schema',
    ],
    ['nothing in another model', { slug: 'm', others: { slug: 'x', deep: { deeper: a } } }, NONE],
    [
      'a part that is a release with a slug',
      { slug: 'm', releases: [{ slug: 'x', ...a }] },
      'execute a@/releases/0/input_schema',
    ],
    [
      'a schema with a slug of its own',
      { slug: 'm', about: { ...of('b'), slug: 'm', ...a } },
      'execute a@/about/input_schema',
    ],
  ]);
});

describe('Modes are taken', () => {
  tell([
    [
      'from a list of sure modes and from any list that has one of the interface',
      { operations: [{ name: 'chat' }], tools: [{ name: 'search', ...a }] },
      'search a@/tools/0/input_schema',
    ],
    [
      'from what a model can do, only those of the interface',
      { actions: ['execute', 'sing'] },
      'execute unknown',
    ],
    [
      'not where its actions include unknown ones',
      { actions: [{ name: 'execute' }, { name: 'sing' }] },
      NONE,
    ],
    ...['execute', 'index', 'search'].map(
      (name): ToldCase => [
        `from a table of any name with ${name}`,
        { moons: { [name]: { x: 1 }, chat: a } },
        'chat a@/moons/chat/input_schema',
      ],
    ),
    [
      'not from a schema that has one of their names',
      { moons: { type: 'object', properties: {}, search: {} } },
      NONE,
    ],
    [
      'where each says something, in any order',
      { modes: { chat: 'yes', talk: a, walk: false } },
      'chat unknown',
      'talk a@/modes/talk/input_schema',
    ],
    ['as text', { modes: 'chat, search' }, 'chat unknown', 'search documented'],
    ['nothing, from null', { modes: null, operations: undefined }, NONE],
    [
      'from names with a mode in them',
      { search_input_schema: of('a'), inputSchemaForIndex: of('b'), execute_params: of('c') },
      'search a@/search_input_schema',
      'index b@/inputSchemaForIndex',
      'execute unknown c@/execute_params',
    ],
    [
      'as lists of fields',
      { modes: { chat: list('a'), talk: [1] } },
      'chat a@/modes/chat',
      'talk 1@/modes/talk',
    ],
  ]);

  it('as execute, from a body that is nothing but a schema', () => {
    const mode = readModel(of('a'), 'm')?.modes[0];
    assert.deepEqual([mode?.name, mode?.input.schema, mode?.input.at], ['execute', of('a'), '']);
  });

  it('with a title from one of the first eight lists after it', () => {
    const title = (index: number) =>
      readModel(
        {
          slug: 'm',
          parts: Array.from({ length: 12 }, (_, at) => ({
            modes: [{ name: 'chat', ...(at === index && { title: 'T' }) }],
          })),
        },
        'm',
      )?.modes[0]?.title;
    assert.deepEqual([title(7), title(8)], ['T', undefined]);
  });

  it('from twenty lists and no more', () => {
    const names = (index: number) =>
      readModel(
        {
          slug: 'm',
          parts: Array.from({ length: 25 }, (_, at) => ({ modes: [at === index ? 'search' : 'chat'] })),
        },
        'm',
      )?.modeNames;
    assert.deepEqual([names(19)?.includes('search'), names(20)?.includes('search')], [true, false]);
  });
});

describe('The input of a mode is', () => {
  const example = { input: { a: 'x' } };
  tell([
    ['no example in another record', { modes: ['execute'], x: example }, 'execute unknown'],
    ['an example beside the list of modes', { x: { modes: ['execute'], ...example } }, 'execute a?@/x/input'],
    [
      'an example beside the list that counts',
      { operations: ['read'], x: { modes: [{ name: 'execute' }], ...example } },
      'execute a?@/x/input',
    ],
    ['an example beside the slug', { x: { modes: ['execute'] }, ...example }, 'execute a?@/input'],
    [
      'the nearest example, where no modes are listed',
      { x: example, y: { z: { input: { b: 'x' } } } },
      'execute a?@/x/input',
    ],
    ['no example of params', { x: { params: { a: 'x' } }, y: example }, 'execute a?@/y/input'],
    ...['execute', 'index', 'search'].map(
      (mode): ToldCase => [
        `that of a table with ${mode}`,
        { input_schema: { [mode]: of('a') } },
        `${mode} a@/input_schema/${mode}`,
      ],
    ),
    [
      'that of a table with a mode that is listed',
      { modes: ['chat'], input_schema: { chat: of('a') } },
      'chat a@/input_schema/chat',
    ],
    [
      'the model’s schema before its own example',
      { modes: [{ name: 'execute', ...example }], ...b },
      'execute b@/input_schema',
    ],
    [
      'the model’s schema before its own that allows anything',
      { modes: [{ name: 'execute', input_schema: { type: 'object' } }], ...b },
      'execute b@/input_schema',
    ],
    [
      'its own schema before the model’s',
      { modes: [{ name: 'execute', ...a }], input_schema: of('b', 'c') },
      'execute a@/modes/0/input_schema',
    ],
    [
      'its own that allows anything before the model’s that does',
      {
        modes: [{ name: 'execute', input_schema: { type: 'object', title: 'A' } }],
        input_schema: { type: 'object' },
      },
      'execute @/modes/0/input_schema',
    ],
    [
      'the one that a name gives it, before the model’s',
      { modes: ['execute', 'chat'], executeInput: of('a'), ...b },
      'execute a@/executeInput',
      'chat unknown',
    ],
    [
      'its own example before that of the model',
      { modes: [{ name: 'execute', ...example }], input: { b: 'x' } },
      'execute a?@/modes/0/input',
    ],
    ['fields under a request', { request: { text: 'string', n: 'int' } }, 'execute text,n@/request'],
    ['a list of fields under a body', { body: list('a') }, 'execute a@/body'],
    ['no data under a request', { request: { text: 'hello' }, body: ['x'] }, NONE],
    [
      'the parts of a request',
      { request: { input: of('a'), params: of('b') } },
      'execute a@/request/input b@/request/params',
    ],
    [
      'the schema of a request, by its name',
      { request: { schema: request(of('a'), of('b')) } },
      'execute a@/request/schema b@/request/schema',
    ],
    [
      'fields of a request that are called like parts',
      { request: { inputs_left: 'int', text: 'string' } },
      'execute inputs_left,text@/request',
    ],
    ['a schema under the name of a layer', { payload: of('a') }, 'execute a@/payload'],
    [
      'names without types, where other schemas are under any name',
      { inputs: [{ name: 'a' }], moon: of('b') },
      'execute a@/inputs',
    ],
    [
      'nothing, where parts are null',
      { input_schema: null, params: undefined, request: 3, schema: null },
      NONE,
    ],
  ]);
});
