import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';

/** Code that makes a server; a page's channel also listens, to messages. */
const LISTENS = /\bcreateServer\(|\.listen\(\s*(?:0|port|\{)/;

/** Servers that are not made by `listenOnLoopback`, and why not. */
const OTHERS: Readonly<Record<string, string>> = {
  'test/support/loopback.ts': 'it is there that they are made',
  'test/support/tunnel.ts': 'a proxy stands at its root: it leads only to a server that asks for a token',
  'test/support/webviewPage.ts': 'each address of the page has a token, for its policy names the origin',
  'test/support/clientCertificate.ts': 'asks for the certificate of a client',
  'test/support/hosts/server.ts': 'finds a free port, and answers nothing',
  'test/unit/service/certificates.test.ts': 'ends every connection, and answers nothing',
  'test/unit/service/clientCertificates.test.ts': 'asks for the certificate of a client, and answers `{}`',
};

/**
 * Other accounts of a machine reach its loopback. A VS Code asks for a password or a token, the sandbox for its key, and
 * everything else for a token that its path begins with.
 */
describe('The servers of tests and measures', () => {
  const sources = globSync(['test/**/*.{ts,mjs}', 'bench/**/*.{ts,mjs}'], { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('servers.test.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  const listening = sources.filter(({ text }) => LISTENS.test(text));

  it('come from one function, except those with a reason', () => {
    assert.deepEqual(listening.map(({ file }) => file).sort(), Object.keys(OTHERS).sort());
    assert.ok(sources.filter(({ text }) => text.includes('listenOnLoopback(')).length > 7);
  });

  it('listen on the loopback only', () => {
    const elsewhere = listening.flatMap(({ file, text }) =>
      [...text.matchAll(/\.listen\(([^)]*)\)?/g)]
        .filter(([, to = '']) => /^\s*\d|port/i.test(to) && !/127\.0\.0\.1|\bhost\b/.test(to))
        .map(([call]) => `${file}: ${call}`),
    );
    assert.deepEqual(elsewhere, []);
  });
});
