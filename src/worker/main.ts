import { parentPort } from 'node:worker_threads';
import type { ImageAnswer } from './inWorker';
import { type EncodedImage, smallImage } from './smallImage';

// The thread of `smallImagesOf`.
parentPort!.on('message', (input: EncodedImage) => {
  let answer: ImageAnswer = {};
  try {
    const image = smallImage(input);
    answer = image === undefined ? {} : { image };
  } catch {
    // It is not understood: there is no image.
  }
  parentPort!.postMessage(answer);
});
parentPort!.postMessage('ready');
