import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '../http/errors';
import { objectSchema, type RunContext, type SandboxModel } from './model';

const TEXT = { type: 'string', title: 'Text', minLength: 1, maxLength: 10_000 };

const examples = (seconds: number) => [
  { title: `Back in ${seconds} seconds`, input: { text: 'Still there?' }, params: { seconds } },
];

const secondsSchema = (most: number, fallback: number) =>
  objectSchema({
    seconds: {
      type: 'number',
      title: 'Seconds',
      description: 'How long the reply takes.',
      minimum: 0,
      maximum: most,
      default: fallback,
    },
  });

/** Waits, unless the sandbox stops; the client's going away changes nothing. @throws {HttpError} 502 */
async function wait(seconds: number, { signal }: RunContext): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, { signal });
  } catch {
    throw new HttpError(502, 'upstream_stopped', 'The sandbox was stopped during this run.');
  }
}

/** Holds the connection for as long as it is told, to see how a client waits. */
export const slowEcho: SandboxModel = {
  slug: 'slow-echo',
  name: 'Slow Echo',
  description: 'Returns its input, tens of seconds later. For trying out waiting, stopping and time limits.',
  category: 'Testing',
  tags: ['testing', 'slow'],
  version: '1.0.0',
  modes: {
    execute: {
      title: 'Echo',
      description: 'Return the text after a while.',
      price: { micros: 10_000, unit: 'run' },
      inputSchema: objectSchema({ text: TEXT }, ['text']),
      paramsSchema: secondsSchema(60, 20),
      examples: examples(20),
      run: async (context) => {
        const seconds = (context.params.seconds as number | undefined) ?? 20;
        await wait(seconds, context);
        return { text: context.input.text, waited_seconds: seconds };
      },
    },
  },
};

/** Replies 202 at once and names the address at which the run can be asked for. */
export const laterEcho: SandboxModel = {
  slug: 'later-echo',
  name: 'Later Echo',
  description: 'Accepts a run at once and finishes it a few seconds later, at the address its reply names.',
  category: 'Testing',
  tags: ['testing', 'job'],
  version: '1.0.0',
  modes: {
    execute: {
      title: 'Echo later',
      description: 'Accept the text, and have it ready after a while.',
      price: { micros: 2_000, unit: 'run' },
      inputSchema: objectSchema({ text: TEXT }, ['text']),
      paramsSchema: secondsSchema(600, 4),
      examples: examples(4),
      asynchronous: true,
      run: async (context) => {
        const seconds = (context.params.seconds as number | undefined) ?? 4;
        await wait(seconds, context);
        return { text: context.input.text, waited_seconds: seconds };
      },
    },
  },
};

/** Fails, as a model does whose hardware is gone. */
export const alwaysFails: SandboxModel = {
  slug: 'always-fails',
  name: 'Always Fails',
  description:
    'Fails every time, with the status it is told. Failed runs cost nothing. For trying out errors.',
  category: 'Testing',
  tags: ['testing', 'error'],
  version: '1.0.0',
  modes: {
    execute: {
      title: 'Fail',
      description: 'Fail with an upstream error.',
      price: { micros: 5_000, unit: 'run' },
      inputSchema: objectSchema({ text: { ...TEXT, default: 'anything' } }),
      paramsSchema: objectSchema({
        status: { type: 'integer', title: 'Status', enum: [500, 502, 503, 504], default: 502 },
      }),
      examples: [{ title: 'Bad gateway', input: { text: 'anything' }, params: { status: 502 } }],
      run: ({ params }) => {
        const status = (params.status as number | undefined) ?? 502;
        throw new HttpError(status, 'upstream_failed', 'The model could not be reached: it always fails.');
      },
    },
  },
};

/** There, but not published: whoever asks for it hears the same as for a model that does not exist. */
export const unpublished: SandboxModel = {
  ...slowEcho,
  slug: 'unpublished-draft',
  name: 'Unpublished Draft',
  published: false,
};
