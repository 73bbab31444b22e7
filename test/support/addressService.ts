import { listenOnLoopback } from './loopback';
import { sandboxInChild } from './sandbox';

/** A service with runs that name a picture by its address, at the service itself. It takes any key. */
export interface AddressService {
  readonly url: string;
  /** Runs that it has got. */
  readonly runs: number;
  close(): Promise<void>;
}

export const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200, 7)]);

/** Models and everything but runs are those of the sandbox. */
export async function addressService(): Promise<AddressService> {
  const sandbox = await sandboxInChild();
  let runs = 0;
  const { url, close } = await listenOnLoopback(async (request, response) => {
    const { url: asked = '', method } = request;
    request.resume();
    if (asked.endsWith('.png')) return response.end(PNG);
    const json = { 'content-type': 'application/json' };
    if (method === 'POST') {
      runs += 1;
      const body = { id: `r${runs}`, status: 'completed', output: [`${url}/${runs}.png`] };
      return response.writeHead(200, json).end(JSON.stringify(body));
    }
    const answer = await fetch(new URL(asked, sandbox.baseUrl), { headers: { 'x-api-key': sandbox.apiKey } });
    response.writeHead(answer.status, json).end(await answer.text());
  });
  return {
    url,
    get runs() {
      return runs;
    },
    async close() {
      await close();
      await sandbox.stop();
    },
  };
}
