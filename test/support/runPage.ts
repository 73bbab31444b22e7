import type { Browser } from 'playwright-core';
import type { ModeContract, ModelContract } from '../../src/domain/model';
import { readyCall } from '../../src/protocol/channel';
import type { AttachedFile, PanelState, RunStatus, ShownRun, WorkInProgress } from '../../src/protocol/run';
import { resultSource } from '../../src/results/resultSource';
import { toShown } from '../../src/wording/shownContract';
import { eventually } from './eventually';
import { openWebviewPage, type WebviewPage } from './webviewPage';

/** A run panel's page in a plain browser; the test plays its host. */
export interface RunPageHarness extends WebviewPage {
  /** The newest work the page has sent the host. */
  work(): WorkInProgress | undefined;
  showRun(view: RunStatus, output?: unknown): Promise<void>;
  /** Resolves when the page has asked its host for a run. */
  untilRun(): Promise<void>;
}

export interface RunPageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly work?: WorkInProgress;
  readonly files?: readonly AttachedFile[];
  readonly responses?: Readonly<Record<string, (params: never) => unknown>>;
  /** CSS with VS Code's variables; the dark theme's by default. */
  readonly theme?: string;
}

/** A model with one mode of these schemas. */
export function modelOf(
  input: ModeContract['input']['schema'],
  params: ModeContract['params']['schema'] = { type: 'object', properties: {} },
  mode: Partial<ModeContract> = {},
): ModelContract {
  return {
    slug: 'try-me',
    name: 'Try Me',
    description: 'A model for **trying** things.',
    tags: [],
    modeNames: ['execute'],
    modesDeclared: true,
    raw: undefined,
    modes: [
      {
        name: 'execute',
        vectorBacked: false,
        input: { schema: input, origin: 'declared' },
        params: { schema: params, origin: 'declared' },
        examples: [],
        ...mode,
      },
    ],
  };
}

/** A picture that the user has attached. */
export function attached(uri: string): AttachedFile {
  return { uri, filename: uri.split('/').at(-1)!, contentType: 'image/png', sizeBytes: 10 };
}

export function done(changes: Partial<ShownRun>): { state: 'done'; run: ShownRun } {
  const run: ShownRun = {
    id: 'run',
    state: 'finished',
    environment: 'Test',
    durationMs: 1200,
    attachments: [],
    request: { model: 'try-me', input: {}, params: {} },
    ...changes,
  };
  return { state: 'done', run };
}

export async function openRunPage(
  browser: Browser,
  contract: ModelContract,
  options: RunPageOptions = {},
): Promise<RunPageHarness> {
  let output: unknown;
  const state: PanelState = {
    panelId: 'panel',
    modelName: contract.name,
    environment: { name: 'Test', baseUrl: 'https://models.test', production: false, active: true },
    contract: toShown(contract),
    work: options.work,
    files: [...(options.files ?? [])],
    scopes: ['playground', 'holiday'],
    run: { state: 'idle' },
    favorite: false,
  };
  const responses: Record<string, (params: never) => unknown> = {
    ready: () => state,
    run: () => undefined,
    resultView: () => resultSource(output).view,
    readBody: () => ({ text: JSON.stringify(output ?? null) }),
    ...options.responses,
  };
  const { width, height, theme } = options;
  const opened = await openWebviewPage(browser, {
    name: 'run',
    firstCall: readyCall,
    width,
    height,
    theme,
    response: (method, params) => responses[method]?.(params as never),
  });
  await opened.page.getByRole('button', { name: /^Run(?: Experiment…)?$/ }).waitFor();
  return {
    ...opened,
    work: () => opened.said.findLast(({ method }) => method === 'edit')?.params as WorkInProgress | undefined,
    async showRun(view, result) {
      output = result;
      await opened.notify('showRun', view);
    },
    untilRun: () => eventually(() => opened.said.some(({ method }) => method === 'run')),
  };
}
