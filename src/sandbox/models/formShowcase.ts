import { example, perRun, type RunContext, singleMode } from './model';
import { boolean, integer, list, mediaSchema, number, object, type Schema, string } from './schema';

const PERSON = { $ref: '#/$defs/person' };
const POSITIVE = { type: 'number', exclusiveMinimum: 0 };

const INPUT = object(
  {
    title: string('Title', { description: '3 to 60 characters.', minLength: 3, maxLength: 60 }),
    notes: string('Notes', { description: 'Markdown.', format: 'multiline', maxLength: 5000 }),
    code: string('Code', { description: 'For example AB-123.', pattern: '^[A-Z]{2}-[0-9]{3}$' }),
    mood: {
      title: 'Mood',
      oneOf: [
        { const: 'calm', title: 'Calm' },
        { const: 'merry', title: 'Merry' },
        { const: 'stormy', title: 'Stormy' },
      ],
      default: 'calm',
    },
    size: string('Size', { enum: ['S', 'M', 'L', 'XL'], default: 'M' }),
    toppings: list(
      'Toppings',
      { type: 'string', enum: ['basil', 'cheese', 'olives', 'onion'] },
      { uniqueItems: true, maxItems: 3 },
    ),
    amount: integer('Amount', { minimum: 1, maximum: 12, default: 2 }),
    temperature: number('Temperature', {
      description: 'From 0 to below 2, in steps of 0.1.',
      minimum: 0,
      exclusiveMaximum: 2,
      multipleOf: 0.1,
      default: 0.7,
    }),
    gift: boolean('Gift wrap', { default: false }),
    colour: string('Color', { format: 'color', default: '#3366cc' }),
    day: string('Day', { format: 'date' }),
    moment: string('Moment', { format: 'date-time' }),
    at: string('Time', { format: 'time' }),
    link: string('Link', { format: 'uri' }),
    nickname: { type: ['string', 'null'], title: 'Nickname', description: 'May be null.', default: null },
    limit: {
      title: 'Limit',
      description: 'A number or null.',
      anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }],
      default: null,
    },
    person: PERSON,
    guests: list('Guests', PERSON, { maxItems: 5 }),
    point: {
      type: 'array',
      title: 'Point',
      description: 'Two numbers: x and y.',
      prefixItems: [number('x'), number('y')],
      items: false,
      minItems: 2,
    },
    shape: {
      title: 'Shape',
      oneOf: [
        object({ kind: { const: 'circle' }, radius: POSITIVE }, { title: 'Circle' }),
        object({ kind: { const: 'rectangle' }, width: POSITIVE, height: POSITIVE }, { title: 'Rectangle' }),
      ],
    },
    labels: {
      type: 'object',
      title: 'Labels',
      description: 'Any names and values.',
      additionalProperties: { type: 'string', maxLength: 40 },
      maxProperties: 10,
    },
    weights: { type: 'object', title: 'Weights', additionalProperties: { type: 'number', minimum: 0 } },
    anything: { title: 'Anything', description: 'Any JSON.' },
    picture: mediaSchema('image', 'Picture'),
    pictures: list('Pictures', mediaSchema('image', 'Picture'), { maxItems: 4 }),
    sound: mediaSchema('audio', 'Sound'),
    clip: mediaSchema('video', 'Clip'),
    attachment: mediaSchema('file', 'Attachment'),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      person: object(
        {
          name: string('Name', { minLength: 1 }),
          email: string('E-mail', { format: 'email' }),
          born: string('Born', { format: 'date' }),
        },
        { title: 'Person', required: ['name'] },
      ),
    },
    required: ['title'],
  },
);

/** Without `$schema` and `required`, as some services publish theirs. */
const PARAMS: Schema = {
  type: 'object',
  properties: {
    repeat: integer('Table rows', { description: 'Repeat the table.', minimum: 1, maximum: 500, default: 1 }),
    verbose: boolean('Verbose', { default: true }),
    advanced: {
      type: 'object',
      title: 'Advanced',
      properties: {
        seed: integer('Seed', { minimum: 0 }),
        stop: list('Stop words', { type: 'string' }, { maxItems: 4 }),
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** Every kind of field that a form draws, echoed in every kind of output that a result view shows. */
export const formShowcase = singleMode(
  {
    slug: 'form-showcase',
    name: 'Form Showcase',
    description:
      'Takes every kind of field and returns it as Markdown, labels and a table. Use it to try out forms.',
    category: 'Testing',
    tags: ['testing', 'form', 'schema'],
    version: '3.2.1',
  },
  {
    title: 'Echo',
    description: 'Return the input in several formats.',
    price: perRun(100),
    inputSchema: INPUT,
    paramsSchema: PARAMS,
    examples: [
      example('Required fields only', { title: 'Only a title' }),
      example(
        'All kinds of fields',
        {
          title: 'All kinds of fields',
          notes: '## Hello\n\nwith **Markdown** and `code`.',
          code: 'AB-123',
          mood: 'merry',
          size: 'L',
          toppings: ['basil', 'olives'],
          amount: 3,
          temperature: 1.2,
          gift: true,
          colour: '#cc3366',
          day: '2026-03-01',
          moment: '2026-03-01T12:30:00Z',
          link: 'https://example.com/',
          nickname: null,
          limit: 10,
          person: { name: 'Ada', email: 'ada@example.com', born: '1815-12-10' },
          guests: [{ name: 'Charles' }],
          point: [1.5, -2],
          shape: { kind: 'rectangle', width: 3, height: 4 },
          labels: { room: 'blue' },
          weights: { sugar: 0.5 },
          anything: [1, { two: null }],
          picture: { media_ref: 'sample_sunset', filename: 'sunset.png' },
        },
        { repeat: 2, advanced: { seed: 7, stop: ['end'] } },
      ),
    ],
    run: echo,
  },
);

function echo({ input, params }: RunContext) {
  const rows = Object.entries(input).map(([field, value]) => ({
    field,
    type: value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  const repeat = (params.repeat as number | undefined) ?? 1;
  const total = JSON.stringify(input).length;
  return {
    markdown: [
      `# ${input.title}`,
      '',
      `You filled in **${rows.length}** fields:`,
      '',
      ...rows.map(({ field, type }) => `- \`${field}\` (${type})`),
      ...(typeof input.notes === 'string' ? ['', input.notes] : []),
    ].join('\n'),
    labels: Object.entries(input)
      .map(([label, value]) => ({
        label,
        score: Number((JSON.stringify(value).length / total).toFixed(4)),
      }))
      .sort((a, b) => b.score - a.score),
    table: Array.from({ length: repeat }, () => rows).flat(),
    ...(params.verbose !== false && { echo: { input, params } }),
  };
}
