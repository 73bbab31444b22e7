import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SNIPPET_LANGUAGES, snippetOf } from '../../../src/snippets/snippet';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback';
import { canRun, runSnippet } from './runSnippet';

const SECRET = 'the words of a file that nobody chose';

/** A service whose answer to the init of an upload is meant to do more than that. */
class HostileService {
  readonly uploads: {
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
    readonly method?: string;
  }[] = [];
  readonly heard: string[] = [];
  init: object = {};
  #server: LoopbackServer | undefined;

  async start(): Promise<void> {
    this.#server = await listenOnLoopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        this.heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
        if (request.url?.endsWith('/init')) return response.end(JSON.stringify(this.init));
        if (request.url?.endsWith('/complete')) return response.end('{"media_ref":"m-1"}');
        if (request.url?.startsWith('/put'))
          this.uploads.push({ headers: request.headers, body, method: request.method });
        return response.end('{}');
      });
    });
  }

  get baseUrl(): string {
    assert.ok(this.#server, 'it was started');
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }
}

for (const language of SNIPPET_LANGUAGES)
  describe(`The ${language} snippet, against a hostile service`, () => {
    let folder: string;
    let service: HostileService;
    let secretFile: string;

    before(async function () {
      if (await canRun(language)) return;
      console.log(`      skipped: this machine has not all that ${language} needs`);
      this.skip();
    });
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'model-bench-hostile-'));
      secretFile = join(folder, 'secret.txt');
      await writeFile(secretFile, SECRET);
      await writeFile(join(folder, 'a.png'), 'picture');
      service = new HostileService();
      await service.start();
    });
    afterEach(async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** Where it takes uploads, as a path of its origin. */
    const put = () => `${new URL(service.baseUrl).pathname}/put`;
    const run = (key = 'mb-key') => {
      const path = join(folder, 'a.png');
      const ref = pathToFileURL(path).href;
      const request = { model: 'm', mode: 'execute', input: { image: { media_ref: ref } }, params: {} };
      const file = { ref, path, filename: 'a.png', contentType: 'image/png', mediaType: 'image' };
      return runSnippet(language, snippetOf(language, service.baseUrl, request, [file]), key);
    };

    it('sends only the file, for any headers that the service names', async () => {
      const headers = {
        [`@${secretFile}`]: 'x',
        'x-good': 'yes',
        'x-bad': 'a\r\nx-evil: 1',
        'x-worse\nx-evil': '1',
        'x evil': '1',
        '': '1',
        '-K': secretFile,
      };
      service.init = { upload_url: put(), upload_id: 'u', headers };
      // A language whose own library refuses such headers may end here: no file has left then.
      await run().catch(() => undefined);
      assert.ok(!service.heard.join('\n').includes(SECRET), 'another file was sent');
      for (const { headers: sent, body } of service.uploads) {
        assert.equal(body, 'picture');
        assert.equal(sent['x-evil'], undefined);
      }
      if (language === 'curl') assert.equal(service.uploads[0]?.headers['x-good'], 'yes');
    });

    it('sends no bytes to an address that is not HTTP', async () => {
      for (const upload_url of [
        pathToFileURL(secretFile).href,
        pathToFileURL(join(folder, 'written.txt')).href,
        `-K${secretFile}`,
        `@${secretFile}`,
        'data:text/plain,x',
        `gopher://127.0.0.1:${new URL(service.baseUrl).port}/put`,
        `telnet://127.0.0.1:${new URL(service.baseUrl).port}`,
      ]) {
        service.init = { upload_url, upload_id: 'u' };
        await run().catch(() => undefined);
        assert.ok(!service.heard.join('\n').includes(SECRET), upload_url);
        // An address without a protocol is a path of the service.
        const wasUsed = service.heard.some((line) => line.includes('/complete'));
        assert.ok(!wasUsed || !URL.canParse(upload_url), `${upload_url} was used`);
        service.heard.length = 0;
      }
      assert.deepEqual((await readdir(folder)).sort(), ['a.png', 'secret.txt']);
    });

    it('never treats a part of the response as code or as an option', async () => {
      for (const init of [
        { upload_url: put(), upload_id: '$(touch pwned)', method: 'PUT' },
        { upload_url: put(), upload_id: 'u', method: '--output' },
        { upload_url: `${put()}?\`touch pwned\`$(touch pwned)`, upload_id: '"; touch pwned; "' },
        { upload_url: `${put()}[1-3]{a,b}`, upload_id: { a: "'; touch pwned; '" } },
        [],
        { upload_url: [put()], upload_id: null },
      ]) {
        service.init = init;
        await run().catch(() => undefined);
      }
      assert.deepEqual((await readdir(folder)).sort(), ['a.png', 'secret.txt']);
      assert.ok(service.uploads.every(({ body }) => body === 'picture'));
    });

    it('names the missing variable when there is no key', async () => {
      await assert.rejects(run(''), (error: Error & { stderr?: string }) => {
        const said = error.stderr ?? '';
        assert.match(said, /Set MODEL_BENCH_API_KEY to your API key/);
        assert.doesNotMatch(said, /Traceback|KeyError/);
        return true;
      });
      assert.deepEqual(service.heard, []);
    });
  });
