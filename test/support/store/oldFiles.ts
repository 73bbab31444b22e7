import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataset, head, itemNamed, planned, runNamed } from './samples';

const at = 5;

/** Writes a journal as version 0.1.0 did: each batch of lines between empty ones. */
async function journal(file: string, lines: readonly object[]): Promise<void> {
  await fs.mkdir(dirname(file), { recursive: true });
  await fs.writeFile(file, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
}

/** Files as version 0.1.0 left them; the first line of the history says that it was compacted. */
export async function oldFiles(folder: string): Promise<void> {
  const scope = (name: string) => ({ ...dataset, scope: name });
  await journal(join(folder, 'ledger.jsonl'), [
    itemNamed('a/1.png'),
    itemNamed('b.png', { outcome: 'failed', reason: 'too large' }),
    itemNamed('a/1.png', { at: 9, mediaRef: 'ref' }),
    { kind: 'added', ...scope('empty'), at },
    itemNamed('x', { scope: 'gone' }),
    itemNamed('y', { scope: 'again' }),
    { kind: 'forgotten', ...scope('gone'), at },
    { kind: 'forgotten', ...scope('again'), at },
    itemNamed('z', { scope: 'again' }),
  ]);
  const result = (file: string, sizeBytes: number) => ({
    result: { file, contentType: 'text/plain', sizeBytes, truncated: false },
  });
  await journal(join(folder, 'history/runs.jsonl'), [
    { journal: '8b1e' },
    { run: { ...runNamed('small', { state: 'running' }), session: 'w' } },
    { run: { ...runNamed('small', { cost: { amount: '0.5' } }), ...result('small', 10) } },
    { run: { ...runNamed('large'), ...result('large', 300_000) } },
    { run: { ...runNamed('running', { state: 'running' }), session: 'w' } },
    { run: runNamed('deleted') },
    { deleted: ['deleted'], at },
    { run: runNamed('deleted') },
  ]);
  await fs.mkdir(join(folder, 'history/results'));
  await fs.writeFile(join(folder, 'history/results/small'), Buffer.alloc(10, 65));
  await fs.writeFile(join(folder, 'history/results/large'), Buffer.alloc(300_000, 65));
  await journal(join(folder, 'history/job-runs.jsonl'), [
    {
      ...{ id: 'j', baseUrl: 'u', draft: { model: 'm', mode: 'index' }, items: 3, startedAt: 1, sentAt: 1 },
      ...{ finishedAt: 2, state: 'finished', cost: { amount: '1' } },
    },
  ]);
  const key = (sha256: string) => ({ baseUrl: 'u', sha256, mediaType: 'image', at });
  await journal(join(folder, 'uploads.jsonl'), [
    { ...key('one'), mediaRef: 'ref1' },
    { ...key('two'), mediaRef: 'ref2' },
    key('two'),
  ]);
}

/** A job of four items: one indexed, one sent without a response, one uploaded, one planned. */
export async function oldJob(folder: string): Promise<string> {
  const file = join(folder, 'jobs/j1.jsonl');
  await journal(file, [
    { kind: 'job', ...head, id: 'j1', at: 100 },
    { kind: 'planned', items: planned(4) },
    ...[0, 1, 2].map((item) => ({
      ...{ kind: 'uploaded', item, sha256: `s${item}`, sizeBytes: 10, modifiedMs: 1, mediaRef: `m${item}` },
    })),
    { kind: 'sent', run: 0, items: [0] },
    { kind: 'answered', run: 0, outcome: 'indexed', cost: { amount: '0.1' }, at: 200 },
    { kind: 'sent', run: 1, items: [1] },
  ]);
  return file;
}
