import { type Endpoint, readyCall } from '../../src/protocol/channel';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

declare global {
  interface Window {
    /** Left by the HTML of a page that begins with `ready` (src/platform/pageHtml.ts). */
    readonly asked?: {
      readonly api: VsCodeApi;
      readonly heard: unknown[];
      readonly hear: (event: MessageEvent) => void;
    };
  }
}

const { asked } = window;
/** VS Code gives its API to a page once. */
const api = asked?.api ?? acquireVsCodeApi();
let isFirst = asked !== undefined;
/** While messages that arrived before the script are still being delivered. */
let isHolding = isFirst;
const listeners = new Set<(message: unknown) => void>();

/**
 * Delivers one message a turn, as VS Code does: code that awaits a response continues before the notification that
 * followed it. Delivered at once, the notification would come first and the older response would replace it.
 */
function deliverHeld(): void {
  const { heard, hear } = asked!;
  if (heard.length === 0) {
    window.removeEventListener('message', hear);
    isHolding = false;
    return;
  }
  const message = heard.shift();
  for (const listener of listeners) listener(message);
  setTimeout(deliverHeld);
}

/**
 * The page's end of the channel to the extension host. If the HTML sent the first call already, while this script was
 * loading, that call is not sent a second time, and messages since then are delivered from when it is made.
 */
export const hostEndpoint: Endpoint = {
  post(message) {
    if (!isFirst) return api.postMessage(message);
    if (JSON.stringify(message) !== JSON.stringify(readyCall))
      throw new Error('This page begins with “ready”.');
    isFirst = false;
    deliverHeld();
  },
  listen(listener) {
    const onMessage = (event: MessageEvent<unknown>) => {
      if (!isHolding) listener(event.data);
    };
    listeners.add(listener);
    window.addEventListener('message', onMessage);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('message', onMessage);
    };
  },
};

/** State that VS Code keeps for the page while its tab is hidden and across restarts. */
export const pageState = {
  get: (): unknown => api.getState(),
  set: (state: unknown): void => api.setState(state),
};

/** The nonce that style elements need under the page's content security policy. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
