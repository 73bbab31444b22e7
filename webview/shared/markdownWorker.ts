import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

// The thread of `markdownHtml`: a text comes in, its HTML goes out.
interface Thread {
  onmessage: ((event: { readonly data: string }) => void) | null;
  postMessage(message: string): void;
}
const thread = globalThis as unknown as Thread;
thread.onmessage = ({ data }) =>
  thread.postMessage(micromark(data, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }));
// It is ready.
thread.postMessage('');
