import type { Endpoint } from '../../src/protocol/channel';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** VS Code gives its API to a page once. */
const api = acquireVsCodeApi();

/** The page's end of the channel to the extension host. */
export const hostEndpoint: Endpoint = {
  post: (message) => api.postMessage(message),
  listen(listener) {
    const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  },
};

/** What the page left with VS Code: it comes back when the tab is shown again and after a restart. */
export const pageState = {
  get: (): unknown => api.getState(),
  set: (state: unknown): void => api.setState(state),
};

/** The nonce that style elements need under the page's content security policy. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
