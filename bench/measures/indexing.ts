import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ChildSandbox, sandboxInChild } from '../../test/support/sandbox';
import { filesIn } from '../../test/unit/indexing/engine';
import { makePictures } from '../../test/unit/indexing/pictures';
import { type Measure, timed } from '../measure';
import { indexFolder, requestsSeen } from '../support/indexing';

const IMAGES = Number(process.env.MODEL_BENCH_IMAGES ?? 1_000);
const LATENCY_MS = 50;
const CONCURRENCY = 8;
/** The script's time is a straight line through the number of files: it is run over so many. */
const SCRIPTED = 40;

/** Indexing against a service that takes its time, next to what arithmetic allows and to a plain script. */
export const indexing: Measure = {
  name: 'indexing',
  what: `${IMAGES} images at ${LATENCY_MS} ms latency / requests · latency / ${CONCURRENCY}; / one file after another (over ${SCRIPTED} files, scaled)`,
  goals: [
    { figure: 'ideal', label: 'time / ideal', unit: '', atMost: 1.15 },
    { figure: 'script', label: 'time / script', unit: '', atMost: 1 / 8 },
    { figure: 'seconds', label: 'time', unit: 's' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--latency', String(LATENCY_MS), '--wallet', '1000000'] });
    const pictures = path.join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    return {
      async pair() {
        const before = await requestsSeen(sandbox);
        const took = await indexFolder(sandbox, path.join(folder, 'storage'), pictures, {
          concurrency: CONCURRENCY,
          batchSize: 16,
        });
        const requests = (await requestsSeen(sandbox)) - before;
        const ideal = (requests * LATENCY_MS) / CONCURRENCY;
        const scripted = await timed(() => oneAfterAnother(sandbox, pictures));
        return {
          ideal: took / ideal,
          script: took / ((scripted / SCRIPTED) * IMAGES),
          seconds: took / 1_000,
        };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** The interface's media flow as its rules list it: init, bytes, complete, then the run, for one file at a time. */
async function oneAfterAnother({ baseUrl, apiKey }: ChildSandbox, pictures: string): Promise<void> {
  const post = async (route: string, body: unknown) => {
    const answer = await fetch(baseUrl + route, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  for (const { uri, filename, contentType, sizeBytes, imageId } of filesIn(pictures).slice(0, SCRIPTED)) {
    const ticket = await post('/api/media/upload/init', {
      ...{ filename, content_type: contentType, media_type: 'image', size_bytes: sizeBytes },
    });
    const body = readFileSync(new URL(uri));
    const sent = await fetch(ticket.upload_url ?? '', {
      method: ticket.method ?? 'PUT',
      headers: { 'Content-Type': contentType },
      body,
    });
    if (!sent.ok) throw new Error(`The upload was refused: ${sent.status}`);
    await sent.arrayBuffer();
    const { media_ref } = await post('/api/media/upload/complete', { upload_id: ticket.upload_id });
    await post('/api/runs', {
      ...{ model: 'image-similarity', mode: 'index', scope: 'one-by-one' },
      input: { images: [{ media_ref, filename }], image_ids: [imageId] },
      params: {},
    });
  }
}
