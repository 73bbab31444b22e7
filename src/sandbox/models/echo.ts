import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError } from '../http/errors';
import { example, type ModelMode, perRun, type SandboxModel, singleMode } from './model';
import { inputSchema, number, paramsSchema, string } from './schema';

export const SHORT_TEXT = string('Text', { minLength: 1, maxLength: 10_000 });

/** The common behaviour of every echo: it waits, then returns its input. */
const echoAfter = (
  seconds: number,
  maximum: number,
): Pick<ModelMode, 'inputSchema' | 'paramsSchema' | 'examples' | 'run'> => ({
  inputSchema: inputSchema({ text: SHORT_TEXT }),
  paramsSchema: paramsSchema({
    seconds: number('Seconds', {
      description: 'Time until the result is ready.',
      minimum: 0,
      maximum,
      default: seconds,
    }),
  }),
  examples: [example(`Ready in ${seconds} seconds`, { text: 'Hello?' }, { seconds })],
  run: async ({ input, params, signal }) => {
    const waited = (params.seconds as number | undefined) ?? seconds;
    try {
      await sleep(waited * 1000, undefined, { signal });
    } catch {
      throw new HttpError(502, 'upstream_stopped', 'The sandbox was stopped during this run.');
    }
    return { text: input.text, waited_seconds: waited };
  },
});

/** Keeps the connection open until the result is ready. */
export const slowEcho = singleMode(
  {
    slug: 'slow-echo',
    name: 'Slow Echo',
    description: 'Returns its input after some seconds. Use it to try out waiting, stopping and time limits.',
    category: 'Testing',
    tags: ['testing', 'slow'],
    version: '1.0.0',
  },
  {
    title: 'Echo',
    description: 'Return the text after a delay.',
    price: perRun(10_000),
    ...echoAfter(20, 60),
  },
);

/** Responds with 202 at once and the address at which the result will be available. */
export const laterEcho = singleMode(
  {
    slug: 'later-echo',
    name: 'Later Echo',
    description: 'Accepts a run at once and finishes it some seconds later, at the address in its response.',
    category: 'Testing',
    tags: ['testing', 'job'],
    version: '1.0.0',
  },
  {
    title: 'Echo later',
    description: 'Accept the text at once; return it later.',
    price: perRun(2_000),
    asynchronous: true,
    ...echoAfter(4, 600),
  },
);

/** Exists, but is not published: the response is the same as for an unknown model. */
export const unpublished: SandboxModel = {
  ...slowEcho,
  slug: 'unpublished-draft',
  name: 'Unpublished Draft',
  published: false,
};
