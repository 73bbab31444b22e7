import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IndexFile } from '../../src/indexing/indexFile';
import { filesIn } from '../../test/support/indexingJobs';
import { makePictures } from '../../test/support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../test/support/sandbox';
import { type Measure, timed } from '../measure';
import { indexFolder, requestsSeen } from '../support/indexing';

const IMAGES = Number(process.env.MODEL_BENCH_IMAGES ?? 1_000);
const LATENCY_MS = 50;
const CONCURRENCY = 8;
/** The script's time grows linearly with the number of files: this many are measured. */
const SCRIPTED = 40;
const BARE = 160;
const BATCH = 16;

/** Indexing against a slow service, compared with the theoretical time and with a plain script. */
export const indexing: Measure = {
  name: 'indexing',
  what: `${IMAGES} images at ${LATENCY_MS} ms latency / requests · latency / ${CONCURRENCY}; / one file after another (over ${SCRIPTED} files, scaled)`,
  goals: [
    { figure: 'overBare', label: 'time / a bare loop', unit: '', atMost: 1.1 },
    { figure: 'ideal', label: 'time / ideal', unit: '', atMost: 1.2 },
    { figure: 'script', label: 'time / script', unit: '', atMost: 1 / 8 },
    { figure: 'bare', label: 'a bare loop of the same requests / its ideal', unit: '' },
    { figure: 'seconds', label: 'time', unit: 's' },
  ],
  pairs: 7,
  whyFewer: 'All of 15 pairs were within 4% of their median, and each takes half a minute.',
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--latency', String(LATENCY_MS), '--wallet', '1000000'] });
    const pictures = path.join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    return {
      async pair() {
        const before = await requestsSeen(sandbox);
        const took = await indexFolder(sandbox, path.join(folder, 'storage'), pictures, {
          concurrency: CONCURRENCY,
          batchSize: BATCH,
        });
        const requests = (await requestsSeen(sandbox)) - before;
        const ideal = (requests * LATENCY_MS) / CONCURRENCY;
        const scripted = await timed(() => oneAfterAnother(sandbox, filesIn(pictures).slice(0, SCRIPTED)));
        const beforeBare = await requestsSeen(sandbox);
        const bare = await timed(() => atOnce(sandbox, filesIn(pictures).slice(0, BARE)));
        const bareIdeal = (((await requestsSeen(sandbox)) - beforeBare) * LATENCY_MS) / CONCURRENCY;
        return {
          overBare: took / ideal / (bare / bareIdeal),
          ideal: took / ideal,
          bare: bare / bareIdeal,
          script: took / ((scripted / SCRIPTED) * IMAGES),
          seconds: took / 1_000,
        };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** The interface's media flow as its rules list it: init, bytes, complete, then the run, for one file at a time. */
async function oneAfterAnother(sandbox: ChildSandbox, files: readonly IndexFile[]): Promise<void> {
  for (const file of files) await index(sandbox, [await upload(sandbox, file)]);
}

/**
 * The same requests as a job makes, from as many loops as it has requests in flight, without other work: no hash, no
 * journal, no ledger. Its time shows the cost of this machine and the sandbox beyond the latency.
 */
async function atOnce(sandbox: ChildSandbox, files: readonly IndexFile[]): Promise<void> {
  const left = [...files];
  let taken: Taken[] = [];
  const loop = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      taken.push(await upload(sandbox, file));
      if (taken.length < BATCH) continue;
      const batch = taken;
      taken = [];
      await index(sandbox, batch);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  if (taken.length > 0) await index(sandbox, taken);
}

interface Taken {
  readonly file: IndexFile;
  readonly mediaRef: string;
}

async function post({ baseUrl, apiKey }: ChildSandbox, route: string, body: unknown) {
  const response = await fetch(baseUrl + route, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

async function upload(sandbox: ChildSandbox, file: IndexFile): Promise<Taken> {
  const { uri, filename, contentType, sizeBytes } = file;
  const ticket = await post(sandbox, '/api/media/upload/init', {
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
  const { media_ref } = await post(sandbox, '/api/media/upload/complete', { upload_id: ticket.upload_id });
  return { file, mediaRef: media_ref ?? '' };
}

async function index(sandbox: ChildSandbox, taken: readonly Taken[]): Promise<void> {
  await post(sandbox, '/api/runs', {
    ...{ model: 'image-similarity', mode: 'index', scope: 'bare' },
    input: {
      images: taken.map(({ file, mediaRef }) => ({ media_ref: mediaRef, filename: file.filename })),
      image_ids: taken.map(({ file }) => file.imageId),
    },
    params: {},
  });
}
