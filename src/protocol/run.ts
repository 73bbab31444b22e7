import * as z from 'zod/mini';
import { agentMark } from '../domain/agentGrant';
import { jsonObject } from '../domain/json';
import { shownContract } from '../domain/model';
import { money } from '../domain/money';
import { nextStep } from '../domain/problems';
import { runDraft, runRequest, runState, runStep } from '../domain/run';
import type { Methods } from './channel';
import { resultHostMethods } from './result';

/** The messages between a run page and its host. */

/** A file that this panel may upload; in the draft it is a media object with `uri` as its `media_ref`. */
const attachedFile = z.object({
  uri: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  /** Where the page can load it from, if it is in a folder the page may read. */
  src: z.optional(z.string()),
});
export type AttachedFile = z.infer<typeof attachedFile>;

/** The button for the next step after an error. The page itself does `fixInput` and `retry`. */
const shownNextStep = z.object({ step: nextStep, title: z.string() });
export type ShownNextStep = z.infer<typeof shownNextStep>;

/**
 * A description of a `RunResponse`, which stays with the host: the page loads its view (protocol/result) and, with
 * `readBody`, its text.
 */
const response = z.object({
  contentType: z.string(),
  sizeBytes: z.number(),
  /** `binary` is in a file; `text` is not JSON. */
  kind: z.enum(['json', 'text', 'binary']),
  /** False: the envelope is not known, and the whole body is shown. */
  recognised: z.boolean(),
  /** The places of the user's response mapping that were read: "state: /phase, by your mapping". */
  readBy: z.optional(z.string()),
  /** The response is not quite JSON: see `oddValuesText`. */
  hasOddValues: z.optional(z.boolean()),
  bodyChars: z.number(),
  /** Of the response, without secrets; undefined for a run from the history. */
  headers: z.optional(z.array(z.tuple([z.string(), z.string()]))),
  /** Only the beginning was kept (a run from history). */
  truncated: z.optional(z.boolean()),
});
export type ShownResponse = z.infer<typeof response>;

/** The page's part of a `RunRecord`, with the next step and the checks that the host adds. */
const shownRun = z.object({
  id: z.string(),
  state: runState,
  environment: z.string(),
  /** Milliseconds; missing without a response. */
  durationMs: z.optional(z.number()),
  /** Milliseconds before the run was sent. */
  uploadMs: z.optional(z.number()),
  message: z.optional(z.string()),
  status: z.optional(z.number()),
  runId: z.optional(z.string()),
  cost: z.optional(money),
  agent: z.optional(agentMark),
  request: z.optional(runRequest),
  /** The user's files, by the reference they were sent with. */
  attachments: z.array(z.object({ uri: z.string(), filename: z.string(), mediaRef: z.optional(z.string()) })),
  nextStep: z.optional(shownNextStep),
  /** Shown since the model was opened, not since it was run here: it is folded at first. */
  isLast: z.optional(z.boolean()),
  response: z.optional(response),
  /** Of a panel that was opened from a run file: its expectations, checked. */
  checks: z.optional(
    z.array(z.object({ title: z.string(), passed: z.boolean(), wanted: z.string(), got: z.string() })),
  ),
});
export type ShownRun = z.infer<typeof shownRun>;

/** A run of the panel's model in the history, as a row. */
const earlierRun = z.object({
  id: z.string(),
  state: shownRun.shape.state,
  environment: z.string(),
  startedAt: z.number(),
  cost: z.optional(money),
  /** The beginning of its input, as text. */
  input: z.string(),
});
export type EarlierRun = z.infer<typeof earlierRun>;

const earlierAct = z.enum([
  'runAgain',
  'editAndRunAgain',
  'runWithAnotherModel',
  'compareRuns',
  'deleteRuns',
]);
export type EarlierAct = z.infer<typeof earlierAct>;

/** The panel's run at any time: a `ShownRun` is only one that has ended. */
const runStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.literal('running'),
    /** Milliseconds since the run began, so that the page's clock need not be the host's. */
    elapsedMs: z.number(),
    /** Where it was started, and ends. */
    environment: z.string(),
    step: runStep,
    stopping: z.boolean(),
  }),
  z.object({ state: z.literal('done'), run: shownRun }),
]);
export type RunStatus = z.infer<typeof runStatus>;

