import assert from 'node:assert/strict';
import { readEvents } from '../../../src/intake/eventStream';
import { readRunResponse } from '../../../src/readers/run';
import { rawOf } from '../../support/rawOf';

const readText = (text: string, contentType: string) =>
  readRunResponse(
    { ...rawOf(text), contentType, json: undefined, text },
    new URL('https://a.example/api/runs'),
  );

describe('A streamed response', () => {
  const sent = (...events: readonly string[]) =>
    readText(events.map((event) => `${event}\n\n`).join(''), 'text/event-stream; charset=utf-8');

  it('takes the state of its last event', () => {
    for (const event of [
      'event: error\ndata: {"error":"no memory"}',
      'data: {"error":{"message":"no memory"}}',
    ]) {
      const { state, message } = sent('data: {"token":"a"}', event);
      assert.deepEqual([state, message], ['failed', 'no memory']);
    }
    assert.equal(sent('data: {"id":"r","status":"running"}').state, 'accepted');
    const done = sent(
      'data: {"status":"running"}',
      'data: {"id":"r","status":"succeeded","output":5,"cost":"0.2"}',
    );
    assert.deepEqual(
      [done.state, done.runId, done.output, done.cost],
      ['finished', 'r', 5, { amount: '0.2' }],
    );
    assert.equal(sent('event: start\ndata: {"type":"start"}').state, 'unclear');
  });

  it('fails with an error before the last event, unless that says that the run finished', () => {
    const error = 'event: error\ndata: {"message":"no memory"}';
    const failed = sent(error, 'data: {"usage":{"total_tokens":5}}', 'data: [DONE]');
    assert.deepEqual([failed.state, failed.message], ['failed', 'no memory']);
    assert.equal(sent(error, 'data: {"status":"succeeded","output":5}').state, 'finished');
  });

  it('stays unclear when it ends within an event, and when its last part has no sign', () => {
    assert.equal(sent('data: {"text":"a"}', 'data: {"te').state, 'unclear');
    assert.equal(sent('data: {"step":1}', 'data: {"step":2,"label":"cat"}').state, 'unclear');
    assert.equal(sent('data: {"label":"cat"}').state, 'finished', 'the only part is the whole');
    assert.equal(readText('{"text":"Hel"}\n{"text":"lo","do', 'application/x-ndjson').state, 'unclear');
  });

  it('joins the texts of events that have only a text', () => {
    const tokens = sent('event: output\ndata: 4', 'data: {"token":"2"}', 'event: done\ndata: [DONE]');
    assert.deepEqual([tokens.state, tokens.output], ['finished', '42']);
    const plain = readText(': ping\r\n\r\ndata: a\r\n\r\ndata: b\r\n\r\n', 'text/plain');
    assert.deepEqual([plain.state, plain.output], ['finished', 'ab']);
    const text = 'data: is a plural\nand this is a text';
    assert.equal(readText(text, 'text/plain').output, text);
  });

  it('becomes a text where reading it would take long, and ends at the first line of another kind', () => {
    const [levels, values] = ['['.repeat(400) + ']'.repeat(400), `[${'{},'.repeat(260)}1]`];
    for (const [line, type] of [
      ['{}\n', 'application/x-ndjson'],
      ['{"a":NaN}\n', 'application/x-ndjson'],
      ...['a\n\ndata: b', 'a', levels, values, '{"a":"b'].map(
        (data) => [`data: ${data}\n\n`, 'text/event-stream'] as const,
      ),
    ] as const) {
      const text = line.repeat(Math.ceil(4_000_000 / line.length));
      assert.ok(readEvents({ text, contentType: type }) === undefined);
      assert.notEqual(readEvents({ text: line.repeat(3), contentType: type }), undefined);
    }
    assert.equal(readEvents({ text: ':\n'.repeat(1000), contentType: 'application/x-ndjson' }), undefined);
  });
});
