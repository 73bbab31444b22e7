import * as z from 'zod/mini';

/** Something that keeps a draft from being sent, at the place where it can be fixed. */
export interface Problem {
  /** RFC 6901 pointer into the run request: "/scope", "/input/images/0/media_ref"; "" for the whole. */
  readonly pointer: string;
  /** A sentence for the user. */
  readonly message: string;
}

/** What to offer after an error, as a button. `none`: the message is enough. */
export const nextStep = z.enum([
  'connect',
  'setApiKey',
  'startSandbox',
  'switchEnvironment',
  'showUsage',
  'changeBudget',
  'refresh',
  'runModel',
  'fixInput',
  'retry',
  'askAgain',
  'showLog',
  'showRaw',
  'showWhatCame',
  'nextPage',
  'reloadWindow',
  'none',
]);
export type NextStep = z.infer<typeof nextStep>;
