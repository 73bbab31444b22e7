import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { testClient } from '../../support/serviceClient';

/** A user's text, as one word and as many: recognisable in every derived text. */
const typed = fc
  .tuple(fc.string(), fc.constantFrom('', ' ', '-', '\n', ': ', '/', '2026-11'))
  .map(([text, between]) => `MARK${between}${text}${between}MARK`);

/** Ways in which a service repeats a request; a header has no line breaks. */
const ways: Readonly<Record<string, (sent: string) => StubResponse>> = {
  'as a message': (sent) => ({ status: 422, body: { error: { message: sent } } }),
  'as a request ID in a header': (sent) => ({
    status: 400,
    headers: { 'x-request-id': sent.replaceAll(/[^ -~]/g, '') },
    body: {},
  }),
  'as a request ID in the body': (sent) => ({ status: 400, body: { request_id: sent, error: sent } }),
  'as a time to retry': (sent) => ({
    status: 404,
    headers: { 'retry-after': sent.replaceAll(/[^ -~]/g, '') },
    body: sent,
  }),
  'as a result': (sent) => ({ status: 200, body: { status: sent, output: sent } }),
  'as an address': (sent) => ({
    status: 302,
    headers: { location: `/${encodeURIComponent(sent.replaceAll(/\p{Surrogate}/gu, ''))}` },
  }),
};

describe('The log of the client', () => {
  let service: FaultProxy;
  let respond: (sent: string) => StubResponse;
  let sent = '';
  before(async () => {
    service = await startFaultProxy({ behind: () => respond(sent) });
  });
  after(() => service.close());

  for (const [way, response] of Object.entries(ways))
    it(`contains no input of the user that the service repeats ${way}`, async () => {
      respond = response;
      await fc.assert(
        fc.asyncProperty(typed, async (text) => {
          sent = text;
          const client = testClient(service.url);
          const request = { model: text, mode: 'execute', input: { [text]: text }, params: { text } };
          await client.run(request).catch(() => undefined);
          await client.getModel(text).catch(() => undefined);
          client.close();
          assert.ok(client.logged.length >= 1, 'nothing was logged');
          assert.deepEqual(
            client.logged.filter((line) => line.includes('MARK')),
            [],
          );
        }),
        { numRuns: 50, examples: [['MARK\n0000\nMARK']] },
      );
    });
});
