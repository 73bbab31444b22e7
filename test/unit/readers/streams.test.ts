import assert from 'node:assert/strict';
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
    assert.equal(
      sent('data: {"token":"a"}', 'event: error\ndata: {"error":"CUDA out of memory"}').state,
      'failed',
    );
    assert.equal(
      sent('data: {"text":"a"}', 'data: {"error":{"message":"overloaded"}}').message,
      'overloaded',
    );
    assert.equal(sent('event: generating\ndata: {}', 'event: error\ndata: null').state, 'failed');
    assert.equal(sent('data: {"id":"r","status":"running"}').state, 'accepted');
    const done = sent(
      'data: {"status":"running"}',
      'data: {"id":"r","status":"succeeded","output":5,"cost":"0.2"}',
    );
    assert.deepEqual([done.state, done.runId, done.cost], ['finished', 'r', { amount: '0.2' }]);
  });

  it('accepts line ends of any kind, and odd numbers', () => {
    const events = [
      ['event: token\ndata: {"text":"a"}', 'event: error\ndata: {"text":"out of memory"}'],
      ['data: {"text":"a"}', 'data: {"status":"failed","error":"x","loss":NaN}'],
    ];
    for (const lineEnd of ['\n', '\r\n', '\r'])
      for (const each of events) {
        const text = each.map((event) => `${event}\n\n`).join('');
        const read = readText(text.replaceAll('\n', lineEnd), 'text/event-stream');
        assert.equal(read.state, 'failed', JSON.stringify([lineEnd, each]));
      }
    assert.equal(sent('event: start\ndata: {"type":"start"}').state, 'unclear');
  });

  it('fails with an error before the last event, unless a later event says that it finished', () => {
    const error = 'event: error\ndata: {"message":"CUDA out of memory"}';
    for (const events of [
      [error, 'data: {"usage":{"total_tokens":5}}', 'data: [DONE]'],
      ['data: {"text":"a"}', 'data: {"error":{"message":"CUDA out of memory"}}', 'data: {"text":"b"}'],
      [': keep-alive', 'data: {"text":"a"}', error, 'event: close\ndata: {}'],
    ]) {
      assert.deepEqual([sent(...events).state, sent(...events).message], ['failed', 'CUDA out of memory']);
    }
    for (const reason of ['error', 'canceled'])
      assert.equal(
        sent('event: output\ndata: a', `event: done\ndata: {"reason":"${reason}"}`).state,
        'failed',
      );
    assert.equal(sent(error, 'data: {"status":"succeeded","output":5}').state, 'finished');
    assert.equal(sent('data: Error', 'data:  is a word', 'data: [DONE]').state, 'finished');
  });

  it('finishes with the event that ends it, and not with one about its course', () => {
    const anthropic = [
      ['message_start', { message: { id: 'm', content: [], usage: { input_tokens: 1 } } }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['ping', {}],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hel' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'lo' } }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }],
      ['message_stop', {}],
    ] as const;
    const events = anthropic.map(
      ([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}`,
    );
    const whole = sent(...events);
    assert.deepEqual([whole.state, whole.output], ['finished', 'Hello']);
    const cohere = (reason: string, text: string) =>
      readText(
        `{"event_type":"text-generation","text":"Hel"}\n${JSON.stringify({ event_type: 'stream-end', finish_reason: reason, response: { text } })}\n`,
        'application/stream+json',
      ).state;
    assert.deepEqual([cohere('COMPLETE', 'Hello'), cohere('ERROR', '')], ['finished', 'failed']);
    assert.equal(
      sent('event: progress\ndata: {"percent":10}', 'event: progress\ndata: {"percent":40}').state,
      'unclear',
    );
  });

  it('stays unclear when the connection ended within an event', () => {
    const whole = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n';
    for (const rest of ['data: {"choices":[{"del', 'data: [{"a"'])
      assert.equal(readText(whole + rest, 'text/event-stream').state, 'unclear', rest);
    assert.equal(
      readText('{"response":"Hel"}\n{"response":"lo","do', 'application/x-ndjson').state,
      'unclear',
    );
    assert.equal(readText(whole, 'text/event-stream').state, 'finished');
  });

  it('reads events that a gateway calls plain text', () => {
    const text = ': ping\r\n\r\ndata: {"text":"a"}\r\n\r\nevent: error\r\ndata: {"message":"no gpu"}\r\n\r\n';
    assert.deepEqual(
      [readText(text, 'text/plain').state, readText(text, 'text/plain').message],
      ['failed', 'no gpu'],
    );
    assert.equal(
      readText('data: is a plural\nand this is a text', 'text/plain').output,
      'data: is a plural\nand this is a text',
    );
  });

  it('joins the parts of a text', () => {
    const delta = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}`;
    const chat = sent(delta('Hel'), delta('lo'), 'data: [DONE]');
    assert.deepEqual([chat.state, chat.output], ['finished', 'Hello']);
    const tokens = sent('event: output\ndata: 4', 'event: output\ndata: 2', 'event: done\ndata: {}');
    assert.deepEqual([tokens.state, tokens.output], ['finished', '42']);
  });

  it('reads lines of JSON to the last', () => {
    const lines = (...values: readonly unknown[]) =>
      readText(values.map((value) => `${JSON.stringify(value)}\n`).join(''), 'application/x-ndjson');
    const ended = lines({ response: 'Hel', done: false }, { response: 'lo', done: true });
    assert.deepEqual([ended.state, ended.output], ['finished', 'Hello']);
    assert.equal(lines({ response: 'a' }, { error: 'CUDA out of memory' }).state, 'failed');
    const untyped = readText('{"step":1}\n{"step":2,"label":"cat"}\n', 'application/json');
    assert.equal(untyped.state, 'finished');
  });
});
