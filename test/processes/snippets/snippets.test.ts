import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import type { JsonObject } from '../../../src/domain/json';
import type { RunRequest } from '../../../src/domain/run';
import type { SnippetFile } from '../../../src/snippets/requestParts';
import { SNIPPET_LANGUAGES, snippetOf } from '../../../src/snippets/snippet';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { canRun, listeningService, pasteIntoShell, runSnippet, shellsHere } from './runSnippet';

/** `npm run faults` asks for the full size. */
const FULL = process.env.MODEL_BENCH_FAULTS === 'full';

const NASTY = `it's "quoted" $(touch pwned) \`touch pwned\` \\ \n %s \${HOME} !! 画像 \u2028 \u0000`;

function png(): Buffer {
  const image = new PNG({ width: 32, height: 32 });
  for (let index = 0; index < image.data.length; index++) image.data[index] = (index * 37) % 256;
  return PNG.sync.write(image);
}

for (const language of SNIPPET_LANGUAGES) {
  describe(`The ${language} snippet`, () => {
    let folder: string;
    let sandbox: TestSandbox;

    before(async function () {
      if (!(await canRun(language))) this.skip();
      folder = await mkdtemp(join(tmpdir(), 'model-bench-files-'));
      sandbox = await sandboxInProcess();
    });

    after(async () => {
      await sandbox?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    it('runs a text model of the sandbox', async () => {
      const request: RunRequest = {
        model: 'language-id',
        mode: 'execute',
        input: { text: `Où est l'église ? ${NASTY.replaceAll('\u0000', '')}` },
        params: {},
      };
      const printed = await runSnippet(
        language,
        snippetOf(language, sandbox.baseUrl, request),
        sandbox.apiKey,
      );
      assert.equal(typeof JSON.parse(printed), 'object');
      assert.match(printed, /fra?/);
    });

    it('uploads each local file once and indexes all of them', async () => {
      const names = [`it's $(a) "b" \`c\`.png`, 'zwei Wörter.png'];
      const files: SnippetFile[] = [];
      for (const filename of names) {
        const path = join(folder, filename);
        await writeFile(path, png());
        const ref = pathToFileURL(path).href;
        files.push({ ref, path, filename, contentType: 'image/png', mediaType: 'image' });
      }
      const refs = [files[0], files[1], files[0]].map((file) => ({ media_ref: file?.ref ?? '' }));
      const request: RunRequest = {
        model: 'image-similarity',
        mode: 'index',
        scope: 'playground',
        input: { images: refs, image_ids: ['a', 'b', 'c'] },
        params: {},
      };
      const earlier = await sandbox.ledger();
      await runSnippet(language, snippetOf(language, sandbox.baseUrl, request, files), sandbox.apiKey);
      const later = await sandbox.ledger();
      const more = (name: string) => (later.requests[name] ?? 0) - (earlier.requests[name] ?? 0);
      assert.equal(more('upload-init'), 2);
      assert.equal(more('upload-complete'), 2);
      assert.equal(more('runs'), 1);
      assert.equal(later.runs['image-similarity index'], 1);
      assert.equal(later.keysOnUploadPort, 0);
      assert.deepEqual((await readdir(folder)).toSorted(), names.toSorted(), 'no name was run as code');
    });

    it('sends exactly the request, for any values', async () => {
      const service = await listeningService();
      try {
        const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(NASTY), fc.string());
        const value = fc.jsonValue({ depthSize: 'small', maxDepth: 3 });
        const input = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), fc.oneof(text, value), {
          maxKeys: 4,
        });
        await fc.assert(
          fc.asyncProperty(text, input, input, async (model, one, other) => {
            const request: RunRequest = { model, input: one as JsonObject, params: other as JsonObject };
            await runSnippet(language, snippetOf(language, service.baseUrl, request), 'key');
            const last = service.received.at(-1);
            assert.deepEqual(last?.body, JSON.parse(JSON.stringify(request)));
            assert.equal(last?.path, '/api/runs');
            assert.equal(last?.key, 'key');
          }),
          { numRuns: FULL ? 40 : 5, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false },
        );
      } finally {
        await service.stop();
      }
    });
  });
}

describe('The curl snippet in a terminal', () => {
  before(async function () {
    if (process.platform === 'win32' || !(await canRun('curl'))) this.skip();
  });

  const request = (input: JsonObject): RunRequest => ({ model: 'm', mode: 'execute', input, params: {} });
  const file: SnippetFile = {
    ...{ ref: 'file:///x.png', path: '/dev/null', filename: 'x.png' },
    ...{ contentType: 'image/png', mediaType: 'image' },
  };

  it('contains no line with a comment alone, which zsh would run as a command', () => {
    const code = snippetOf('curl', 'http://127.0.0.1', request({ image: { media_ref: file.ref } }), [file]);
    assert.doesNotMatch(code, /^\s*#/m);
  });

  it('never passes the key to a process as an argument, and leaves the terminal open after an error', async () => {
    const service = await listeningService();
    try {
      for (const shell of await shellsHere())
        for (const input of [{ text: 'a' }, { image: { media_ref: file.ref } }] as JsonObject[]) {
          // The upload fails: the service answers {} to its first step.
          const code = snippetOf('curl', service.baseUrl, request(input), [file]);
          const { args, printed } = await pasteIntoShell(shell, code, 'the-secret-key');
          assert.equal(service.received.pop()?.key, 'the-secret-key', shell);
          assert.match(args, /Content-Type/);
          assert.doesNotMatch(args, /the-secret-key/);
          assert.match(printed, /still open/);
        }
    } finally {
      await service.stop();
    }
  });
});
