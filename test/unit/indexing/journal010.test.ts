import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexKind } from '../../../src/indexing/indexKind';
import { createJobJournal, openJobJournal } from '../../../src/jobs/jobJournal';

/** A journal as version 0.1.0 wrote it, killed with its second run in flight. */
const LINES = [
  '{"kind":"job","environment":"staging","baseUrl":"https://models.test","model":"m","modelName":"M","scope":"s","mode":"index","params":{"size":3},"id":"j1","at":1700000000000}',
  '{"kind":"planned","items":[{"uri":"file:///a.png","imageId":"a.png","filename":"a.png","contentType":"image/png","sizeBytes":1,"modifiedMs":10},{"uri":"file:///b.png","imageId":"b.png","filename":"b.png","contentType":"image/png","sizeBytes":2,"modifiedMs":20,"sha256":"bb"},{"uri":"file:///c.png","imageId":"c.png","filename":"c.png","contentType":"image/png","sizeBytes":3,"modifiedMs":30},{"uri":"file:///d.png","imageId":"d.png","filename":"d.png","contentType":"image/png","sizeBytes":4,"modifiedMs":40},{"uri":"file:///e.png","imageId":"e.png","filename":"e.png","contentType":"image/png","sizeBytes":5,"modifiedMs":50}]}',
  '{"kind":"uploaded","item":0,"sha256":"aa","sizeBytes":1,"modifiedMs":11,"mediaRef":"ref-a"}',
  '{"kind":"uploaded","item":1,"sha256":"bb","sizeBytes":2,"modifiedMs":20,"mediaRef":"ref-b"}',
  '{"kind":"sent","run":0,"items":[0,1]}',
  '{"kind":"answered","run":0,"outcome":"indexed","runId":"run-1","cost":{"amount":"0.001","currency":"USD"},"failed":[{"item":1,"reason":"broken"}],"at":1700000001000}',
  '{"kind":"left","item":3,"outcome":"failed","reason":"unreadable"}',
  '{"kind":"uploaded","item":2,"sha256":"cc","sizeBytes":3,"modifiedMs":30,"mediaRef":"ref-c"}',
  '{"kind":"sent","run":1,"items":[2]}',
];

describe('The journal of an indexing job', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'journal-'));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));

  it('of version 0.1.0 is read', async () => {
    const file = join(folder, 'j1.jsonl');
    await fs.writeFile(file, `${LINES.join('\n')}\n`);
    const opened = await openJobJournal(indexKind, file);
    assert.ok(opened);
    const { head, items, nextRun, costs } = opened.record;
    assert.deepEqual([head.id, head.scope, head.params], ['j1', 's', { size: 3 }]);
    assert.deepEqual(
      items.map(({ imageId, state, mediaRef, reason }) => [imageId, state, mediaRef, reason]),
      [
        ['a.png', 'done', 'ref-a', undefined],
        ['b.png', 'failed', 'ref-b', 'broken'],
        ['c.png', 'inFlight', 'ref-c', undefined],
        ['d.png', 'failed', undefined, 'unreadable'],
        ['e.png', 'planned', undefined, undefined],
      ],
    );
    assert.deepEqual([items[0]?.sha256, items[0]?.modifiedMs, nextRun, costs.length], ['aa', 11, 2, 1]);
    await opened.journal.close();
  });

  it('is written as version 0.1.0 wrote it, so that this version can be taken back', async () => {
    const planned = JSON.parse(LINES[1]!).items as Parameters<typeof indexKind.item>[0][];
    const { id: _id, at: _at, kind: _kind, ...head } = JSON.parse(LINES[0]!);
    // What only the plan knows of a file (how it is opened) is not kept.
    const files = planned.map((file) => ({ ...indexKind.item(file)!, open: () => undefined }));
    const { journal, file, record } = await createJobJournal(indexKind, folder, head, files);
    await journal.close();
    const [job, plan] = (await fs.readFile(file, 'utf8')).trim().split('\n');
    assert.equal(
      job!.replace(record.head.id, 'j1').replace(String(record.head.at), '1700000000000'),
      LINES[0],
    );
    assert.equal(plan, LINES[1]);
  });
});