const tab = z.enum(['form', 'json', 'code']);

/** The user's input. It survives the page, the window and a killed host. */
export const workInProgress = z.object({
  draft: runDraft,
  /** Milliseconds since the epoch: page and host both keep the work, and the newest is used. */
  editedAt: z.optional(z.number()),
  /** The JSON tab's text while it is not valid JSON: kept as typed. */
  brokenJson: z.optional(z.string()),
  /** The same for parts of the form that are JSON editors, by pointer. */
  brokenParts: z.optional(z.record(z.string(), z.string())),
  /** The variants that the user chose in the form, by pointer. */
  choices: z.optional(z.record(z.string(), z.number())),
  /** The input of the model's other modes. */
  otherModes: z.optional(
    z.record(
      z.string(),
      z.object({
        input: jsonObject,
        params: jsonObject,
        brokenParts: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  ),
  tab,
  /** Of the Code tab. */
  language: z.optional(z.string()),
});
export type WorkInProgress = z.infer<typeof workInProgress>;

/** Where the panel's runs are sent. The name is empty while there is no environment. */
const shownEnvironment = z.object({
  name: z.string(),
  baseUrl: z.string(),
  production: z.boolean(),
  /** It is the window's active environment too. */
  active: z.boolean(),
});
export type ShownEnvironment = z.infer<typeof shownEnvironment>;

const shownFile = z.object({
  name: z.string(),
  /**
   * `changed`: the panel differs from the file; `conflict`: the file also changed elsewhere since; `gone`: the file
   * was deleted or renamed.
   */
  state: z.enum(['saved', 'changed', 'conflict', 'gone']),
});
export type ShownFile = z.infer<typeof shownFile>;

/** The expected cost and time of the next run: for the bar, and as a sentence. Empty: not known. */
const estimate = z.object({ short: z.string(), text: z.string() });
export type ShownEstimate = z.infer<typeof estimate>;

/** The parts of a panel that change while it is open. */
const panelFacts = z.object({
  environment: shownEnvironment,
  scopes: z.array(z.string()),
  /** The user marked the model as a favorite. */
  favorite: z.boolean(),
  /** Missing: the panel was not opened from a run file. */
  file: z.optional(shownFile),
  estimate: z.optional(estimate),
  /** Runs of the model in the history, newest first; missing until they are read. */
  earlier: z.optional(z.array(earlierRun)),
});

const panelState = z.extend(panelFacts, {
  panelId: z.string(),
  modelName: z.string(),
  /** Missing until it is loaded for the first time. */
  contract: z.optional(shownContract),
  /** Missing: the page begins with the contract's defaults. */
  work: z.optional(workInProgress),
  files: z.array(attachedFile),
  run: runStatus,
});
export type PanelState = z.infer<typeof panelState>;

/** A piece of a response's text. */
const part = z.enum(['output', 'body']);

/** The requests of the editor's title bar to the page. */
const panelAct = z.enum(['showCode', 'saveAsRunFile']);
export type PanelAct = z.infer<typeof panelAct>;

export const runHostMethods = {
  ...resultHostMethods,
  /** The page has started and shows the returned state. */
  ready: { params: z.null(), result: panelState },
  /** Kept by the host. */
  edit: { params: workInProgress },
  /** `anyway`: the user saw the problems and chose to run without validation. */
  run: { params: z.object({ draft: runDraft, anyway: z.boolean() }), result: z.void() },
  stopWaiting: { params: z.object({}) },
  /** Runs the code of the request, with the key of the panel's environment. */
  runInTerminal: {
    params: z.object({ language: z.string(), draft: runDraft }),
    result: z.void(),
  },
  /**
   * Writes the panel's request as an experiment, and opens the page that sets it up. `vary`: the field whose values, or
   * files, are asked for first.
   */
  setUpExperiment: {
    params: z.object({ vary: z.optional(z.object({ pointer: z.string(), takesFiles: z.boolean() })) }),
    result: z.void(),
  },
  saveFile: { params: z.object({}), result: z.void() },
  /** Takes the request of the panel's run file in place of the panel's own. */
  revertFile: { params: z.object({}), result: z.void() },
  showFile: { params: z.object({}), result: z.void() },
  saveAsRunFile: { params: z.object({}), result: z.void() },
  /** Asks where the panel's runs are sent from now on. */
  chooseEnvironment: { params: z.object({}), result: z.void() },
  setFavorite: { params: z.object({ favorite: z.boolean() }), result: z.void() },
  reloadContract: { params: z.object({}), result: z.void() },
  /** Opens the model's raw response and selects the value at this JSON pointer. */
  showSource: { params: z.object({ at: z.string() }), result: z.void() },
  /** Asks for another schema in place of a recognized one; the contract is then shown with it. */
  useAnotherSchema: { params: z.object({ mode: z.string() }), result: z.void() },
  pickFiles: {
    params: z.object({
      accept: z.optional(z.string()),
      endings: z.optional(z.array(z.string())),
      many: z.boolean(),
    }),
    result: z.array(attachedFile),
  },
  /** Resources dropped from the Explorer or an editor tab, as URI strings. */
  attachUris: { params: z.object({ uris: z.array(z.string()) }), result: z.array(attachedFile) },
  attachOpenFile: { params: z.object({ accept: z.optional(z.string()) }), result: z.array(attachedFile) },
  /** Bytes that only the page has (a drop from the system, a paste), in chunks: begin, chunk…, end. */
  beginUpload: {
    params: z.object({ filename: z.string(), sizeBytes: z.number() }),
    result: z.object({ id: z.string() }),
  },
  uploadChunk: { params: z.object({ id: z.string(), bytes: z.instanceof(Uint8Array) }), result: z.void() },
  endUpload: { params: z.object({ id: z.string() }), result: attachedFile },
  /** The bytes of an attached file that has no `src`, for its thumbnail; bounded. */
  fileBytes: {
    params: z.object({ uri: z.string() }),
    result: z.object({ contentType: z.string(), bytes: z.optional(z.instanceof(Uint8Array)) }),
  },
  /** The beginning of the raw body's text. */
  readBody: { params: z.object({}), result: z.object({ text: z.string() }) },
  /** Opens the whole response, or its result alone, in an editor; a binary one in its viewer. */
  openResponse: { params: z.object({ part }), result: z.void() },
  saveResponse: { params: z.object({}), result: z.void() },
  copyResponse: { params: z.object({ part }), result: z.void() },
  useAsInput: { params: z.object({}), result: z.void() },
  openText: { params: z.object({ text: z.string(), language: z.string() }), result: z.void() },
  openFile: { params: z.object({ uri: z.string() }), result: z.void() },
  takeStep: { params: z.object({ step: nextStep }), result: z.void() },
  /** Shows a run of the history in this panel; the form does not change. */
  showEarlier: { params: z.object({ id: z.string() }), result: z.void() },
  actOnEarlier: { params: z.object({ id: z.string(), act: earlierAct }), result: z.void() },
} as const satisfies Methods;

export const runPageMethods = {
  showRun: { params: runStatus },
  showContract: {
    params: z.object({
      contract: z.optional(shownContract),
      /** Of another environment: without a contract there is none to show yet. */
      replaces: z.optional(z.boolean()),
      /** Why it could not be loaded or reloaded. */
      problem: z.optional(z.object({ message: z.string(), nextStep: z.optional(shownNextStep) })),
    }),
  },
  /** Those that have changed. */
  showFacts: { params: z.partial(panelFacts) },
  /** The run file has changed: its request takes the place of the page's. */
  showWork: { params: z.object({ work: workInProgress, files: z.array(attachedFile) }) },
  /** A command of the editor's title bar, with the same effect as the page's own button. */
  act: { params: z.object({ act: panelAct }) },
} as const satisfies Methods;

export type RunHostMethods = typeof runHostMethods;
export type RunPageMethods = typeof runPageMethods;
