import { HttpError } from '../http/errors';
import { SHORT_TEXT } from './echo';
import { example, perRun, singleMode } from './model';
import { inputSchema, integer, paramsSchema } from './schema';

export const alwaysFails = singleMode(
  {
    slug: 'always-fails',
    name: 'Always Fails',
    description:
      'Fails every time, with a status of your choice. Failed runs cost nothing. Use it to try out errors.',
    category: 'Testing',
    tags: ['testing', 'error'],
    version: '1.0.0',
  },
  {
    title: 'Fail',
    description: 'Fail with an upstream error.',
    price: perRun(5_000),
    inputSchema: inputSchema({ text: { ...SHORT_TEXT, default: 'anything' } }, ['text']),
    paramsSchema: paramsSchema({
      status: integer('Status', { enum: [500, 502, 503, 504], default: 502 }),
    }),
    examples: [example('Bad gateway', { text: 'anything' }, { status: 502 })],
    run: ({ params }) => {
      const status = (params.status as number | undefined) ?? 502;
      throw new HttpError(status, 'upstream_failed', 'The model could not be reached: it always fails.');
    },
  },
);
